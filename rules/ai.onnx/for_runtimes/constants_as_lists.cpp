// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A constant of three or more dimensions, of which all but the last are 1, as a list, which is
// broadcast in the same way: for MNN, which takes one of one element for an image in its own layout
// where it is the first operand or has more dimensions than the other one, and forgets the
// dimensions that only a constant behind a MatMul has; and for OpenCV, whose Gemm, which it makes
// of a MatMul and an Add, takes no such constant.

#include <algorithm>
#include <string_view>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_constants_as_lists {
namespace {

// Whether the input is such a constant.
bool is_list_of_many_dimensions(const CallSite& site, int input) {
  constexpr int least_rank = 3;
  if (site.constant(input) == nullptr) return false;
  const int rank = site.need_rank(input);
  if (rank < least_rank) return false;
  for (int axis = 0; axis + 1 < rank; ++axis) {
    if (site.need_dim(input, axis) != 1) return false;
  }
  return true;
}

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  const bool is_like_first = op_type == "Max" || op_type == "Min";
  if (site.input_count() != 2) return Declined{"it has not two inputs", {}, is_like_first};
  if (site.constant(0) == nullptr && site.constant(1) == nullptr)
    return Declined{"neither of its inputs is a constant", {}, true};
  const int ranks[] = {site.need_rank(0), site.need_rank(1)};
  const bool is_first = is_list_of_many_dimensions(site, 0);
  if (!is_first && !is_list_of_many_dimensions(site, 1))
    return Declined{
        "neither of its inputs is a constant of three or more dimensions that are 1 but the last", {}, true};
  // A runtime that refuses a constant of double refuses it for its type.
  if (site.need_dtype(0) == onnx::TensorProto::DOUBLE) return Declined{"its elements are of double"};
  Body body("ai.onnx", op_type, {"A", "B"}, {"C"}, 13);
  const int constant = is_first ? 0 : 1;
  const std::string list = body.reshape(is_first ? "A" : "B", {site.need_dim(constant, -1)}, "list");
  // The dimensions that only the constant has.
  const Ints added = numbers_below(std::max(ranks[constant] - std::max(ranks[1 - constant], 1), 0));
  const std::string result = added.empty() ? "C" : "of_fewer_dimensions";
  body(result, op_type, {is_first ? list : "A", is_first ? "B" : list});
  if (!added.empty()) body("C", "Unsqueeze", {result, body.ints(added, "added")});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "With a constant of many dimensions as a list.",
          .source = source,
          .turn = RuleTurn::first,
          .makes_it_anew = true,
          .needed_inputs = 2,
          .most_inputs = 2,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("Add", "ONNX Add-13"),
                            rule_for("Div", "ONNX Div-13"),
                            rule_for("Equal", "ONNX Equal-13"),
                            rule_for("Greater", "ONNX Greater-13"),
                            rule_for("GreaterOrEqual", "ONNX GreaterOrEqual-16"),
                            rule_for("Less", "ONNX Less-13"),
                            rule_for("LessOrEqual", "ONNX LessOrEqual-16"),
                            rule_for("Max", "ONNX Max-13"),
                            rule_for("Min", "ONNX Min-13"),
                            rule_for("Mul", "ONNX Mul-13"),
                            rule_for("Pow", "ONNX Pow-13"),
                            rule_for("Sub", "ONNX Sub-13")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_constants_as_lists
