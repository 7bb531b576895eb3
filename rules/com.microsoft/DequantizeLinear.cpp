// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../ai.onnx/packed_integers.h"
#include "linear_quantization.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

// Types that DequantizeLinear of ONNX takes at the model's opset, so that the node stays one. Those of 16 bits OpenVINO refuses, or gets wrong.
bool is_standard(const CallSite& site, int type, int scale_type) {
  const int64_t opset = site.opset();
  if (scale_type != TensorProto::FLOAT && opset < 19) return false;
  if (type == TensorProto::UINT8 || type == TensorProto::INT8 || type == TensorProto::INT32) return opset >= 13;
  return packed_bits(type) != 0 && opset >= opset_of_packed(type);
}

Lowering lower(const CallSite& site) {
  const std::optional<int> type = site.dtype(0);
  const std::optional<int> scale_type = site.dtype(1);
  const bool standard = type && scale_type && is_standard(site, *type, *scale_type);
  BodyText body("com.microsoft", "DequantizeLinear", first_names({"x", "x_scale", "x_zero_point"}, site.input_count()),
                {"y"}, standard ? 21 : 15);
  const bool shifted = site.has_input(2);
  if (standard) {
    body.line("y = DequantizeLinear (x, x_scale{})", shifted ? ", x_zero_point" : "");
    onnx::FunctionProto function = body.function();
    copy_attributes(site, {"axis"}, "DequantizeLinear", function);
    return function;
  }
  std::vector<onnx::NodeProto> constants;
  std::vector<std::string> codes{"x", "x_zero_point"};
  for (const int input : {0, 2}) {
    if (!is_packed_too_new(site, input)) continue;
    codes[input / 2] += "_bytes";
    auto constant = widened_constant(site, input, codes[input / 2]);
    if (const auto* declined = std::get_if<Declined>(&constant)) return *declined;
    constants.push_back(std::get<onnx::NodeProto>(std::move(constant)));
  }
  // Differences of 16-bit integers are exact in float, and those of 32-bit ones in integers only.
  const auto scale = along_axis(site, body, "x_scale");
  if (const auto* declined = std::get_if<Declined>(&scale)) return *declined;
  body.line("wide = Cast <to = 6> ({})", codes[0]);
  std::string difference = "wide";
  if (shifted) {
    const auto zero = along_axis(site, body, codes[1]);
    if (const auto* declined = std::get_if<Declined>(&zero)) return *declined;
    body.line("zero = Cast <to = 6> ({})", std::get<std::string>(zero));
    body.line("difference = Sub (wide, zero)");
    difference = "difference";
  }
  body.line("number = CastLike ({}, x_scale)", difference);
  body.line("y = Mul (number, {})", std::get<std::string>(scale));
  onnx::FunctionProto function = body.function();
  put_first(function, std::move(constants));
  return function;
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "DequantizeLinear",
                      .summary =
                          "(x - zero point) * scale, also for the types that ONNX's operator takes from opset 21 on "
                          "only; 4-bit constants below that.",
                      .source = "ONNX Runtime's contrib operator DequantizeLinear",
                      .attributes = "axis",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
