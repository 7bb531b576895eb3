// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Sums, means and extremes of several values, for a runtime that takes two at most, or computes
// something else of more.

#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_two_at_a_time {
namespace {

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  const bool is_mean = op_type == "Mean";
  const int inputs = site.input_count();
  if (inputs < (is_mean ? 1 : 2)) return Declined{"it has one input", {}, true};
  if (inputs == 2 && op_type != "Sum" && !is_mean) return Declined{"it has two inputs", {}, true};
  std::vector<std::string> names;
  for (int input = 0; input < inputs; ++input) names.push_back("input" + std::to_string(input));
  Body body("ai.onnx", op_type, names, {"result"}, 13);
  const std::string_view of_two = is_mean || op_type == "Sum" ? "Add" : op_type;
  std::string current = names[0];
  for (int input = 1; input < inputs; ++input) {
    const bool is_last = input + 1 == inputs && !is_mean;
    current = body(is_last ? "result" : body.fresh("joined"), of_two, {current, names[static_cast<size_t>(input)]});
  }
  if (is_mean) body("result", "Div", {current, body.scalar_like(inputs, names[0], "count")});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Of two at a time, where a runtime takes no more.",
          .source = source,
          .turn = RuleTurn::last_resort,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("Max", "ONNX Max-13"), rule_for("Mean", "ONNX Mean-13"),
                            rule_for("Min", "ONNX Min-13"), rule_for("Sum", "ONNX Sum-13")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_two_at_a_time
