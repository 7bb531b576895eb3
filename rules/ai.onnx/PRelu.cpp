// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Y = where(X < 0, slope * X, X). A list of slopes goes along the last axis; it gets one more
// dimension here, for a runtime that takes a list for slopes of the channels.

#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_PRelu {
namespace {

Lowering lower(const CallSite& site) {
  if (site.rank(1) != 1) return Declined{"its slopes are no list", {}, true};
  Body body("ai.onnx", "PRelu", {"X", "slope"}, {"Y"}, site.own_opset());
  const std::string row = body.unsqueeze("slope", {0}, "slopes");
  body("Y", "PRelu", {"X", row});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "PRelu",
                      .summary = "With slopes of two dimensions in the place of a list.",
                      .source = "ONNX PRelu-16",
                      .makes_it_anew = true,
                      .inputs = "X, slope",
                      .needed_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_PRelu
