// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A TensorProto read on the wire: its header, and whether its data fit.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model_file/model.h"

namespace onnx_lower {

struct TensorFacts {
  std::string_view name;
  int32_t data_type = 0;
  std::vector<int64_t> dims;
  uint64_t element_count = 1;  // product of dims
  uint64_t byte_size = 0;      // of the elements as raw data; 0 for strings
  bool external = false;
  ExternalData external_data;
};

// Reads everything but the elements. Throws MalformedMessage when the message is broken, when its
// element type does not exist, when the number of its elements is not what its shape says, and says
// so with both figures, or when they are not where elements of this type are, or there twice.
TensorFacts read_tensor_facts(Bytes tensor);

// The tensor that is the attribute `value` of a Constant node, of which `node` is the NodeProto;
// nothing when its value is said in another way.
std::optional<TensorFacts> tensor_of_constant(Bytes node);

// TensorProto.DataType of what a Constant node makes, of which `node` is the NodeProto; 0 when that
// is no tensor, or a reference in a function.
int32_t element_type_of_constant(Bytes node);

// Bits that one element takes in raw data; 0 for strings and unknown types.
int bits_per_element(int32_t data_type);

}  // namespace onnx_lower
