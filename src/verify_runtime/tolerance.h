// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// When two tensors count as the same numbers.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "verify/comparison.h"

namespace onnx_lower::verify_runtime {

// The elements of a tensor as ONNX Runtime holds them.
struct Elements {
  int element_type = 0;  // TensorProto.DataType
  const void* data = nullptr;
  size_t count = 0;
};

// The name that ONNX's textual syntax has for the element type.
std::string element_type_name(int element_type);

// How many bytes an element takes; 0 for strings and for types of which two share a byte.
size_t element_size(int element_type);

// What an element may differ by, as a part of its size, or of the median size of the tensor's
// elements that are not 0 where that is larger: what is left when larger numbers cancel out has
// their error. The number follows from the element type, whose numbers have p binary places: every
// operator rounds, and errors that are independent add up as the root of their number. For float
// and double it is 1,024 times 2^-p (a million roundings, those in sums included). Of the types of
// 16 bits, runtimes compute in float and round what a node makes, so that there are as many
// roundings as nodes on a way through the model: 16 times 2^-p for float16, 8 times for bfloat16.
// It is 0 for integers, booleans, strings and types of 8 bits and less.
double tolerance_of(int element_type);

// Adds to `difference` how `output` differs from `original`, which have one type and as many
// elements. NaN equals NaN, an infinity equals itself, and -0 equals 0.
void compare(const Elements& original, const Elements& output, bool holds_codes, ValueDifference& difference);

// The same of strings.
void compare(std::span<const std::string> original, std::span<const std::string> output, ValueDifference& difference);

}  // namespace onnx_lower::verify_runtime
