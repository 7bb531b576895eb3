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

// What is larger is data, and neither read nor made.
constexpr size_t largest_known_tensor = 1024;  // bytes

struct KnownTensor {
  int element_type = 0;  // TensorProto.DataType, one of which element_width() is not 0
  std::vector<int64_t> dims;
  // In the order of their linear index; nothing where an element is not known, as a dimension that
  // only a run decides. A signed integer is its value, any other element its bits with zeros before
  // them. What moves elements treats all types alike.
  std::vector<std::optional<int64_t>> elements;

  bool is_known() const;  // all of it
};

// Bytes of an element; 0 for types that are not looked at: strings, complex numbers, and elements
// smaller than a byte.
size_t element_width(int element_type);

bool is_signed_integer(int element_type);
bool is_integer(int element_type);  // signed or not, and not bool
bool is_integer_or_bool(int element_type);

// The number that an element of type FLOAT or DOUBLE is.
bool is_float_or_double(int element_type);
double number_of(int64_t element, int element_type);
// As one of these, rounded where it has to be.
int64_t element_of_number(double number, int element_type);

// An integer as the type holds it: the bits that it has room for.
int64_t wrapped(int64_t value, int element_type);

// How many elements a tensor of that shape has; nothing if that is more than is known of any, or if
// a dimension is negative.
std::optional<size_t> known_element_count(std::span<const int64_t> dims, int element_type);

// Nothing for a tensor that is too large, whose data lie elsewhere, or are not as its shape says.
std::optional<KnownTensor> known_tensor(const onnx::TensorProto& tensor);

// Of a tensor that is wholly known.
onnx::TensorProto tensor_of(const KnownTensor& known);

}  // namespace onnx_lower
