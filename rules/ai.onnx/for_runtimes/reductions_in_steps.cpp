// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reductions for runtimes that take only some of them: reduced axes are dropped by a Squeeze, more
// than two axes are reduced one pair after the other, and two one after the other, the last first.

#include <fmt/format.h>

#include <algorithm>

#include "all_reductions.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_reductions_in_steps {
namespace {

// Adds a reduction with its axes as an input (from opset 13 or 18 on) or as an attribute, as the
// call has them.
void reduce(Body& body, const CallSite& site, std::string_view result, std::string_view data, const Ints& axes) {
  if (site.has_input(1)) {
    body(result, site.node().op_type(), {data, body.ints(axes, "some")}, {{"keepdims", 1}});
  } else {
    body(result, site.node().op_type(), {data}, {{"axes", axes}, {"keepdims", 1}});
  }
}

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  const Ints axes = site.has_input(1) ? site.need_ints(1) : site.attribute_ints("axes", {});
  const bool keeps = site.attribute_int("keepdims", 1) == 1;
  if (axes.empty() && (keeps || site.attribute_int("noop_with_empty_axes", 0) == 1))
    return Declined{"it names no axes"};
  if (keeps && axes.size() == 1) return Declined{"it reduces one axis, and keeps it"};
  // The result of these two cannot be reduced further by the same operator.
  const bool is_in_one = (!keeps && axes.size() <= 2) || op_type == "ReduceLogSum" || op_type == "ReduceSumSquare";
  if (keeps && is_in_one) return Declined{"its axes cannot be reduced one after the other"};
  const size_t at_once = is_in_one ? axes.size() : axes.size() > 2 ? 2 : 1;
  const int64_t opset = !site.has_input(1) ? 11 : op_type == "ReduceSum" ? 13 : 18;
  Body body("ai.onnx", op_type, {"data", "axes"}, {"reduced"}, opset);
  if (axes.empty()) {
    body("reduced0", op_type, {"data"}, {{"keepdims", 1}});
    body("reduced", "Squeeze", {"reduced0"});
    return body.function();
  }
  std::string values = "data";
  for (size_t last = axes.size(); last > 0;) {
    const size_t first = last - std::min(at_once, last);
    const std::string result = keeps && first == 0 ? "reduced" : fmt::format("reduced{}", first);
    reduce(body, site, result, values,
           Ints(axes.begin() + static_cast<std::ptrdiff_t>(first), axes.begin() + static_cast<std::ptrdiff_t>(last)));
    values = result;
    last = first;
  }
  if (keeps) return body.function();
  if (opset >= 13) {
    body("reduced", "Squeeze", {values, body.ints(axes, "all")});
  } else {
    body("reduced", "Squeeze", {values}, {{"axes", axes}});
  }
  return body.function();
}

// Other rules for the same operators had better be found before these.
constexpr std::array rules =
    for_all_reductions({.domain = "ai.onnx",
                        .op_type = {},
                        .summary = "One or two axes after the other, which keep a dimension until all are reduced.",
                        .source = {},
                        .attributes = "axes, keepdims, noop_with_empty_axes",
                        .turn = RuleTurn::last_resort,
                        .lower = lower});
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_reductions_in_steps
