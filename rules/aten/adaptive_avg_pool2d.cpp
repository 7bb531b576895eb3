// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_adaptive_avg_pool2d {
namespace {

// The matrix, row by row, whose product with a vector of `from` numbers is that of their `to` means: number i is that of [floor(i from / to), ceil((i + 1) from / to)).
std::vector<double> means(int64_t from, int64_t to) {
  std::vector<double> matrix(list_size({from, to}));
  for (int64_t row = 0; row < to; ++row) {
    const int64_t begin = row * from / to, end = ((row + 1) * from + to - 1) / to;
    for (int64_t column = begin; column < end; ++column)
      matrix[static_cast<size_t>(row * from + column)] = 1.0 / static_cast<double>(end - begin);
  }
  return matrix;
}

// Rows and columns are averaged one after the other, which two matrix products do for whatever sizes.
Lowering lower(const CallSite& site) {
  const Ints size = site.need_sizes(1, 2);
  const int64_t height = site.need_dim(0, -2), width = site.need_dim(0, -1);
  const int64_t rows = size[0], columns = size[1];
  if (rows <= 0 || columns <= 0 || height <= 0 || width <= 0) return Declined{"the image, or the output, is empty"};
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
