// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "../ai.onnx/families/packed_integers.h"
#include "families/linear_quantization.h"

namespace onnx_lower::native_rules::com_microsoft_QuantizeLinear {
namespace {

using onnx::TensorProto;

struct Range {
  int64_t low;
  int64_t high;
};

std::optional<Range> range_of(int type) {
  switch (type) {
    case TensorProto::UINT8:
      return Range{0, 255};
    case TensorProto::INT8:
      return Range{-128, 127};
    case TensorProto::UINT16:
      return Range{0, 65535};
    case TensorProto::INT16:
      return Range{-32768, 32767};
    case TensorProto::UINT4:
      return Range{0, 15};
    case TensorProto::INT4:
      return Range{-8, 7};
    default:
      return std::nullopt;
  }
}

// Whether the types are such that ONNX's QuantizeLinear takes them at the model's opset, so that
// the node becomes one. Types of 16 bits are not: OpenVINO refuses them, or gets them wrong.
bool is_standard(const CallSite& site, int type, int source) {
  const int64_t opset = site.opset();
  if (source != TensorProto::FLOAT && opset < 19) return false;
  if (type == TensorProto::UINT8 || type == TensorProto::INT8) return opset >= 13;
  return packed_bits(type) != 0 && opset >= opset_of_packed(type);
}

// y = clip(round(x / y_scale) + y_zero_point, low, high), rounded to even
Lowering lower(const CallSite& site) {
  const std::optional<int> source = site.dtype(0);
  // Without a zero point the result is uint8.
  const bool shifted = site.has_input(2);
  const int type = shifted ? site.need_dtype(2) : TensorProto::UINT8;
  const std::optional<Range> range = range_of(type);
  if (!range) return Declined{"the type of y_zero_point is not one of 4, 8 or 16 bits"};
  if (packed_bits(type) != 0 && site.opset() < opset_of_packed(type)) {
    return Declined{fmt::format("its result has {} bits, and integers of so few are of opset {}", packed_bits(type),
                                opset_of_packed(type))};
  }
  const bool standard = source && is_standard(site, type, *source);
  Body body("com.microsoft", "QuantizeLinear", first_names({"x", "y_scale", "y_zero_point"}, site.input_count()), {"y"},
            standard ? 21 : 15);
  if (standard) {
    body("y", "QuantizeLinear", {"x", "y_scale", shifted ? "y_zero_point" : ""});
    body.copy_attributes(site, {"axis"}, "QuantizeLinear");
    return body.function();
  }
  const std::string scale = along_axis(site, body, 1, "y_scale");
  body("x_float", "Cast", {"x"}, {{"to", 1}});
  body("scale_float", "Cast", {scale}, {{"to", 1}});
  body("quotient", "Div", {"x_float", "scale_float"});
  body("whole", "Round", {"quotient"});
  std::string sum = "whole";
  if (shifted) {
    const std::string zero = along_axis(site, body, 2, "y_zero_point");
    body("zero_float", "Cast", {zero}, {{"to", 1}});
    body("sum", "Add", {"whole", "zero_float"});
    sum = "sum";
  }
  const std::string low = body.float_scalar(static_cast<double>(range->low), "low");
  const std::string high = body.float_scalar(static_cast<double>(range->high), "high");
  body("saturated", "Clip", {sum, low, high});
  body("y", "Cast", {"saturated"}, {{"to", type}});
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "QuantizeLinear",
    .summary =
        "round(x / scale) + zero point, saturated, also to the types that ONNX's operator has from opset 21 on only.",
    .source = "ONNX Runtime's contrib operator QuantizeLinear",
    .attributes = "axis",
    .inputs = "x, y_scale, y_zero_point",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_QuantizeLinear
