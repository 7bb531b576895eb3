// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A small tensor whose elements are known before the model runs, all of them or some.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// Larger tensors are data: they are neither read nor computed.
constexpr size_t largest_known_tensor = 1024;  // bytes

struct KnownTensor {
  int element_type = 0;  // TensorProto.DataType; element_width() of it is not 0
  std::vector<int64_t> dims;
  // The elements in linear order; nothing for an element that is not known, such as a
  // dimension that is only known when the model runs. A signed integer is stored as its value,
  // any other element as its bits with zeros above them, so that code which moves elements
  // treats all types alike.
  std::vector<std::optional<int64_t>> elements;

  bool is_known() const;  // whether all elements are known
};

// The size of an element in bytes; 0 for types that are not supported: strings, complex numbers,
// and elements smaller than a byte.
size_t element_width(int element_type);

bool is_signed_integer(int element_type);
bool is_integer(int element_type);  // signed or not, and not bool
bool is_integer_or_bool(int element_type);

// The number that an element of type FLOAT, DOUBLE, FLOAT16 or BFLOAT16 is.
bool is_float_or_double(int element_type);
double number_of(int64_t element, int element_type);
// A number as an element of type FLOAT or DOUBLE, rounded if necessary.
int64_t element_of_number(double number, int element_type);
// The same for the result of one operation on two such elements that was computed in double: a
// float comes out as if it had been rounded once, since a double has more than twice its digits.
// Nothing where the result is infinite or NaN.
std::optional<int64_t> element_of_result(double number, int element_type);

// An integer wrapped around to the range of the type.
int64_t wrapped(int64_t value, int element_type);

// How many elements a tensor of that shape has; nothing if it would be larger than known tensors
// may be, or if a dimension is negative.
std::optional<size_t> known_element_count(std::span<const int64_t> dims, int element_type);

// Nothing for a tensor that is too large, has external data, or has data that do not fit its shape.
std::optional<KnownTensor> known_tensor(const onnx::TensorProto& tensor);

// `known` must have all its elements.
onnx::TensorProto tensor_of(const KnownTensor& known);

}  // namespace onnx_lower
