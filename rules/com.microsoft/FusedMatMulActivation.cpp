// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/activation.h"
#include "families/fused_mat_mul.h"

namespace onnx_lower::native_rules::com_microsoft_FusedMatMulActivation {
namespace {

// Y = activation(alpha * A' * B'), where A' and B' may be transposed
Lowering lower(const CallSite& site) {
  Body body("com.microsoft", "FusedMatMulActivation", {"A", "B"}, {"Y"}, 20);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  append_fused_mat_mul(site, body, "matrix");
  const std::string activation = site.attribute_string("activation", "");
  append_activation(body, activation, single_activation_parameters(site, activation), "matrix", "Y");
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "FusedMatMulActivation",
                      .summary = "activation(alpha * A * B), with either matrix transposed.",
                      .source = "ONNX Runtime's contrib operator FusedMatMulActivation",
                      .attributes =
                          "alpha, transA, transB, transBatchA, transBatchB, activation, activation_alpha, "
                          "activation_beta, activation_gamma",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_FusedMatMulActivation
