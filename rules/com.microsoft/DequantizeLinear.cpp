// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../ai.onnx/families/packed_integers.h"
#include "families/linear_quantization.h"

namespace onnx_lower::native_rules::com_microsoft_DequantizeLinear {
namespace {

using onnx::TensorProto;

// Whether the types are such that ONNX's DequantizeLinear takes them at the model's opset, so that
// the node becomes one. Types of 16 bits are not: OpenVINO refuses them, or gets them wrong.
bool is_standard(const CallSite& site, int type, int scale_type) {
  const int64_t opset = site.opset();
  if (scale_type != TensorProto::FLOAT && opset < 19) return false;
  if (type == TensorProto::UINT8 || type == TensorProto::INT8 || type == TensorProto::INT32) return opset >= 13;
  return packed_bits(type) != 0 && opset >= opset_of_packed(type);
}

// y = (x - x_zero_point) * x_scale
Lowering lower(const CallSite& site) {
  const std::optional<int> type = site.dtype(0);
  const std::optional<int> scale_type = site.dtype(1);
  const bool standard = type && scale_type && is_standard(site, *type, *scale_type);
  Body body("com.microsoft", "DequantizeLinear", first_names({"x", "x_scale", "x_zero_point"}, site.input_count()),
            {"y"}, standard ? 21 : 15);
  const bool shifted = site.has_input(2);
  if (standard) {
    body("y", "DequantizeLinear", {"x", "x_scale", shifted ? "x_zero_point" : ""});
    body.copy_attributes(site, {"axis"}, "DequantizeLinear");
    return body.function();
  }
  std::vector<std::string> codes{"x", "x_zero_point"};
  for (const int input : {0, 2}) {
    if (!is_packed_too_new(site, input)) continue;
    codes[input / 2] += "_bytes";
    append_widened(site, body, input, codes[input / 2]);
  }
  // Differences of 16-bit integers are exact in float, and those of 32-bit ones in integers only.
  const std::string scale = along_axis(site, body, 1, "x_scale");
  body("wide", "Cast", {codes[0]}, {{"to", 6}});
  std::string difference = "wide";
  if (shifted) {
    const std::string zero = along_axis(site, body, 2, codes[1]);
    body("zero", "Cast", {zero}, {{"to", 6}});
    body("difference", "Sub", {"wide", "zero"});
    difference = "difference";
  }
  body("number", "CastLike", {difference, "x_scale"});
  body("y", "Mul", {"number", scale});
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "DequantizeLinear",
                      .summary =
                          "(x - zero point) * scale, also for the types that ONNX's operator takes from opset 21 on "
                          "only; 4-bit constants below that.",
                      .source = "ONNX Runtime's contrib operator DequantizeLinear",
                      .attributes = "axis",
                      .inputs = "x, x_scale, x_zero_point",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_DequantizeLinear
