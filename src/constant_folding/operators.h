// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The operators that can be computed, by kind: each kind is in a file of its own.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "constant_folding/evaluate.h"

namespace onnx_lower {

std::span<const Evaluator> elementwise_evaluators();
std::span<const Evaluator> movement_evaluators();
std::span<const Evaluator> reduction_evaluators();
std::span<const Evaluator> shape_evaluators();  // and those that make tensors from shapes

using Element = std::optional<int64_t>;  // of KnownTensor::elements

// Whether an element, as KnownTensor stores it, is less than another.
inline bool is_less(int64_t a, int64_t b, int element_type) {
  if (is_float_or_double(element_type)) return number_of(a, element_type) < number_of(b, element_type);
  if (element_type == onnx::TensorProto::UINT64) return static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
  return a < b;
}

inline bool is_nan(int64_t element, int element_type) {
  return is_float_or_double(element_type) && std::isnan(number_of(element, element_type));
}

// Combines two elements; nothing where the operation has no result.
using Combine = Element (*)(int64_t a, int64_t b, int element_type);

// An operation on two floats or doubles, whose result is rounded once.
template <typename Compute>
Element computed(int64_t a, int64_t b, int element_type, const Compute& compute) {
  return element_of_result(compute(number_of(a, element_type), number_of(b, element_type)), element_type);
}

inline Element sum(int64_t a, int64_t b, int element_type) {
  if (is_float_or_double(element_type)) return computed(a, b, element_type, std::plus<>());
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
inline Element product(int64_t a, int64_t b, int element_type) {
  if (is_float_or_double(element_type)) return computed(a, b, element_type, std::multiplies<>());
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// One of two elements; nothing where runtimes choose differently: of NaN, and of the two zeros.
template <bool is_least>
Element chosen(int64_t a, int64_t b, int element_type) {
  const bool a_is_less = is_less(a, b, element_type);
  const bool b_is_less = is_less(b, a, element_type);
  if (!a_is_less && !b_is_less) return a == b && !is_nan(a, element_type) ? Element(a) : std::nullopt;
  return a_is_less == is_least ? a : b;
}
inline Element least(int64_t a, int64_t b, int element_type) { return chosen<true>(a, b, element_type); }
inline Element greatest(int64_t a, int64_t b, int element_type) { return chosen<false>(a, b, element_type); }

// The element as an integer, if it is a whole number that all types involved hold, so that no sum
// of such numbers is rounded on the way. Nothing for a zero with a minus sign.
std::optional<int64_t> whole_number(int64_t element, int element_type);

inline Evaluated single(KnownTensor tensor) {
  std::vector<KnownTensor> outputs;
  outputs.push_back(std::move(tensor));
  return outputs;
}
inline Evaluated single(std::optional<KnownTensor> tensor) {
  return tensor ? single(*std::move(tensor)) : std::nullopt;
}

// An axis counted from the beginning, where a negative one counts from the end; nothing when there
// is no such axis.
inline std::optional<size_t> axis_of(int64_t axis, size_t rank) {
  if (axis < 0) axis += static_cast<int64_t>(rank);
  if (axis < 0 || axis >= static_cast<int64_t>(rank)) return std::nullopt;
  return static_cast<size_t>(axis);
}

// How far apart in linear order neighbouring elements are, along each axis.
inline std::vector<size_t> strides_of(std::span<const int64_t> dims) {
  std::vector<size_t> strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * static_cast<size_t>(dims[axis]);
  return strides;
}

// The shape of tensors that are broadcast to each other; nothing if they do not fit.
std::optional<std::vector<int64_t>> broadcast(std::span<const int64_t> a, std::span<const int64_t> b);

// A tensor broadcast to a shape that it fits; nothing when that is too large.
std::optional<KnownTensor> expanded(const KnownTensor& tensor, std::span<const int64_t> dims);

// Calls `visit` with the coordinates of every element of a shape, in their linear order. The shape
// has no dimension 0.
template <typename Visit>
void for_each_element(std::span<const int64_t> dims, Visit visit) {
  std::vector<int64_t> at(dims.size(), 0);
  for (;;) {
    visit(std::span<const int64_t>(at));
    size_t axis = dims.size();
    while (axis > 0 && ++at[axis - 1] == dims[axis - 1]) at[--axis] = 0;
    if (axis == 0) return;
  }
}

// A tensor of that shape. `find` gets the coordinates of each element and returns those of the
// input's element that goes there. If they lie outside of the input, there is no such tensor.
template <typename Find>
std::optional<KnownTensor> moved(const KnownTensor& input, std::span<const int64_t> dims, const Find& find) {
  const std::optional<size_t> count = known_element_count(dims, input.element_type);
  if (!count) return std::nullopt;
  KnownTensor result{input.element_type, {dims.begin(), dims.end()}, {}};
  if (*count == 0) return result;
  const std::vector<size_t> strides = strides_of(input.dims);
  std::vector<int64_t> from(input.dims.size());
  bool exists = true;
  result.elements.reserve(*count);
  for_each_element(dims, [&](std::span<const int64_t> at) {
    find(at, std::span<int64_t>(from));
    size_t index = 0;
    for (size_t axis = 0; axis < from.size(); ++axis) {
      exists &= from[axis] >= 0 && from[axis] < input.dims[axis];
      index += static_cast<size_t>(from[axis]) * strides[axis];
    }
    if (exists) result.elements.push_back(input.elements[index]);
  });
  if (!exists) return std::nullopt;
  return result;
}

}  // namespace onnx_lower
