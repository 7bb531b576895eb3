// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>

#include "families/fused_conv.h"

namespace onnx_lower::native_rules::com_microsoft_QLinearConv {
namespace {

constexpr int kFilter = 3, kFilterScale = 4, kFilterZero = 5, kResultZero = 7, kBias = 8;

// For opsets below 10, which brought quantized operators, and for runtimes without these: makes a
// convolution of integers, and gives its sums in steps of y_scale.
void append_steps(Body& body, const CallSite& site, const std::string& image, std::string_view output) {
  const int type = site.need_dtype(kResultZero);
  const bool is_signed = type == onnx::TensorProto::INT8;
  std::string sums = body("sums", "ConvInteger", {image, "w", "x_zero_point", "w_zero_point"});
  if (site.has_input(kBias)) {
    Ints by_channel = {-1};
    by_channel.resize(static_cast<size_t>(std::max(site.need_rank(kFilter) - 1, 1)), 1);
    sums = body("biased", "Add", {sums, body.reshape("B", by_channel, "bias")});
  }
  body("both_scales", "Mul", {"x_scale", "w_scale"});
  body("factor", "Div", {body.reshape("both_scales", {}, "scale"), body.reshape("y_scale", {}, "y_scale")});
  body("real_sums", "Cast", {sums}, {{"to", onnx::TensorProto::FLOAT}});
  body("rounded", "Round", {body.made("scaled", "Mul", {"real_sums", "factor"})});
  body("zero", "Cast", {body.reshape("y_zero_point", {}, "y_zero_point")}, {{"to", onnx::TensorProto::FLOAT}});
  body("moved", "Add", {"rounded", "zero"});
  const std::string low = body.float_scalar(is_signed ? -128 : 0, "low"),
                    high = body.float_scalar(is_signed ? 127 : 255, "high");
  body(output, "Cast", {body.made("limited", "Clip", {"moved", low, high})}, {{"to", type}});
}

Lowering lower(const CallSite& site) {
  const bool channels_last = site.attribute_int("channels_last", 0) != 0;
  const int rank = image_rank(site, 0, 3).value_or(0);
  if (channels_last && rank < 3)
    decline(fmt::format("images of rank {} have no channels behind them", site.need_rank(0)));
  // OpenVINO takes the scales for each output of a QLinearConv for scales of each input channel.
  const bool per_output = site.rank(kFilterScale) == 1 && site.dim(kFilterScale, 0) != 1;
  // A standard QLinearConv whose filter has a single scale comes here only if the runtime does not
  // take it.
  const bool has_operator =
      site.opset() >= 10 && !(site.node().domain().empty() && !per_output && site.rank(kFilterScale) != 1);
  Body body(
      "com.microsoft", "QLinearConv",
      first_names({"x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point", "y_scale", "y_zero_point", "B"},
                  site.input_count()),
      {"y"}, per_output || !has_operator ? 13 : 10);
  // OpenVINO takes a list of one scale, too, for scales of each input channel.
  std::string filter_scale = "w_scale";
  std::string filter_zero = "w_zero_point";
  if (!per_output && site.rank(kFilterScale) == 1) filter_scale = body.reshape("w_scale", {}, "w_scale");
  if (!per_output && site.rank(kFilterZero) == 1) filter_zero = body.reshape("w_zero_point", {}, "w_zero_point");
  const std::string image = channels_last ? body.transpose("x", channels_first_order(rank), "channels_first") : "x";
  const std::string_view conv = channels_last ? "conv" : "y";
  const bool has_bias = site.has_input(kBias);
  std::string_view convolution = "QLinearConv";
  if (per_output) {
    convolution = "Conv";
    if (site.opset() < 13) {
      // The opset has no DequantizeLinear along an axis for the filter. From one for the image
      // alone, ONNX Runtime's optimizer concludes that it may round the filter and the bias, the
      // latter by a Round, which is of opset 11.
      body("x_code", "Cast", {image}, {{"to", 1}});
      body("x_zero_code", "Cast", {"x_zero_point"}, {{"to", 1}});
      body("x_steps", "Sub", {"x_code", "x_zero_code"});
      body("x_real", "Mul", {"x_steps", "x_scale"});
    } else {
      body("x_real", "DequantizeLinear", {image, "x_scale", "x_zero_point"});
    }
    body("w_real", "DequantizeLinear", {"w", "w_scale", "w_zero_point"}, {{"axis", 0}});
    if (has_bias) {
      body("b_scale", "Mul", {"x_scale", "w_scale"});
      body("b_real", "DequantizeLinear", {"B", "b_scale"}, {{"axis", 0}});
    }
    body("y_real", "Conv", {"x_real", "w_real", has_bias ? "b_real" : ""});
    body(conv, "QuantizeLinear", {"y_real", "y_scale", "y_zero_point"});
  } else if (!has_operator) {
    convolution = "ConvInteger";
    append_steps(body, site, image, conv);
  } else {
    body(conv, "QLinearConv",
         {image, "x_scale", "x_zero_point", "w", filter_scale, filter_zero, "y_scale", "y_zero_point",
          has_bias ? "B" : ""});
  }
  if (channels_last) body("y", "Transpose", {"conv"}, {{"perm", channels_last_order(rank)}});
  body.copy_attributes(site, {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}, convolution);
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "QLinearConv",
                      .summary = "QLinearConv, channels first or last.",
                      .source = "ONNX Runtime's contrib operator QLinearConv; ONNX QLinearConv-10",
                      .also = "ai.onnx::QLinearConv",
                      .attributes = "auto_pad, channels_last, dilations, group, kernel_shape, pads, strides",
                      .inputs = "x, x_scale, x_zero_point, w, w_scale, w_zero_point, y_scale, y_zero_point, B",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_QLinearConv
