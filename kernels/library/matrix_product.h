// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The inner part of a matrix product, in the widest registers that the processor has.
#pragma once

#include <cstdint>

namespace onnx_lower::kernels {

// A tile of the product: as many rows and columns as registers hold.
inline constexpr int64_t kTileRows = 4;
template <typename R>
inline constexpr int64_t kTileColumns = 64 / sizeof(R);

// Adds to `total`, [kTileRows, kTileColumns], the product of `row_count` rows of `depth` numbers,
// which lie `stride` apart, and of `columns`, [depth, kTileColumns]. The sums over `depth` are made
// for themselves before they are added, so that fewer roundings pile up.
// R is float or double. The result is the same whatever the processor: products are not fused.
template <typename R>
void add_product(const R* rows, int64_t stride, int64_t row_count, const R* columns, int64_t depth, R* total);

}  // namespace onnx_lower::kernels
