// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What BFPQuantizeDequantize and MXQuantizeDequantize share: numbers in blocks along an axis, each
// of which has one exponent.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "rules/body.h"

namespace onnx_lower {

// Gives x rounded to whole numbers. A half is rounded away from zero (mode 0), upwards (mode 1) or
// to the even number (mode 2).
inline std::string rounded_by(Body& body, const std::string& x, int64_t mode) {
  if (mode == 2) return body.made("whole", "Round", {x});
  // The difference to the floor is exact, which the sum of x and a half is not.
  const std::string size = mode == 0 ? body.made("size", "Abs", {x}) : x;
  const std::string floor = body.made("floor", "Floor", {size});
  const std::string rest = body.made("rest", "Sub", {size, floor});
  const std::string goes_up = body.made("goes_up", "GreaterOrEqual", {rest, body.float_scalar(0.5, "half")});
  const std::string step_up = body.made("step_up", "Cast", {goes_up}, {{"to", onnx::TensorProto::FLOAT}});
  const std::string whole = body.made("whole", "Add", {floor, step_up});
  return mode == 1 ? whole : body.made("signed", "Mul", {body.made("sign", "Sign", {x}), whole});
}

inline int64_t rounding_mode_of(const CallSite& site) {
  const int64_t mode = site.attribute_int("rounding_mode", 0);
  if (mode < 0 || mode > 2) decline("attribute 'rounding_mode' is not 0, 1 or 2");
  return mode;
}

// Makes `is_finite`, which says whether each number is, and `finite`, the numbers with 0 in the
// place of those that are not.
inline void append_finite(Body& body, const std::string& x) {
  body("magnitude", "Abs", {x});
  body("is_finite", "LessOrEqual", {"magnitude", body.float_scalar(std::numeric_limits<float>::max(), "most")});
  body("finite", "Where", {"is_finite", x, body.float_scalar(0.0, "none")});
}

// Gives 2^shift times the power of two at or below the greatest magnitude along the last dimension,
// but at least 2^-126: runtimes without subnormal numbers would make 0 of anything less.
inline std::string power_of_greatest(Body& body, const std::string& finite, int shift, std::string_view name) {
  const std::string size = body.made("size_of", "Abs", {finite});
  const std::string greatest = body.made("greatest", "ReduceMax", {size}, {{"axes", Ints{-1}}, {"keepdims", 1}});
  const std::string power = body.made("power", "onnx_lower.PowerBelow", {greatest});
  const std::string shifted = body.made("shifted", "Mul", {power, body.float_scalar(std::ldexp(1.0, shift), "shift")});
  return body(name, "Max", {shifted, body.float_scalar(std::ldexp(1.0, -126), "least_scale")});
}

// Makes the output `y` of x. `quantized` makes the quantized numbers of `finite`, the blocks one
// below the other, and gives their name. Numbers that are not finite stay as they are, unless
// `takes_all` says that `quantized` treats them as well. A tensor of one element stays as it is.
inline void append_in_blocks(const CallSite& site, Body& body, const std::string& x, int64_t default_size,
                             bool takes_all, const std::function<std::string()>& quantized) {
  const int rank = site.need_rank(0);
  const int64_t size = site.attribute_int("block_size", default_size);
  if (size < 1) decline("attribute 'block_size' is not positive");
  if (rank == 0) {
    body("y", "CastLike", {x, "x"});
    return;
  }
  const int64_t axis = rank == 1 ? 0 : need_axis(site.attribute_int("axis", 1), rank);
  const int last = rank - 1;
  Ints swapped(static_cast<std::size_t>(rank));
  std::iota(swapped.begin(), swapped.end(), 0);
  std::swap(swapped[static_cast<std::size_t>(axis)], swapped[static_cast<std::size_t>(last)]);

  std::string rows = x;
  if (axis != last) rows = body("rows", "Transpose", {x}, {{"perm", swapped}});
  const std::optional<int64_t> length = site.dim(0, static_cast<int>(axis));
  const bool is_whole = length && *length % size == 0;
  std::string padded = rows;
  if (!is_whole) {
    body("length", "Identity", {body.dim_list(rows, last)});
    const std::string size_list = body.ints({size}, "block_size");
    body("negative_length", "Neg", {"length"});
    body("missing", "Mod", {"negative_length", size_list});
    body("pads", "Concat", {body.ints(Ints(static_cast<std::size_t>(2 * rank - 1), 0), "no_pads"), "missing"},
         {{"axis", 0}});
    padded = body("padded", "Pad", {rows, "pads"});
  }
  body("blocks", "Reshape", {padded, body.ints({-1, size}, "blocks_shape")});
  append_finite(body, "blocks");
  std::string blocks = quantized();
  if (!takes_all) blocks = body("kept_blocks", "Where", {"is_finite", blocks, "blocks"});
  body("padded_shape", "Shape", {padded});
  std::string result = body("of_padded", "Reshape", {blocks, "padded_shape"});
  if (!is_whole) {
    const std::string first = body.ints({0}, "first"), axes = body.ints({last}, "axes");
    result = body("of_rows", "Slice", {result, first, "length", axes});
  }
  if (axis != last) result = body("of_all", "Transpose", {result}, {{"perm", swapped}});

  bool has_more = false, is_known = true;
  for (int k = 0; k < rank; ++k) {
    has_more = has_more || site.dim(0, k).value_or(1) != 1;
    is_known = is_known && site.dim(0, k).has_value();
  }
  if (!has_more && is_known) {
    result = x;
  } else if (!has_more) {
    body("count", "Size", {x});
    body("is_one", "Equal", {"count", body.scalar(1, "one")});
    result = body("of_any", "Where", {"is_one", x, result});
  }
  body("y", "CastLike", {result, "x"});
}

}  // namespace onnx_lower
