// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_GatherElements {
namespace {

// output[i, j, k] = data[i, indices[i, j, k], k] for axis 1, gathered from the flat data: the place
// of an element is the sum of its coordinates, each times the product of the sizes behind its axis.
Lowering lower(const CallSite& site) {
  const auto rank = site.rank(0) ? site.rank(0) : site.rank(1);
  if (!rank || *rank == 0) return Declined{"the rank of its input is not known"};
  const int64_t axis = need_axis(site.attribute_int("axis", 0), *rank);

  Body body("ai.onnx", "GatherElements", {"data", "indices"}, {"output"}, 11);
  body("data_shape", "Shape", {"data"});
  body("wide", "Cast", {"indices"}, {{"to", 7}});
  body("index_shape", "Shape", {"wide"});
  body.constant("zero", 0);
  body.constant("one", 1);
  body.constant("flat_shape", Ints{-1});
  body("flat", "Reshape", {"data", "flat_shape"});
  for (int i = 0; i < *rank; ++i) {
    const std::string n = fmt::to_string(i);
    body.constant("place" + n, i);
    body("size" + n, "Gather", {"data_shape", "place" + n}, {{"axis", 0}});
  }
  body("is_negative", "Less", {"wide", "zero"});
  body("from_end", "Add", {"wide", "size" + fmt::to_string(axis)});
  body("along", "Where", {"is_negative", "from_end", "wide"});
  std::string below = "one";
  std::string sum;
  for (int i = *rank - 1; i >= 0; --i) {
    const std::string n = fmt::to_string(i);
    std::string coordinate = "along";
    if (i != axis) {
      Ints others;
      for (int k = 0; k < *rank; ++k) {
        if (k != i) others.push_back(k);
      }
      body("count" + n, "Gather", {"index_shape", "place" + n}, {{"axis", 0}});
      body("line" + n, "Range", {"zero", "count" + n, "one"});
      coordinate = "line" + n;
      if (!others.empty()) {
        body("coordinate" + n, "Unsqueeze", {"line" + n}, {{"axes", others}});
        coordinate = "coordinate" + n;
      }
    }
    body("part" + n, "Mul", {coordinate, below});
    if (!sum.empty()) body("sum" + n, "Add", {sum, "part" + n});
    sum = (sum.empty() ? "part" : "sum") + n;
    if (i > 0) body("below" + n, "Mul", {below, "size" + n});
    below = "below" + n;
  }
  body("output", "Gather", {"flat", sum}, {{"axis", 0}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "GatherElements",
                      .summary = "Elements by index along an axis, gathered from the flat input.",
                      .source = "ONNX GatherElements-11",
                      .attributes = "axis",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_GatherElements
