// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reads a TensorProto without parsing its elements, and checks that its data fit.
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
  uint64_t element_count = 1;  // the product of dims
  uint64_t byte_size = 0;      // of the elements as raw data; 0 for strings
  bool external = false;
  ExternalData external_data;
};

// Reads everything but the elements. Throws MalformedMessage when the message is broken, when the
// element type does not exist, when the number of elements is not what the shape says (the message
// has both numbers), or when the elements are in the wrong field, or in two fields.
TensorFacts read_tensor_facts(Bytes tensor);

// The TensorProto in the attribute `value` of a Constant node whose NodeProto is `node`; empty when
// the node's value is in another attribute.
Bytes wire_of_constant(Bytes node);
// The tensor in the attribute `value` of a Constant node whose NodeProto is `node`; nothing when
// the node's value is in another attribute.
std::optional<TensorFacts> tensor_of_constant(Bytes node);

// The TensorProto.DataType of the output of a Constant node whose NodeProto is `node`; 0 when that
// is no tensor, or when the attribute is a reference in a function.
int32_t element_type_of_constant(Bytes node);

// How many bits an element takes in raw data; 0 for strings and unknown types.
int bits_per_element(int32_t data_type);

}  // namespace onnx_lower
