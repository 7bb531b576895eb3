// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The operators that are computed, by kind: each kind is a file of its own.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "constant_folding/evaluate.h"

namespace onnx_lower {

std::span<const Evaluator> elementwise_evaluators();
std::span<const Evaluator> movement_evaluators();
std::span<const Evaluator> reduction_evaluators();
std::span<const Evaluator> shape_evaluators();  // and what makes tensors of shapes

using Element = std::optional<int64_t>;  // of KnownTensor::elements

// Whether one element, as KnownTensor holds it, is less than the other.
inline bool is_less(int64_t a, int64_t b, int element_type) {
  if (is_float_or_double(element_type)) return number_of(a, element_type) < number_of(b, element_type);
  if (element_type == onnx::TensorProto::UINT64) return static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
  return a < b;
}

inline Evaluated single(KnownTensor tensor) {
  std::vector<KnownTensor> outputs;
  outputs.push_back(std::move(tensor));
  return outputs;
}

// An axis counted from the end is made one from the beginning; nothing when there is no such axis.
inline std::optional<size_t> axis_of(int64_t axis, size_t rank) {
  if (axis < 0) axis += static_cast<int64_t>(rank);
  if (axis < 0 || axis >= static_cast<int64_t>(rank)) return std::nullopt;
  return static_cast<size_t>(axis);
}

// How far apart in the linear order the neighbours along each axis are.
inline std::vector<size_t> strides_of(std::span<const int64_t> dims) {
  std::vector<size_t> strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * static_cast<size_t>(dims[axis]);
  return strides;
}

// The shape of tensors that are broadcast to each other; nothing if they do not fit.
std::optional<std::vector<int64_t>> broadcast(std::span<const int64_t> a, std::span<const int64_t> b);

// A tensor broadcast to a shape that it fits; nothing when that is too large.
std::optional<KnownTensor> expanded(const KnownTensor& tensor, std::span<const int64_t> dims);

// Calls `visit` with the coordinates of every element of a shape, in their linear order. The shape has no dimension 0.
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

}  // namespace onnx_lower
