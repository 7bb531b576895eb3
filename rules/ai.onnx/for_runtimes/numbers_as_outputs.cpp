// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Scalars that are outputs of the model, for a runtime that gives the results of these operators a
// dimension: a Squeeze takes it away.

#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_numbers_as_outputs {
namespace {

Lowering lower(const CallSite& site) {
  const int inputs = site.node().input_size();
  for (int input = 0; input < inputs; ++input) {
    // A runtime that refuses inputs with dimensions has another reason.
    if (site.rank(input) != 0) return Declined{"it has an input with dimensions", {}, true};
  }
  const std::string_view op_type = site.node().op_type();
  Body body("ai.onnx", op_type, first_names({"input", "other"}, inputs), {"output"}, 13);
  body("number", op_type, first_names({"input", "other"}, inputs));
  const std::string row = body.unsqueeze("number", {0}, "row");
  body.constant("first", Ints{0});
  body("output", "Squeeze", {row, "first"});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "An output of the model without dimensions, for a runtime that gives it one.",
          .source = source,
          .turn = RuleTurn::last_resort,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("Abs", "ONNX Abs-13"),   rule_for("Div", "ONNX Div-13"),
                            rule_for("Exp", "ONNX Exp-13"),   rule_for("Log", "ONNX Log-13"),
                            rule_for("Neg", "ONNX Neg-13"),   rule_for("Pow", "ONNX Pow-13"),
                            rule_for("Sqrt", "ONNX Sqrt-13"), rule_for("Sub", "ONNX Sub-13")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_numbers_as_outputs
