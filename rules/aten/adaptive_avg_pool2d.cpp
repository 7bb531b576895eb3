// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/adaptive_pool.h"

namespace onnx_lower::native_rules::aten_adaptive_avg_pool2d {
namespace {

// The matrix, row by row, whose product with a vector of `from` numbers is that of their `to`
// means: number i is that of part i.
std::vector<double> means(int64_t from, int64_t to) {
  std::vector<double> matrix(list_size({from, to}));
  for (int64_t row = 0; row < to; ++row) {
    const auto [begin, end] = adaptive_part(row, from, to);
    for (int64_t column = begin; column < end; ++column)
      matrix[static_cast<size_t>(row * from + column)] = 1.0 / static_cast<double>(end - begin);
  }
  return matrix;
}

// Rows and columns are averaged one after the other, which two matrix products do for whatever
// sizes.
Lowering lower(const CallSite& site) {
  const auto [height, width, rows, columns] = need_adaptive_grid(site);
  Body body("aten", "adaptive_avg_pool2d", {"x", "output_size"}, {"y"}, 18);
  body.constant_like("of_columns", tensor_of(onnx::TensorProto::DOUBLE, {columns, width}, means(width, columns)), "x");
  body("turned", "Transpose", {"of_columns"}, {{"perm", Ints{1, 0}}});
  body("narrow", "MatMul", {"x", "turned"});
  body.constant_like("of_rows", tensor_of(onnx::TensorProto::DOUBLE, {rows, height}, means(height, rows)), "x");
  body("y", "MatMul", {"of_rows", "narrow"});
  return body.function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "adaptive_avg_pool2d",
                      .summary = "The means of a grid of given size over images of known size.",
                      .source = "aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
                      .inputs = "x, output_size",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_adaptive_avg_pool2d
