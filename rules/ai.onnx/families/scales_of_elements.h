// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Scales and zero points of a quantized tensor, brought to a shape that broadcasts against
// the tensor.
#pragma once

#include <string>
#include <string_view>

#include "rules/body.h"

namespace onnx_lower {

// Axes that make a vector along `axis` broadcast against a tensor of this rank.
inline Ints other_axes(int rank, int64_t axis) {
  Ints axes;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) axes.push_back(i);
  }
  return axes;
}

// A list of one scale would give the result for a scalar x a dimension, while the runtimes that
// take such a list for a number give it none.
inline void decline_lists_for_a_number(const CallSite& site) {
  if (site.rank(0) == 0 && (site.rank(1).value_or(0) > 0 || site.rank(2).value_or(0) > 0))
    decline("its input is a number, and its scale or zero point a list");
}

// For each element of `tensor` along `axis`, which block of this size it is in.
inline std::string append_blocks(Body& body, const std::string& tensor, int64_t axis, int64_t block_size) {
  body("shape", "Shape", {tensor});
  body.constant("place", axis);
  body("size", "Gather", {"shape", "place"}, {{"axis", 0}});
  body.constant("none", 0);
  body.constant("one", 1);
  body("element", "Range", {"none", "size", "one"});
  body.constant("block_size", block_size);
  return body("block", "Div", {"element", "block_size"});
}

}  // namespace onnx_lower
