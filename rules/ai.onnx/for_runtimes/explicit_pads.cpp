// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Convolutions with explicit pads and kernel_shape, for runtimes that compute these differently
// from ONNX where the node does not say them.

#include <algorithm>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_explicit_pads {
namespace {

Ints ones_unless_given(const CallSite& site, std::string_view name, size_t axes) {
  Ints values = site.attribute_ints(name, Ints(axes, 1));
  if (values.size() != axes || std::ranges::any_of(values, [](int64_t value) { return value < 1; }))
    decline(std::string(name) + " is not a positive number for each axis");
  return values;
}

// All the padding along an axis, on both sides, so that there are as many results as ONNX says of
// SAME: the size divided by the stride, or multiplied with it.
int64_t padding_of_same(const CallSite& site, int axis, int64_t reach, int64_t stride, int64_t output_padding) {
  if (site.node().op_type() == "ConvTranspose") {
    const int64_t total = reach - stride + output_padding;
    if (total < 0) decline("its output is larger than what it makes");
    return total;
  }
  if (stride == 1) return reach - 1;
  const int64_t size = site.need_dim(0, axis + 2);
  const int64_t results = (size + stride - 1) / stride;
  return std::max<int64_t>((results - 1) * stride + reach - size, 0);
}

// All the padding along an axis, so that there are as many results as output_shape says. If it
// says more than there are without padding, the rest is added to output_padding, which is less
// than a stride.
int64_t padding_of_result(const CallSite& site, int axis, int64_t reach, int64_t stride, int64_t& output_padding,
                          int64_t results) {
  if (results < 0 || results > CallSite::largest_size) decline("output_shape holds no size");
  const int64_t total = (site.need_dim(0, axis + 2) - 1) * stride + reach + output_padding - results;
  if (total >= 0) return total;
  output_padding -= total;
  if (output_padding >= stride) decline("its output is larger than what it makes");
  return 0;
}

Lowering lower(const CallSite& site) {
  const std::string auto_pad = site.attribute_string("auto_pad", "NOTSET");
  const bool is_explicit = auto_pad == "NOTSET";
  const bool has_result = site.attribute("output_shape") != nullptr;
  if (is_explicit && !has_result && site.attribute("kernel_shape") != nullptr)
    return Declined{"it says its padding and its kernel_shape", {}, true};
  const int rank = site.need_rank(0);
  if (rank < 3) return Declined{"its input has no axes to convolve along"};
  const auto axes = static_cast<size_t>(rank - 2);
  const Ints strides = ones_unless_given(site, "strides", axes), dilations = ones_unless_given(site, "dilations", axes);
  Ints more = site.attribute_ints("output_padding", Ints(axes, 0));
  if (more.size() != axes) return Declined{"output_padding is not a number for each axis"};
  Ints result = site.attribute_ints("output_shape", {});
  // Some exporters say the first two dimensions, too.
  if (result.size() == axes + 2) result.erase(result.begin(), result.begin() + 2);
  if (has_result && result.size() != axes) return Declined{"output_shape is not a number for each axis"};
  Ints kernel, pads = is_explicit ? site.attribute_ints("pads", Ints(2 * axes, 0)) : Ints(2 * axes, 0);
  for (size_t axis = 0; axis < axes; ++axis) {
    kernel.push_back(site.need_dim(1, static_cast<int>(axis) + 2));
    if (!has_result && (is_explicit || auto_pad == "VALID")) continue;
    const int64_t reach = (kernel[axis] - 1) * dilations[axis] + 1;
    const int64_t total =
        has_result ? padding_of_result(site, static_cast<int>(axis), reach, strides[axis], more[axis], result[axis])
                   : padding_of_same(site, static_cast<int>(axis), reach, strides[axis], more[axis]);
    const int64_t less = total / 2;
    const bool is_more_in_front = auto_pad == "SAME_LOWER" || (has_result && auto_pad != "SAME_UPPER");
    pads[axis] = is_more_in_front ? total - less : less;
    pads[axis + axes] = total - pads[axis];
  }
  const std::vector<std::string> inputs = first_names({"X", "W", "B"}, site.node().input_size());
  Body body("ai.onnx", site.node().op_type(), inputs, {"Y"}, site.own_opset());
  body.node({"Y"}, site.node().op_type(), inputs, {{"kernel_shape", kernel}, {"pads", pads}});
  if (std::ranges::any_of(more, [](int64_t size) { return size != 0; }))
    body.add_attribute(site.node().op_type(), {"output_padding", more});
  body.copy_attributes(site, {"dilations", "group", "strides"}, site.node().op_type());
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view attributes, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "With the padding that auto_pad means, and its kernel_shape.",
          .source = source,
          .attributes = attributes,
          .makes_it_anew = true,
          .lower = lower};
}

const NativeRule rules[] = {
    rule_for("Conv", "auto_pad, dilations, group, kernel_shape, pads, strides", "ONNX Conv-11, Conv-22"),
    rule_for("ConvTranspose", "auto_pad, dilations, group, kernel_shape, output_padding, output_shape, pads, strides",
             "ONNX ConvTranspose-11, ConvTranspose-22")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_explicit_pads
