// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Axes and indices that count from the end, for runtimes that take them for others or refuse them.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_indices_from_the_start {
namespace {

Lowering axis_from_the_start(const CallSite& site) {
  const int64_t axis = site.attribute_int("axis", 0);
  if (axis >= 0) return Declined{"its axis counts from the start", {}, true};
  const int64_t from_start = need_axis(axis, site.need_rank(0));
  const std::vector<std::string> inputs = first_names({"data", "indices", "updates"}, site.input_count());
  Body body("ai.onnx", site.node().op_type(), inputs, {"output"}, site.own_opset());
  body("output", site.node().op_type(), inputs, {{"axis", from_start}});
  body.copy_attributes(site, {"reduction"}, site.node().op_type());
  return body.function();
}

// The type of indices that the rule computes with.
int need_index_type(const CallSite& site, int input) {
  const int type = site.need_dtype(input);
  if (type != onnx::TensorProto::INT32 && type != onnx::TensorProto::INT64)
    decline("its indices are not of int32 or int64");
  return type;
}

// The indices, of which those that count from the end of an axis of `size` count from its start.
// Max changes nothing, and shows that none is negative.
std::string from_the_start(Body& body, int type, std::string_view size) {
  body.constant("zero", 0);
  body("none", "Cast", {"zero"}, {{"to", type}});
  body("end", "Cast", {size}, {{"to", type}});
  body("is_from_end", "Less", {"indices", "none"});
  body("counted", "Add", {"indices", "end"});
  body("places", "Where", {"is_from_end", "counted", "indices"});
  return body("from_start", "Max", {"places", "none"});
}

Lowering scattered_from_the_start(const CallSite& site) {
  const int64_t axis = need_axis(site.attribute_int("axis", 0), site.need_rank(0));
  const int type = need_index_type(site, 1);
  const std::optional<Ints> indices = site.constant_ints(1);
  if (indices && std::ranges::none_of(*indices, [](int64_t index) { return index < 0; }))
    return Declined{"its indices count from the start"};
  Body body("ai.onnx", "ScatterElements", {"data", "indices", "updates"}, {"output"}, site.own_opset());
  const std::string size = body.dim("data", static_cast<int>(axis));
  body("output", "ScatterElements", {"data", from_the_start(body, type, size), "updates"}, {{"axis", axis}});
  body.copy_attributes(site, {"reduction"}, "ScatterElements");
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view attributes, std::string_view summary,
                              std::string_view source, Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = summary,
          .source = source,
          .attributes = attributes,
          .turn = RuleTurn::last_resort,
          .makes_it_anew = true,
          .needed_inputs = 2,
          .lower = lower};
}

constexpr std::string_view of_axis = "With an axis that counts from the start.";
constexpr std::string_view of_indices = "With indices that count from the start.";

const NativeRule rules[] = {
    rule_for("Compress", "axis", of_axis, "ONNX Compress-11", axis_from_the_start),
    rule_for("Scatter", "axis", of_axis, "ONNX Scatter-9", axis_from_the_start),
    rule_for("ScatterElements", "axis, reduction", of_indices, "ONNX ScatterElements-18", scattered_from_the_start),
    rule_for("ScatterElements", "axis, reduction", of_axis, "ONNX ScatterElements-18", axis_from_the_start)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_indices_from_the_start
