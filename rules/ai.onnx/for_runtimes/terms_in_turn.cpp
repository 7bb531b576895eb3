// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// erf(x) + 1 as 1 + erf(x), for MNN, which takes torch's x * (erf(x / sqrt(2)) + 1) * 0.5 for the
// Gelu that is approximated with tanh, and with the terms in this order computes what it says.

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_terms_in_turn {
namespace {

Lowering lower(const CallSite& site) {
  if (!site.is_made_by(0, "Erf")) return Declined{"its first term is not made by an Erf", {}, true};
  Body body("ai.onnx", "Add", {"A", "B"}, {"C"}, 13);
  body("C", "Add", {"B", "A"});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Add",
                      .summary = "With the second term first, for a runtime that joins it wrongly with others.",
                      .source = "ONNX Add-14",
                      .turn = RuleTurn::last_resort,
                      .makes_it_anew = true,
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_terms_in_turn
