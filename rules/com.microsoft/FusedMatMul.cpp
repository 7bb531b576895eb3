// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/fused_mat_mul.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::com_microsoft_FusedMatMul {
namespace {

Lowering lower(const CallSite& site) {
  Body body("com.microsoft", "FusedMatMul", {"A", "B"}, {"Y"}, 18);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  append_fused_mat_mul(site, body, "Y");
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "FusedMatMul",
                      .summary = "alpha * A * B, with either matrix transposed.",
                      .source = "ONNX Runtime's contrib operator FusedMatMul, and TransposeMatMul, its older name",
                      .also = "com.microsoft::TransposeMatMul",
                      .attributes = "alpha, transA, transB, transBatchA, transBatchB",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_FusedMatMul
