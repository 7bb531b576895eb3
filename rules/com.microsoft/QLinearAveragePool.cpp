// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>

#include "families/fused_conv.h"
#include "families/windows.h"

namespace onnx_lower::native_rules::com_microsoft_QLinearAveragePool {
namespace {

Lowering lower(const CallSite& site) {
  const bool channels_last = site.attribute_int("channels_last", 0) != 0;
  const int rank = image_rank(site, 0, -1).value_or(0);
  if (channels_last && rank < 3)
    decline(fmt::format("images of rank {} have no channels behind them", site.need_rank(0)));
  const Windows windows = windows_of(site);
  Body body("com.microsoft", "QLinearAveragePool",
            first_names({"X", "x_scale", "x_zero_point", "y_scale", "y_zero_point"}, site.input_count()), {"Y"}, 15);
  // The Transpose comes before the dequantization: what ONNX Runtime makes of a DequantizeLinear of
  // int8 before a Transpose is not valid from opset 21 on.
  std::string image = channels_last ? body.transpose("X", channels_first_order(rank), "channels_first") : "X";
  // The quantized integers are averaged, and scaled afterwards: their means are exact where they
  // are in the middle of two results, which means of products with a scale are not. And OpenVINO
  // fuses a DequantizeLinear and an AveragePool to a pooling of 8 bits, which gives other numbers
  // on processors without AVX-512, and pads with the zero point.
  body("codes", "Cast", {image}, {{"to", 1}});
  image = "codes";
  if (site.has_input(2)) {
    body("zero_code", "Cast", {"x_zero_point"}, {{"to", 1}});
    body("steps", "Sub", {"codes", "zero_code"});
    image = "steps";
  }
  // The kernel divides by the size of the whole window, even if parts of that are in the padding
  // or, with ceil_mode, behind the padding. So the image is padded with zeros.
  const bool padded =
      site.attribute_int("count_include_pad", 0) != 0 && (windows.is_same() || windows.has_pads() || windows.ceil);
  std::vector<Padding> cuts;
  std::vector<int64_t> own_pads(2 * windows.axes());
  if (padded) {
    body("padded", "Pad", {image, filled_pads(site, body, windows, image, channels_last)});
    image = "padded";
  } else if (windows.may_cut_off()) {
    for (int axis = 0; axis < windows.axes(); ++axis) {
      const std::optional<int64_t> size = site.dim(0, axis + (channels_last ? 1 : 2));
      if (!size) return Declined{"auto_pad with strides longer than the windows needs the size of the image"};
      const Padding padding = windows.same_padding(axis, *size);
      cuts.push_back({std::min<int64_t>(padding.begin, 0), std::min<int64_t>(padding.end, 0)});
      own_pads[axis] = std::max<int64_t>(padding.begin, 0);
      own_pads[windows.axes() + axis] = std::max<int64_t>(padding.end, 0);
    }
    body("cut", "Pad", {image, body.ints(spatial_pads(cuts), "cuts")});
    image = "cut";
  }
  body("mean", "AveragePool", {image});
  body("y", "Mul", {"mean", "x_scale"});
  std::string zero = "y_zero_point";
  if (!site.has_input(4)) zero = body.scalar_like(0.0, "X", "zero");
  body(channels_last ? "pooled" : "Y", "QuantizeLinear", {"y", "y_scale", zero});
  if (channels_last) body("Y", "Transpose", {"pooled"}, {{"perm", channels_last_order(rank)}});
  if (padded || !cuts.empty()) {
    body.copy_attributes(site, {"kernel_shape", "strides"}, "AveragePool");
    if (!cuts.empty()) body.add_attribute("AveragePool", {"pads", own_pads});
  } else {
    body.copy_attributes(site, {"auto_pad", "ceil_mode", "kernel_shape", "strides", "count_include_pad", "pads"},
                         "AveragePool");
  }
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "QLinearAveragePool",
    .summary = "Average pooling of a quantized image, channels first or last.",
    .source = "ONNX Runtime's contrib operator QLinearAveragePool",
    .attributes = "auto_pad, ceil_mode, channels_last, count_include_pad, kernel_shape, pads, strides",
    .required_attributes = "kernel_shape",
    .inputs = "X, x_scale, x_zero_point, y_scale, y_zero_point",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_QLinearAveragePool
