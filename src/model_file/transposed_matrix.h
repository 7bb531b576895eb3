// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Transposes a matrix whose elements may be smaller than a byte, and may give each of them a byte
// of its own.
#pragma once

#include <cstdint>
#include <functional>

#include "model_file/input_file.h"
#include "model_file/wire.h"

namespace onnx_lower {

// Each row begins at a byte of its own. Elements of less than 8 bits stand in a byte from its
// lowest bits on. There may be several matrices, one behind another, each of which is transposed:
// the elements of all but the last make whole bytes.
struct StoredMatrix {
  Bytes bytes = {};
  const InputFile* file = nullptr;  // the mapped file in which the bytes lie, if they do
  uint64_t bits = 8;                // of an element: 2, 4, 8, 16 or 32
  uint64_t rows = 0;
  uint64_t columns = 0;
  uint64_t row_bytes = 0;  // from one row to the next
  uint64_t flipped = 0;    // the bits of an element, of at most 8, that are inverted in the result
  // Elements of less than 8 bits become bytes in the result, of integers with a sign or without.
  bool widened = false;
  bool has_sign = false;
  uint64_t matrices = 1;

  bool has_all_rows() const;
};

// The size in bytes of the transposed matrices, whose elements stand one behind another as those of
// a tensor do, without a gap between the rows.
uint64_t transposed_size(const StoredMatrix& matrix);

// Calls `take` with the bytes of the transposed matrices, block after block. The memory that this
// needs does not grow with the size of the matrix: it is 64 bytes for each row, or a MiB.
void transpose(const StoredMatrix& matrix, const std::function<void(Bytes)>& take);

}  // namespace onnx_lower
