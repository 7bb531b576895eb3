// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "library/broadcast.h"

#include <algorithm>

namespace onnx_lower::kernels {

Shape broadcast(const Shape& one, const Shape& other, std::string_view what) {
  Shape result(std::max(one.size(), other.size()), 1);
  for (size_t axis = 0; axis < result.size(); ++axis) {
    const size_t of_one = result.size() - one.size(), of_other = result.size() - other.size();
    const int64_t size = axis < of_one ? 1 : one[axis - of_one];
    const int64_t other_size = axis < of_other ? 1 : other[axis - of_other];
    if (size != other_size && size != 1 && other_size != 1) {
      fail("dimension ", axis - of_other, " of ", what, " is ", other_size, ", where the inputs before it have ", size,
           ": shape ", to_text(other), " does not fit ", to_text(one));
    }
    result[axis] = size == 1 ? other_size : size;
  }
  return result;
}

std::optional<Dims> broadcast(const std::optional<Dims>& one, const std::optional<Dims>& other) {
  if (!one || !other) return std::nullopt;
  Dims result(std::max(one->size(), other->size()), Dim(1));
  for (size_t axis = 0; axis < result.size(); ++axis) {
    const size_t of_one = result.size() - one->size(), of_other = result.size() - other->size();
    const Dim first = axis < of_one ? Dim(1) : (*one)[axis - of_one];
    const Dim second = axis < of_other ? Dim(1) : (*other)[axis - of_other];
    // If one of them is known and not 1, it is the result's dimension, or the run fails.
    if (first == second && (first.is_known() || !first.name.empty())) {
      result[axis] = first;
    } else if (first.is_known() && first.value != 1) {
      result[axis] = first;
    } else if (second.is_known() && second.value != 1) {
      result[axis] = second;
    } else if (first == Dim(1)) {
      result[axis] = second;
    } else {
      result[axis] = second == Dim(1) ? first : Dim();
    }
  }
  return result;
}

}  // namespace onnx_lower::kernels
