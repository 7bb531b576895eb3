// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "library/matrix_product.h"

#include <cstring>
#include <initializer_list>

// GCC warns of passing vectors between functions; these functions are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace onnx_lower::kernels {
namespace {

template <typename R>
struct Vector {
  using Type __attribute__((vector_size(32))) = R;
};

template <typename R, int Rows>
[[gnu::always_inline]] inline void add_rows(const R* rows, int64_t stride, const R* columns, int64_t depth, R* total) {
  using V = typename Vector<R>::Type;
  constexpr int64_t lanes = sizeof(V) / sizeof(R);
  static_assert(kTileColumns<R> == 2 * lanes);
  V sum[Rows][2] = {};
  for (int64_t k = 0; k < depth; ++k) {
    V left, right;
    std::memcpy(&left, columns + k * kTileColumns<R>, sizeof left);
    std::memcpy(&right, columns + k * kTileColumns<R> + lanes, sizeof right);
    for (int row = 0; row < Rows; ++row) {
      const R factor = rows[row * stride + k];
      sum[row][0] += factor * left;
      sum[row][1] += factor * right;
    }
  }
  for (int row = 0; row < Rows; ++row) {
    for (int64_t half : {0, 1}) {
      R* to = total + row * kTileColumns<R> + half * lanes;
      for (int64_t i = 0; i < lanes; ++i) to[i] += sum[row][half][i];
    }
  }
}

template <typename R>
[[gnu::always_inline]] inline void add(const R* rows, int64_t stride, int64_t row_count, const R* columns,
                                       int64_t depth, R* total) {
  if (row_count == kTileRows) return add_rows<R, kTileRows>(rows, stride, columns, depth, total);
  for (int64_t row = 0; row < row_count; ++row)
    add_rows<R, 1>(rows + row * stride, stride, columns, depth, total + row * kTileColumns<R>);
}

#ifdef __x86_64__
[[gnu::target("avx2")]] void add_with_avx2(const float* rows, int64_t stride, int64_t row_count, const float* columns,
                                           int64_t depth, float* total) {
  add(rows, stride, row_count, columns, depth, total);
}

[[gnu::target("avx2")]] void add_with_avx2(const double* rows, int64_t stride, int64_t row_count, const double* columns,
                                           int64_t depth, double* total) {
  add(rows, stride, row_count, columns, depth, total);
}

const bool has_avx2 = __builtin_cpu_supports("avx2");
#endif

}  // namespace

template <typename R>
void add_product(const R* rows, int64_t stride, int64_t row_count, const R* columns, int64_t depth, R* total) {
#ifdef __x86_64__
  if (has_avx2) return add_with_avx2(rows, stride, row_count, columns, depth, total);
#endif
  add(rows, stride, row_count, columns, depth, total);
}

template void add_product(const float*, int64_t, int64_t, const float*, int64_t, float*);
template void add_product(const double*, int64_t, int64_t, const double*, int64_t, double*);

}  // namespace onnx_lower::kernels
