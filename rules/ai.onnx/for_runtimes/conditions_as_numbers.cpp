// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// An If whose condition is a number without dimensions, for runtimes that take no condition of
// several dimensions, as a comparison of values of shape [1, 1] gives one.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_conditions_as_numbers {
namespace {

Lowering lower(const CallSite& site) {
  if (site.need_rank(0) == 0) return Declined{"its condition has no dimensions", {}, true};
  std::string names;
  for (const std::string_view branch : {"then_branch", "else_branch"}) {
    if (!site.attribute(branch)->has_g()) return Declined{fmt::format("its {} is no graph", branch)};
    names += site.attribute(branch)->g().SerializeAsString();
  }
  // What the branches use from outside goes by names of the model, of which none may be one of
  // these.
  std::string prefix = "if/";
  while (names.find(prefix) != std::string::npos) prefix += '/';
  std::vector<std::string> outputs;
  for (int i = 0; i < site.output_count(); ++i) outputs.push_back(fmt::format("{}made{}", prefix, i));
  const std::string given = prefix + "given";
  Body body("ai.onnx", "If", {given}, outputs, static_cast<int>(site.own_opset()));
  const std::string condition = body.reshape(given, {}, prefix + "condition");
  body.node(outputs, "If", {condition});
  for (const std::string_view branch : {"then_branch", "else_branch"})
    body.add_attribute("If", {branch, site.attribute(branch)->g()});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "If",
                      .summary = "With a condition that has no dimensions.",
                      .source = "ONNX If-13",
                      .attributes = "then_branch, else_branch",
                      .required_attributes = "then_branch, else_branch",
                      .turn = RuleTurn::last_resort,
                      .makes_it_anew = true,
                      .inputs = "cond",
                      .needed_inputs = 1,
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_conditions_as_numbers
