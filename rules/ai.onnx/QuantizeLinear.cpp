// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "scales_of_elements.h"

namespace onnx_lower::native_rules::ai_onnx_QuantizeLinear {
namespace {

struct Limits {
  int low;
  int high;
};

std::optional<Limits> limits_of(int type) {
  switch (type) {
    case onnx::TensorProto::UINT8:
      return Limits{0, 255};
    case onnx::TensorProto::INT8:
      return Limits{-128, 127};
    case onnx::TensorProto::UINT16:
      return Limits{0, 65535};
    case onnx::TensorProto::INT16:
      return Limits{-32768, 32767};
    default:
      return std::nullopt;
  }
}

constexpr int float32 = onnx::TensorProto::FLOAT;

// As a QuantizeLinear of float, which divides in float.
Lowering divided_in_float(const CallSite& site) {
  Body body("ai.onnx", "QuantizeLinear", {"x", "y_scale", "y_zero_point"}, {"y"}, 21);
  body("number", "Cast", {"x"}, {{"to", float32}});
  body("scale", "Cast", {"y_scale"}, {{"to", float32}});
  body("y", "QuantizeLinear", {"number", "scale", "y_zero_point"});
  body.copy_attributes(site, {"axis", "block_size", "output_dtype", "saturate"}, "QuantizeLinear");
  return body.function();
}

// With a zero point that says the type of the output, in place of the attribute.
Lowering with_zero_point(const CallSite& site, int output_dtype) {
  Body body("ai.onnx", "QuantizeLinear", {"x", "y_scale", "y_zero_point"}, {"y"}, 21);
  std::string zero = "y_zero_point";
  if (!site.has_input(2))
    zero = body.constant("zero", tensor_of(static_cast<onnx::TensorProto::DataType>(output_dtype), {}, Ints{0}));
  body("y", "QuantizeLinear", {"x", "y_scale", zero});
  body.copy_attributes(site, {"axis", "block_size", "saturate"}, "QuantizeLinear");
  return body.function();
}

Lowering lower(const CallSite& site) {
  const auto precision = static_cast<int>(site.attribute_int("precision", 0));
  if (precision == float32) return divided_in_float(site);
  const auto scale_rank = site.rank(1);
  if (!scale_rank) return Declined{"the rank of its scale is not known"};
  const int64_t output_dtype = site.attribute_int("output_dtype", 0);
  const auto type = site.has_input(2)   ? site.dtype(2)
                    : output_dtype != 0 ? static_cast<int>(output_dtype)
                                        : std::optional<int>(onnx::TensorProto::UINT8);
  if (!type) return Declined{"the type of its zero point is not known"};
  const auto limits = limits_of(*type);
  if (!limits) return Declined{"its output is not of integers of 8 or 16 bits"};
  if (output_dtype != 0 && precision == 0 && (site.has_input(2) || *scale_rank == 0))
    return with_zero_point(site, *type);
  const int64_t block_size = site.attribute_int("block_size", 0);
  if (*scale_rank > 1 && block_size < 1) return Declined{"its scale is neither one number, nor a list, nor in blocks"};
  Body body("ai.onnx", "QuantizeLinear", {"x", "y_scale", "y_zero_point"}, {"y"}, 12);
  std::string number = "x", scale = "y_scale", zero = "y_zero_point";
  if (precision != 0) {
    number = body("number", "Cast", {"x"}, {{"to", precision}});
    scale = body("scale", "Cast", {"y_scale"}, {{"to", precision}});
  }
  if (*scale_rank > 0) {
    const int rank = site.need_rank(0);
    const int64_t given = site.attribute_int("axis", 1);
    const int64_t axis = given < 0 ? given + rank : given;
    if (block_size > 0) {
      const std::string block = append_blocks(body, "x", axis, block_size);
      scale = body("scales", "Gather", {scale, block}, {{"axis", axis}});
      if (site.has_input(2)) zero = body("zeros", "Gather", {zero, block}, {{"axis", axis}});
    } else if (rank > 1) {
      const Ints axes = other_axes(rank, axis);
      scale = body("scales", "Unsqueeze", {scale}, {{"axes", axes}});
      if (site.has_input(2)) zero = body("zeros", "Unsqueeze", {zero}, {{"axes", axes}});
    }
  }
  body("divided", "Div", {number, scale});
  number = body("rounded", "Round", {"divided"});
  // A float16 or bfloat16 holds the codes of 8 bits, and of more it does not.
  const bool holds_codes = precision == 0 && (site.dtype(0) == float32 || limits->high < 256);
  if (!holds_codes) number = body("wide", "Cast", {number}, {{"to", float32}});
  const std::string like = holds_codes ? "x" : number;
  if (site.has_input(2)) {
    body("zero_number", "CastLike", {zero, like});
    number = body("moved", "Add", {number, "zero_number"});
  }
  body.constant("low_value", static_cast<float>(limits->low));
  body.constant("high_value", static_cast<float>(limits->high));
  body("low", "CastLike", {"low_value", like});
  body("high", "CastLike", {"high_value", like});
  body("limited", "Clip", {number, "low", "high"});
  body("y", "Cast", {"limited"}, {{"to", *type}});
  // Unsqueeze with its axes as attribute is of 11; what is newer than that is lowered in its turn.
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "QuantizeLinear",
                      .summary =
                          "x / scale rounded to even, moved by the zero point and limited, per tensor, along an axis "
                          "(from 13 on) or in blocks (from 21 on).",
                      .source = "ONNX QuantizeLinear-10, QuantizeLinear-13, QuantizeLinear-21, QuantizeLinear-23",
                      .attributes = "axis, block_size, output_dtype, precision, saturate",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_QuantizeLinear
