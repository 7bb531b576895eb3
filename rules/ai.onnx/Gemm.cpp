// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Gemm {
namespace {

// Y = alpha * Transpose(A) * B + beta * C, for a runtime whose Gemm does not transpose its
// first matrix.
Lowering lower(const CallSite& site) {
  if (site.attribute_int("transA", 0) == 0) return Declined{"its first matrix is not transposed", {}, true};
  const std::vector<std::string> inputs = first_names({"A", "B", "C"}, site.node().input_size());
  Body body("ai.onnx", "Gemm", inputs, {"Y"}, site.own_opset());
  std::vector<std::string> taken = inputs;
  taken[0] = body.transpose("A", {1, 0});
  body("Y", "Gemm", taken);
  body.copy_attributes(site, {"alpha", "beta", "transB"}, "Gemm");
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Gemm",
                      .summary = "With a Transpose of its first matrix in the place of transA.",
                      .source = "ONNX Gemm-13",
                      .attributes = "alpha, beta, transA, transB",
                      .turn = RuleTurn::last_resort,
                      .makes_it_anew = true,
                      .needed_inputs = 2,
                      .most_inputs = 3,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Gemm
