#include "fused_conv.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  if (const auto unknown = site.unknown_attribute(
          {"auto_pad", "channels_last", "dilations", "group", "kernel_shape", "pads", "strides"})) {
    return Declined{"it does not know the attribute " + *unknown};
  }
  const bool channels_last = site.attribute_int("channels_last", 0) != 0;
  const int rank = image_rank(site, 0, 3).value_or(0);
  if (channels_last && rank < 3) return Declined{"the rank of x is not known"};
  BodyText body(
      "com.microsoft", "QLinearConv",
      first_names({"x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point", "y_scale", "y_zero_point", "B"},
                  site.input_count()),
      {"y"}, 10);
  const std::string image = channels_last ? body.transpose("x", channels_first_order(rank), "channels_first") : "x";
  body.line("{} = QLinearConv ({}, x_scale, x_zero_point, w, w_scale, w_zero_point, y_scale, y_zero_point{})",
            channels_last ? "conv" : "y", image, site.has_input(8) ? ", B" : "");
  if (channels_last) body.line("y = Transpose <perm = [{}]> (conv)", fmt::join(channels_last_order(rank), ", "));
  onnx::FunctionProto function = body.function();
  copy_attributes(site, {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}, "QLinearConv", function);
  return function;
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "QLinearConv",
                      .summary = "QLinearConv, channels first or last.",
                      .source = "ONNX Runtime's contrib operator QLinearConv",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
