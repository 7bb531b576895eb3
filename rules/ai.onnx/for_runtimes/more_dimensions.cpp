// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reductions of numbers without a dimension, and the place of the greatest number of a list, for a
// runtime that takes them of more dimensions only: with a dimension of 1 in front.

#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_more_dimensions {
namespace {

// All axes of a number are none, whatever `keepdims` says.
Lowering reduce_number(const CallSite& site) {
  if (site.need_rank(0) != 0) return Declined{"data has dimensions", {}, true};
  if (site.attribute_int("noop_with_empty_axes", 0) != 0) return Declined{"without axes it reduces nothing"};
  Body body("ai.onnx", site.node().op_type(), {"data", "axes"}, {"reduced"}, 11);
  const std::string list = body.reshape("data", {1}, "list");
  body("reduced", site.node().op_type(), {list}, {{"keepdims", 0}});
  return body.function();
}

Lowering place_in_list(const CallSite& site) {
  if (site.need_rank(0) != 1) return Declined{"data is not a list", {}, true};
  Body body("ai.onnx", site.node().op_type(), {"data"}, {"reduced"}, 13);
  const std::string row = body.unsqueeze("data", {0}, "row");
  body("places", site.node().op_type(), {row}, {{"axis", 1}, {"keepdims", site.attribute_int("keepdims", 1)}});
  body.copy_attributes(site, {"select_last_index"}, site.node().op_type());
  body("reduced", "Squeeze", {"places", body.ints({0}, "front")});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Of a number without a dimension, as a list of one, for a runtime that reduces no other.",
          .source = source,
          .attributes = "axes, keepdims, noop_with_empty_axes",
          .turn = RuleTurn::last_resort,
          .lower = reduce_number};
}

constexpr NativeRule rule_for_place(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Of a list, as a matrix of one row, for a runtime that takes no list.",
          .source = source,
          .attributes = "axis, keepdims, select_last_index",
          .turn = RuleTurn::first,
          .makes_it_anew = true,
          .lower = place_in_list};
}

const NativeRule rules[] = {
    rule_for("ReduceL1", "ONNX ReduceL1-18"),         rule_for("ReduceL2", "ONNX ReduceL2-18"),
    rule_for("ReduceLogSum", "ONNX ReduceLogSum-18"), rule_for("ReduceLogSumExp", "ONNX ReduceLogSumExp-18"),
    rule_for("ReduceMax", "ONNX ReduceMax-20"),       rule_for("ReduceMean", "ONNX ReduceMean-18"),
    rule_for("ReduceMin", "ONNX ReduceMin-20"),       rule_for("ReduceProd", "ONNX ReduceProd-18"),
    rule_for("ReduceSum", "ONNX ReduceSum-13"),       rule_for("ReduceSumSquare", "ONNX ReduceSumSquare-18"),
    rule_for_place("ArgMax", "ONNX ArgMax-13"),       rule_for_place("ArgMin", "ONNX ArgMin-13")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_more_dimensions
