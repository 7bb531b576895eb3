// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Tensors whose elements are computed, while the model is written, from those of a tensor of the
// input. A rule makes such a tensor where a runtime wants weights in another order than the model
// has them in. Until the model is written nobody looks at the weights: the tensor has external
// data, at a location that no model can name and that says how the elements are computed.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "model_file/tensor_skeleton.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// A digit of an element's row or column: of so many values, each of which lies `stride` bits behind
// the one before it.
struct Step {
  uint64_t count = 0;
  int64_t stride = 0;

  auto operator<=>(const Step&) const = default;
};

// Each element of the result is read from `bits` bits of a tensor of the input, the lowest bits of
// its bytes first. The result is taken for a matrix. The row of an element is a number whose digits
// are `rows`, the most significant one first, and its column one whose digits are `columns`: the
// element lies so many bits behind `first_bit` as its digits, each times its stride, make together.
struct Derivation {
  uint64_t tensor_offset = 0;  // where the TensorProto of the source stands in the input
  uint64_t tensor_size = 0;
  uint64_t bits = 8;  // 2, 4, 8, 16 or 32
  uint64_t first_bit = 0;
  std::vector<Step> rows = {}, columns = {};
  // Of elements of at most 8 bits: what is added to each, of which the lowest bits are kept, and
  // the bits that are inverted then.
  uint64_t added = 0;
  uint64_t flipped = 0;
  // Elements of less than 8 bits become bytes, of integers with a sign or without.
  bool widened = false;
  bool has_sign = false;

  auto operator<=>(const Derivation&) const = default;
};

// A tensor as matrices of one size, one behind another, each of which is transposed: then the rows
// of the result are the columns of all matrices. A matrix of one row stays in its order.
struct StoredMatrices {
  uint64_t rows = 0;
  uint64_t columns = 0;
  uint64_t row_bytes = 0;  // from one row to the next
  uint64_t matrices = 1;
  uint64_t first_row = 0;  // of the rows that are transposed
};

// Sets where the elements of the transposed matrices lie; `bits` has to be set before.
void set_transposed(Derivation& derivation, const StoredMatrices& matrices);
// The matrices that were set, or that mean the same; nothing for other places of elements.
std::optional<StoredMatrices> transposed_matrices(const Derivation& derivation);

// Gives a tensor, which has its type and dimensions, elements that are derived.
void set_derivation(onnx::TensorProto& tensor, const Derivation& derivation);
bool is_derived(const onnx::TensorProto& tensor);
// How the elements of the tensor are derived; nothing where they are not.
std::optional<Derivation> derivation_of(const TensorFacts& tensor);

}  // namespace onnx_lower
