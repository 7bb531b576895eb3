// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/activation.h"

namespace onnx_lower::native_rules::com_microsoft_FusedGemm {
namespace {

// Y = activation(alpha * A' * B' + beta * C), where A' and B' may be transposed
Lowering lower(const CallSite& site) {
  Body body("com.microsoft", "FusedGemm", first_names({"A", "B", "C"}, site.input_count()), {"Y"}, 20);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  body("matrix", "Gemm", {"A", "B", site.has_input(2) ? "C" : ""});
  const std::string activation = site.attribute_string("activation", "");
  append_activation(body, activation, single_activation_parameters(site, activation), "matrix", "Y");
  body.copy_attributes(site, {"alpha", "beta", "transA", "transB"}, "Gemm");
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "FusedGemm",
    .summary = "activation(alpha * A * B + beta * C).",
    .source = "ONNX Runtime's contrib operator FusedGemm",
    .attributes = "alpha, beta, transA, transB, activation, activation_alpha, activation_beta, activation_gamma",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_FusedGemm
