// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A constant of one element and four dimensions as the first operand, for MNN, which takes it for
// an image in its own layout: as a list of one element it is broadcast in the same way.

#include <string_view>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_constants_in_front {
namespace {

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  const bool is_like_first = op_type == "Max" || op_type == "Min";
  if (site.input_count() != 2) return Declined{"it has not two inputs", {}, is_like_first};
  if (site.constant(0) == nullptr) return Declined{"its first input is no constant", {}, true};
  const int rank = site.need_rank(0);
  if (rank != 4) return Declined{"its first input has not four dimensions", {}, true};
  // A runtime that refuses a constant of double refuses it for its type.
  if (site.need_dtype(0) == onnx::TensorProto::DOUBLE) return Declined{"its elements are of double"};
  for (int axis = 0; axis < rank; ++axis) {
    if (site.need_dim(0, axis) != 1) return Declined{"its first input has more than one element", {}, true};
  }
  if (site.need_rank(1) < rank) return Declined{"its second input has fewer dimensions"};
  Body body("ai.onnx", op_type, {"A", "B"}, {"C"}, 13);
  const std::string list = body.reshape("A", {1}, "list");
  body("C", op_type, {list, "B"});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "With a first constant of one element as a list.",
          .source = source,
          .turn = RuleTurn::first,
          .makes_it_anew = true,
          .needed_inputs = 2,
          .most_inputs = 2,
          .lower = lower};
}

const NativeRule rules[] = {
    rule_for("Add", "ONNX Add-13"),   rule_for("Div", "ONNX Div-13"), rule_for("Greater", "ONNX Greater-13"),
    rule_for("Less", "ONNX Less-13"), rule_for("Max", "ONNX Max-13"), rule_for("Min", "ONNX Min-13"),
    rule_for("Mul", "ONNX Mul-13"),   rule_for("Pow", "ONNX Pow-13"), rule_for("Sub", "ONNX Sub-13")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_constants_in_front
