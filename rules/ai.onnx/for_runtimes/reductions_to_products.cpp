// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The product of all elements along axes of known sizes, for runtimes without ReduceProd: one half
// of an axis is multiplied with the other, until one element is left.

#include <numeric>
#include <string>
#include <utility>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_reductions_to_products {
namespace {

Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(0);
  if (type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::DOUBLE && type != onnx::TensorProto::INT32 &&
      type != onnx::TensorProto::INT64)
    return Declined{"its elements are not of float, double, int32 or int64"};
  const int rank = site.need_rank(0);
  Ints axes = site.has_input(1) ? site.need_ints(1) : site.attribute_ints("axes", {});
  if (axes.empty()) {
    if (site.attribute_int("noop_with_empty_axes", 0) == 1) return Declined{"it reduces no axes"};
    axes.resize(static_cast<size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
  }
  Body body("ai.onnx", "ReduceProd", {"data", "axes"}, {"reduced"}, 13);
  std::string value = "data";
  for (int64_t& axis : axes) {
    axis = need_axis(axis, rank);
    int64_t size = site.need_dim(0, static_cast<int>(axis));
    if (size == 0) return Declined{"it multiplies no elements"};
    while (size > 1) {
      const int64_t half = size / 2;
      const std::string first = body.slice(value, 0, half, axis), second = body.slice(value, half, 2 * half, axis);
      const std::string product = body.made("product", "Mul", {first, second});
      const bool is_odd = size % 2 == 1;
      value = is_odd ? body.made("with_last", "Concat", {product, body.slice(value, size - 1, size, axis)},
                                 {{"axis", axis}})
                     : product;
      size = half + (is_odd ? 1 : 0);
    }
  }
  if (site.attribute_int("keepdims", 1) == 0 && !axes.empty())
    value = body.made("squeezed", "Squeeze", {value, body.ints(axes, "axes")});
  if (value == "data") value = body.made("copy", "Identity", {value});
  onnx::FunctionProto function = std::move(body).function();
  function.set_output(0, value);
  return function;
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "ReduceProd",
                      .summary = "Products of halves of an axis, until one element is left.",
                      .source = "ONNX ReduceProd-13, ReduceProd-18",
                      .attributes = "axes, keepdims, noop_with_empty_axes",
                      .turn = RuleTurn::last_resort,
                      .needed_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_reductions_to_products
