// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_linalg_matrix_power {
namespace {

// y = x ** n by repeated squares, so that a power takes two products for each of its binary digits
// at most.
Lowering lower(const CallSite& site) {
  const int64_t power = site.need_number(1, 1);
  constexpr int64_t largest = 1 << 20;
  if (power < -largest || power > largest) return Declined{fmt::format("the power is {}", power)};
  const int rank = site.need_rank(0);
  if (rank < 2) return Declined{"input 0 is no matrix"};
  Body body("aten", "linalg_matrix_power", {"x", "n"}, {"y"}, 18);
  if (power == 0) {
    const int64_t size = site.need_dim(0, -1);
    Ints unit(list_size({size, size}), 0);
    for (int64_t row = 0; row < size; ++row) unit[static_cast<size_t>(row * size + row)] = 1;
    body.constant_like("unit", tensor_of(onnx::TensorProto::INT64, {size, size}, unit), "x");
    body("shape", "Shape", {"x"});
    body("y", "Expand", {"unit", "shape"});
    return body.function();
  }
  std::string square = "x", product;
  if (power < 0) {
    body.import("aten", 1);
    square = body.made("inverse", "aten.linalg_inv", {"x"});
  }
  for (int64_t rest = power < 0 ? -power : power; rest > 0; rest /= 2) {
    if (rest % 2 != 0) product = product.empty() ? square : body.made("product", "MatMul", {product, square});
    if (rest > 1) square = body.made("square", "MatMul", {square, square});
  }
  body("y", "Identity", {product});
  return body.function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "linalg_matrix_power",
                      .summary = "The product of a matrix n times with itself, or of its inverse for a negative n.",
                      .source = "aten::linalg_matrix_power(Tensor self, int n) -> Tensor, and matrix_power",
                      .also = "aten::matrix_power",
                      .inputs = "x, n",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_linalg_matrix_power
