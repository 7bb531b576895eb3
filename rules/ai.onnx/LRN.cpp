// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Y = X * (bias + alpha * s)^-beta, where s is the mean of the squares around an element. With 1
// for the bias, which more runtimes take than any other, that is
//
//     Y = bias^-beta * X * (1 + alpha / bias * s)^-beta

#include <cmath>
#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_LRN {
namespace {

Lowering lower(const CallSite& site) {
  const double bias = site.attribute_float("bias", 1.0F), beta = site.attribute_float("beta", 0.75F),
               alpha = site.attribute_float("alpha", 1e-4F);
  if (bias == 1 || !(bias > 0)) return Declined{"its bias is 1, or not above 0"};
  Body body("ai.onnx", "LRN", {"X"}, {"Y"}, site.own_opset());
  body("normal", "LRN", {"X"}, {{"alpha", alpha / bias}, {"beta", beta}, {"bias", 1.0}});
  body.copy_attributes(site, {"size"}, "LRN");
  body("Y", "Mul", {"normal", body.scalar_like(std::pow(bias, -beta), "X", "factor")});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "LRN",
                      .summary = "With a bias of 1.",
                      .source = "ONNX LRN-13",
                      .attributes = "alpha, beta, bias, size",
                      .required_attributes = "size",
                      .makes_it_anew = true,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_LRN
