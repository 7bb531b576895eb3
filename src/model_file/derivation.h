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

#include "model_file/tensor_skeleton.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The elements of a tensor of the input, taken for a matrix or for several (see StoredMatrix), are
// transposed, and may become bytes. A matrix of one row stays in its order.
struct Derivation {
  uint64_t tensor_offset = 0;  // where the TensorProto of the source stands in the input
  uint64_t tensor_size = 0;
  uint64_t bits = 8;
  uint64_t rows = 0;
  uint64_t columns = 0;
  uint64_t row_bytes = 0;
  uint64_t flipped = 0;
  uint64_t first_row = 0;  // of the rows that are transposed
  uint64_t widened = 0;    // 0 or 1, as is has_sign
  uint64_t has_sign = 0;
  uint64_t matrices = 1;

  auto operator<=>(const Derivation&) const = default;
};

// Gives a tensor, which has its type and dimensions, elements that are derived.
void set_derivation(onnx::TensorProto& tensor, const Derivation& derivation);
bool is_derived(const onnx::TensorProto& tensor);
// How the elements of the tensor are derived; nothing where they are not.
std::optional<Derivation> derivation_of(const TensorFacts& tensor);

}  // namespace onnx_lower
