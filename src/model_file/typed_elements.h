// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Tensors whose elements lie in the fields of their types, as int32_data, and not in raw_data.
#pragma once

#include <cstdint>

#include "model_file/model.h"

namespace onnx_lower {

// Whether a set of element types has one of them: bit N is TensorProto.DataType N.
constexpr bool is_among(uint64_t element_types, uint64_t element_type) {
  return element_type < 64 && (element_types >> element_type & 1) != 0;
}

// Whether the model has such tensors of one of the element types: bit N stands for
// TensorProto.DataType N. Most models have none of the few types that are asked about, and this
// takes far less time than to look for the tensors of a whole message. Sparse tensors are not
// looked at.
bool has_typed_elements(const Model& model, uint64_t element_types);

// Whether a node that we wrote ourselves may hold a tensor of one of the element types, which is
// two bytes then. It is seldom wrong, and takes a tenth of the time of reading the node.
bool may_hold_tensor_of(Bytes made, uint64_t element_types);

}  // namespace onnx_lower
