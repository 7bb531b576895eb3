// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Axes that are known only when the model runs, for operators that take none but constant ones at
// the model's opset: they become a mask over the dimensions, and what the operator does to the
// shape becomes a Reshape.
#pragma once

#include <string>
#include <string_view>

#include "rules/body.h"

namespace onnx_lower {

// The opset of Reshape's allowzero, for which these bodies are written.
constexpr int kAxesOpset = 14;

// A boolean for each dimension: whether the list `axes`, which may count from the end, names it.
// `shape` is a list with as many elements as there are dimensions.
inline std::string axes_mask(Body& body, std::string_view axes, std::string_view shape) {
  const std::string list = body.reshape(axes, {-1}, "axes");
  const std::string none = body.fresh("none"), rank = body.fresh("rank"), zero = body.scalar(0);
  const std::string wide = body.fresh("wide"), from_start = body.fresh("from_start");
  body(wide, "Cast", {list}, {{"to", 7}});
  body(none, "Sub", {shape, shape});
  body(rank, "Shape", {shape});
  const std::string negative = body.fresh("is_negative"), moved = body.fresh("moved");
  body(negative, "Less", {wide, zero});
  body(moved, "Add", {wide, rank});
  body(from_start, "Where", {negative, moved, wide});
  const std::string rest = body.fresh("rest"), ones = body.fresh("ones"), one = body.scalar(1);
  body(rest, "Sub", {wide, wide});
  body(ones, "Add", {rest, one});
  const std::string marks = body.fresh("marks"), mask = body.fresh("mask");
  body(marks, "ScatterElements", {none, from_start, ones}, {{"axis", 0}});
  body(mask, "Cast", {marks}, {{"to", 9}});
  return mask;
}

// Whether every dimension of an input is known, and none is 0: then no 0 can stand in a shape that
// is made of them.
inline bool has_elements(const CallSite& site, int input) {
  const std::optional<int> rank = site.rank(input);
  if (!rank) return false;
  for (int axis = 0; axis < *rank; ++axis) {
    const std::optional<int64_t> size = site.dim(input, axis);
    if (!size || *size <= 0) return false;
  }
  return true;
}

// How many axes an input lists, if that is known.
inline std::optional<int> axis_count(const CallSite& site, int input) {
  if (site.rank(input) == 0) return 1;
  const std::optional<int64_t> count = site.dim(input, 0);
  if (!count) return std::nullopt;
  return static_cast<int>(*count);
}

// A shape that is computed, of a length that is said where it is known: OpenVINO wants to know
// ranks. (A Reshape would not do for it: where one Reshape makes the shape of another, ONNX Runtime
// takes them for two Reshapes of the same data.)
inline std::string of_length(Body& body, std::string_view shape, std::optional<int> length) {
  if (!length || *length <= 0) return std::string(shape);
  std::vector<int64_t> places;
  for (int place = 0; place < *length; ++place) places.push_back(place);
  const std::string list = body.ints(places, "places"), name = body.fresh("shape");
  body(name, "Gather", {shape, list}, {{"axis", 0}});
  return name;
}

// `output = Reshape (value, shape)`, in which a 0 is a dimension without elements.
inline void reshape_to(Body& body, std::string_view output, std::string_view value, std::string_view shape,
                       bool may_be_empty) {
  body(output, "Reshape", {value, shape}, {{"allowzero", may_be_empty ? 1 : 0}});
}

}  // namespace onnx_lower
