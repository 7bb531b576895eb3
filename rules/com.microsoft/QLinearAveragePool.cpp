#include "fused_conv.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  if (const auto unknown = site.unknown_attribute(
          {"auto_pad", "ceil_mode", "channels_last", "count_include_pad", "kernel_shape", "pads", "strides"})) {
    return Declined{"it does not know the attribute " + *unknown};
  }
  const bool channels_last = site.attribute_int("channels_last", 0) != 0;
  const int rank = image_rank(site, 0, -1).value_or(0);
  if (channels_last && rank < 3) return Declined{"the rank of X is not known"};
  BodyText body("com.microsoft", "QLinearAveragePool",
                first_names({"X", "x_scale", "x_zero_point", "y_scale", "y_zero_point"}, site.input_count()), {"Y"},
                15);
  body.line("x = DequantizeLinear (X, x_scale{})", site.has_input(2) ? ", x_zero_point" : "");
  const std::string image = channels_last ? body.transpose("x", channels_first_order(rank), "channels_first") : "x";
  body.line("y = AveragePool ({})", image);
  const std::string pooled = channels_last ? body.transpose("y", channels_last_order(rank), "channels_last") : "y";
  std::string zero = "y_zero_point";
  if (!site.has_input(4)) zero = body.scalar_like(0.0, "X", "zero");
  body.line("Y = QuantizeLinear ({}, y_scale, {})", pooled, zero);
  onnx::FunctionProto function = body.function();
  copy_attributes(site, {"auto_pad", "ceil_mode", "count_include_pad", "kernel_shape", "pads", "strides"},
                  "AveragePool", function);
  return function;
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "QLinearAveragePool",
                      .summary = "Average pooling of a quantized image, channels first or last.",
                      .source = "ONNX Runtime's contrib operator QLinearAveragePool",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
