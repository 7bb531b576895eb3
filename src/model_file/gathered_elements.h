// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Gathers the elements of a tensor one by one from where a derivation says that they lie: for
// orders in which no matrix is transposed (transposed_matrix.h), as that of codes whose places
// within a word are permuted.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model_file/derivation.h"
#include "model_file/input_file.h"
#include "model_file/wire.h"

namespace onnx_lower {

struct GatheredElements {
  Bytes bytes = {};                 // that the elements are read from
  const InputFile* file = nullptr;  // the mapped file in which the bytes lie, if they do
  Derivation how = {};

  // Whether each element lies within the bytes, and none of less than 8 bits in two of them.
  bool lie_within() const;
};

// How many bits each value of a number with these digits lies behind the first one.
std::vector<int64_t> offsets_of(const std::vector<Step>& digits);

// Whether the rows are elements of words, which are gathered faster so than as transposed matrices.
bool has_rows_of_words(const Derivation& how);

// The size in bytes of all elements, which stand one behind another as those of a tensor do.
uint64_t gathered_size(const GatheredElements& elements);

// Calls `take` with the bytes of the elements, block after block. The memory that this needs is 8
// bytes for each row and column, and a few rows.
void gather(const GatheredElements& elements, const std::function<void(Bytes)>& take);

}  // namespace onnx_lower
