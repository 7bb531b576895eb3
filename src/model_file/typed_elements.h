// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Tensors whose elements lie in fields for their type, such as int32_data, and not in raw_data.
#pragma once

#include <cstdint>

#include "model_file/model.h"

namespace onnx_lower {

// Whether a set of element types contains one: bit N stands for TensorProto.DataType N.
constexpr bool is_among(uint64_t element_types, uint64_t element_type) {
  return element_type < 64 && (element_types >> element_type & 1) != 0;
}

// Whether the elements of a TensorProto lie in raw_data.
bool has_raw_data(Bytes tensor);

// Whether the model has tensors of one of the element types whose elements lie in typed fields. Bit
// N of `element_types` stands for TensorProto.DataType N. Most models have none of the few types
// that are asked about, and this takes far less time than to visit every tensor of the model.
// Sparse tensors are not looked at.
bool has_typed_elements(const Model& model, uint64_t element_types);

// Whether a node that was made here, whose bytes are `made`, may hold a tensor of one of the
// element types. It looks for the two bytes that say such a type, which is seldom wrong and takes a
// tenth of the time of reading the node.
bool may_hold_tensor_of(Bytes made, uint64_t element_types);

}  // namespace onnx_lower
