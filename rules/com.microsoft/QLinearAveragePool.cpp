#include "fused_conv.h"

namespace onnx_lower {
namespace {

// What Pad adds at both ends of each axis, where AveragePool would add it and count it. OpenVINO moves a constant zero point behind the
// AveragePool, which then pads with something else than zero; so the image is padded before it is dequantized.
std::optional<std::vector<int64_t>> counted_padding(const CallSite& site, int rank) {
  const std::vector<int64_t> pads = site.attribute_ints("pads", {});
  const int axes = rank - 2;
  if (site.attribute_int("count_include_pad", 0) == 0 || site.attribute_int("ceil_mode", 0) != 0 ||
      site.attribute_string("auto_pad", "NOTSET") != "NOTSET" || site.opset() < 11 || axes < 1 ||
      (site.has_input(2) && !site.constant_ints(2)) || static_cast<int>(pads.size()) != 2 * axes) {
    return std::nullopt;
  }
  std::vector<int64_t> all(2 * rank, 0);
  for (int axis = 0; axis < axes; ++axis) {
    all[2 + axis] = pads[axis];
    all[rank + 2 + axis] = pads[axes + axis];
  }
  return all;
}

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
  // Transposed while they are quantized: what ONNX Runtime makes of int8 dequantized before a Transpose is not valid from opset 21 on.
  std::string given = channels_last ? body.transpose("X", channels_first_order(rank), "channels_first") : "X";
  const auto padding = counted_padding(site, rank);
  if (padding) {
    const std::string pads = body.ints(*padding, "pads");
    body.line("padded = Pad ({}, {}{})", given, pads, site.has_input(2) ? ", x_zero_point" : "");
    given = "padded";
  }
  body.line("x = DequantizeLinear ({}, x_scale{})", given, site.has_input(2) ? ", x_zero_point" : "");
  body.line("y = AveragePool (x)");
  std::string zero = "y_zero_point";
  if (!site.has_input(4)) zero = body.scalar_like(0.0, "X", "zero");
  body.line("{} = QuantizeLinear (y, y_scale, {})", channels_last ? "pooled" : "Y", zero);
  if (channels_last) body.line("Y = Transpose <perm = [{}]> (pooled)", fmt::join(channels_last_order(rank), ", "));
  onnx::FunctionProto function = body.function();
  copy_attributes(site, {"auto_pad", "ceil_mode", "kernel_shape", "strides"}, "AveragePool", function);
  if (!padding) copy_attributes(site, {"count_include_pad", "pads"}, "AveragePool", function);
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
