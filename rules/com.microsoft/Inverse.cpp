// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/elimination.h"

namespace onnx_lower::native_rules::com_microsoft_Inverse {
namespace {

// Y solves X Y = 1: by elimination, with the unit matrix beside the matrices.
Lowering lower(const CallSite& site) {
  const int64_t n = need_size_of_matrices(site, 0);
  Body body("com.microsoft", "Inverse", {"X"}, {"Y"}, 15);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  std::vector<int64_t> unit(n * n, 0);
  for (int64_t row = 0; row < n; ++row) unit[row * n + row] = 1;
  body.constant("unit_numbers", tensor_of(onnx::TensorProto::INT64, {n, n}, unit));
  body("unit", "CastLike", {"unit_numbers", "X"});
  body("zeros", "Sub", {"X", "X"});
  body("units", "Add", {"zeros", "unit"});
  eliminate(body, "X", "units", n, "Y");
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "Inverse",
                      .summary = "The inverses of small matrices of a known size, by elimination with pivoting.",
                      .source = "ONNX Runtime's contrib operator Inverse, aten::linalg_inv(Tensor A) -> Tensor",
                      .also = "aten::linalg_inv, aten::inverse",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_Inverse
