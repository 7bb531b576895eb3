// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "rules/body.h"

namespace onnx_lower {
namespace {

// With allowzero a 0 in the shape is a dimension of size 0, and not the input's dimension: then there are no elements.
Lowering lower(const CallSite& site) {
  Body body("ai.onnx", "Reshape", {"data", "shape"}, {"reshaped"}, 13);
  const auto shape = site.constant_ints(1);
  const bool has_zero = shape && std::ranges::find(*shape, 0) != shape->end();
  if (shape && shape->empty()) {
    body("reshaped", "Squeeze", {"data"});
  } else if (site.attribute_int("allowzero", 0) == 0 || (shape && !has_zero)) {
    body("reshaped", "Reshape", {"data", "shape"});
  } else if (has_zero) {
    body("zeros", "ConstantOfShape", {"shape"});
    body("reshaped", "Cast", {"zeros"}, {{"to", site.need_dtype(0)}});
  } else {
    // First to (elements, 1, 1 …), with one dimension more than the result, or, if there are no elements, to (0, 0, 0 …). There a 0 in the shape finds 0
    // at its place. An If would say it more plainly, but OpenVINO makes it give nothing.
    body("length", "Shape", {"shape"});
    body("ones", "ConstantOfShape", {"length"}, {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{1})}});
    body.constant("all", Ints{-1});
    body("column_shape", "Concat", {"all", "ones"}, {{"axis", 0}});
    body("column", "Reshape", {"data", "column_shape"});
    body("count", "Size", {"data"});
    body("any", "Sign", {"count"});
    body.constant("one", Ints{1});
    body("others", "Expand", {"any", "length"});
    body("all_shape", "Concat", {"one", "others"}, {{"axis", 0}});
    body("elements", "Expand", {"column", "all_shape"});
    body("reshaped", "Reshape", {"elements", "shape"});
  }
  return body.function();
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
