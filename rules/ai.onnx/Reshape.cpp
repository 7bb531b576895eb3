// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Reshape {
namespace {

// With allowzero a 0 in the shape is a dimension of size 0, and not the input's dimension: then
// there are no elements.
Lowering lower(const CallSite& site) {
  Body body("ai.onnx", "Reshape", {"data", "shape"}, {"reshaped"}, 13);
  const auto shape = site.constant_ints(1);
  const bool has_zero = shape && std::ranges::find(*shape, 0) != shape->end();
  if (site.dim(1, 0) == 0) {
    body("reshaped", "Squeeze", {"data"});
  } else if (site.attribute_int("allowzero", 0) == 0 || (shape && !has_zero)) {
    body("reshaped", "Reshape", {"data", "shape"});
  } else if (has_zero) {
    body("zeros", "ConstantOfShape", {"shape"});
    body("reshaped", "Cast", {"zeros"}, {{"to", site.need_dtype(0)}});
  } else {
    // Data without elements are filled up with zeros to the shape in which ones stand for zeros,
    // reshaped to that, and then repeated no times along these dimensions. Data with elements are
    // not filled up: a shape for them has no zeros. An If would say it more plainly, but
    // OpenVINO's gives nothing then; nor does OpenVINO reshape data without elements to another
    // order of dimensions.
    const std::string zero = body.scalar(0), one = body.scalar(1);
    body("is_zero", "Equal", {"shape", zero});
    body("as_one", "Cast", {"is_zero"}, {{"to", onnx::TensorProto::INT64}});
    body("without_zeros", "Add", {"shape", "as_one"});
    body("places", "ReduceProd", {"without_zeros"}, {{"axes", Ints{0}}});
    body("count", "Size", {"data"});
    body("any", "Sign", {"count"});
    body("none", "Sub", {one, "any"});
    body("lacking", "Mul", {"places", "none"});
    // `lacking` is below 0 where the shape has a -1: then nothing is lacking.
    body("number", "Max", {"lacking", zero});
    body("zeros", "ConstantOfShape", {"number"});
    body("filling", "Cast", {"zeros"}, {{"to", site.need_dtype(0)}});
    body.constant("all", Ints{-1});
    body("elements", "Reshape", {"data", "all"});
    body("filled", "Concat", {"elements", "filling"}, {{"axis", 0}});
    body("with_ones", "Reshape", {"filled", "without_zeros"});
    // Sign * Sign and not Abs, which OpenVINO gets wrong where the shape comes from other shapes.
    body("signs", "Sign", {"shape"});
    body("times", "Mul", {"signs", "signs"});
    // Tile and not Expand, which ONNX Runtime drops where it expands ones to zeros.
    body("reshaped", "Tile", {"with_ones", "times"});
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
}  // namespace onnx_lower::native_rules::ai_onnx_Reshape
