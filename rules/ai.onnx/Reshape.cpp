// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// With allowzero a 0 in the shape is a dimension of size 0, and not the input's dimension: then there are no elements.
Lowering lower(const CallSite& site) {
  const auto text = [](const std::string& body) {
    return function_from_text(fmt::format(
        R"(<domain: "ai.onnx", opset_import: ["" : 13]> Reshape (data, shape) => (reshaped) {{ {} }})", body));
  };
  const auto shape = site.constant_ints(1);
  if (shape && shape->empty()) return text("reshaped = Squeeze (data)");
  const bool has_zero = shape && std::ranges::find(*shape, 0) != shape->end();
  if (site.attribute_int("allowzero", 0) == 0 || (shape && !has_zero)) return text("reshaped = Reshape (data, shape)");
  if (has_zero) {
    const int type = site.need_dtype(0);
    return text(fmt::format("zeros = ConstantOfShape (shape) reshaped = Cast <to = {}> (zeros)", type));
  }
  // First to (elements, 1, 1 …), with one dimension more than the result, or, if there are no elements, to (0, 0, 0 …). There a 0 in the shape finds 0 at
  // its place. An If would say it more plainly, but OpenVINO makes it give nothing.
  return text(R"(length = Shape (shape)
      ones = ConstantOfShape <value = int64[1] {1}> (length)
      all = Constant <value = int64[1] {-1}> ()
      column_shape = Concat <axis = 0> (all, ones)
      column = Reshape (data, column_shape)
      count = Size (data)
      any = Sign (count)
      one = Constant <value = int64[1] {1}> ()
      others = Expand (any, length)
      all_shape = Concat <axis = 0> (one, others)
      elements = Expand (column, all_shape)
      reshaped = Reshape (elements, shape))");
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "Reshape",
    .summary = "Zeros in the shape that mean zeros, as they can from 14 on; to a scalar by a Squeeze.",
    .source = "ONNX Reshape-14",
    .attributes = "allowzero",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
