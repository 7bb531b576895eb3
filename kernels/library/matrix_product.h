// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The inner part of a matrix product, in the widest registers that the processor has.
#pragma once

#include <cstdint>

namespace onnx_lower::kernels {

// The size of a tile of the product, which is what fits into the registers.
inline constexpr int64_t kTileRows = 4;
template <typename R>
inline constexpr int64_t kTileColumns = 64 / sizeof(R);

// Adds to `total`, [kTileRows, kTileColumns], the product of `row_count` rows of `depth` numbers,
// which lie `stride` apart, and of `columns`, [depth, kTileColumns]. The sums over `depth` are
// computed separately before they are added, so that fewer roundings add up. R is float or double.
// The result is the same on every processor: products are not fused with sums.
template <typename R>
void add_product(const R* rows, int64_t stride, int64_t row_count, const R* columns, int64_t depth, R* total);

}  // namespace onnx_lower::kernels
