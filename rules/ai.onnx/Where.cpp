// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Where {
namespace {

// where(condition, X, Y) = where(not condition, Y, X), for runtimes that broadcast one of the two
// values wrongly, and not the other.
Lowering lower(const CallSite& site) {
  Body body("ai.onnx", "Where", {"condition", "X", "Y"}, {"output"}, site.own_opset());
  body("otherwise", "Not", {"condition"});
  body("output", "Where", {"otherwise", "Y", "X"});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Where",
                      .summary = "The two inputs in each other's place, where the condition does not hold.",
                      .source = "ONNX Where-16",
                      .turn = RuleTurn::last_resort,
                      .makes_it_anew = true,
                      .inputs = "condition, X, Y",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Where
