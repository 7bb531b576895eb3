// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/scales_of_elements.h"

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

// The same node with none but `kept_attributes`, and with a zero point of 0 if `zero_type`
// is given.
Lowering plain_node(const CallSite& site, std::initializer_list<std::string_view> kept_attributes,
                    std::optional<int> zero_type = std::nullopt) {
  Body body("ai.onnx", "QuantizeLinear", {"x", "y_scale", "y_zero_point"}, {"y"}, 21);
  std::string zero = "y_zero_point";
  if (zero_type)
    zero = body.constant("zero", tensor_of(static_cast<onnx::TensorProto::DataType>(*zero_type), {}, Ints{0}));
  body("y", "QuantizeLinear", {"x", "y_scale", zero});
  body.copy_attributes(site, kept_attributes, "QuantizeLinear");
  return body.function();
}

// y = clip(round(x / y_scale) + y_zero_point, least, greatest), rounded to even
Lowering lower(const CallSite& site) {
  // ONNX Runtime 1.31 divides in float, whatever the types of its inputs are, and does not look
  // at `precision`.
  if (site.attribute_int("precision", 0) != 0)
    return plain_node(site, {"axis", "block_size", "output_dtype", "saturate"});
  const auto scale_rank = site.rank(1);
  if (!scale_rank) return Declined{"the rank of its scale is not known"};
  const int64_t output_dtype = site.attribute_int("output_dtype", 0);
  const auto type = site.has_input(2)   ? site.dtype(2)
                    : output_dtype != 0 ? static_cast<int>(output_dtype)
                                        : std::optional<int>(onnx::TensorProto::UINT8);
  if (!type) return Declined{"the type of its zero point is not known"};
  const auto limits = limits_of(*type);
  if (!limits) return Declined{"its output is not of integers of 8 or 16 bits"};
  // The zero point says the type of the output as well as output_dtype does.
  if (output_dtype != 0 && site.has_input(2)) return plain_node(site, {"axis", "block_size", "saturate"});
  if (output_dtype != 0 && *scale_rank == 0) return plain_node(site, {"axis", "saturate"}, type);
  const int64_t block_size = site.attribute_int("block_size", 0);
  if (*scale_rank > 1 && block_size < 1) return Declined{"its scale is neither one number, nor a list, nor in blocks"};
  decline_lists_for_a_number(site);
  Body body("ai.onnx", "QuantizeLinear", {"x", "y_scale", "y_zero_point"}, {"y"}, 12);
  std::string number = site.dtype(0) == float32 ? "x" : body("number", "Cast", {"x"}, {{"to", float32}});
  std::string scale = site.dtype(1) == float32 ? "y_scale" : body("scale", "Cast", {"y_scale"}, {{"to", float32}});
  std::string zero = "y_zero_point";
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
  if (site.has_input(2)) {
    body("zero_number", "Cast", {zero}, {{"to", float32}});
    number = body("moved", "Add", {number, "zero_number"});
  }
  body.constant("low_value", static_cast<float>(limits->low));
  body.constant("high_value", static_cast<float>(limits->high));
  body("limited", "Clip", {number, "low_value", "high_value"});
  body("y", "Cast", {"limited"}, {{"to", *type}});
  // Unsqueeze has its axes as an attribute below opset 13: for newer opsets it is lowered in
  // its turn.
  return body.function();
}

// Adds a zero point of 0, for a runtime that takes no QuantizeLinear without one.
Lowering with_zero_point(const CallSite& site) {
  if (site.has_input(2)) return Declined{"it has a zero point", {}, true};
  if (site.attribute("output_dtype") != nullptr) return Declined{"it says the type of its output", {}, true};
  if (site.version().value_or(0) > site.opset()) return Declined{"it is of a newer version", {}, true};
  return plain_node(site, {"axis", "block_size", "precision", "saturate"}, onnx::TensorProto::UINT8);
}

const NativeRule of_zero_point{.domain = "ai.onnx",
                               .op_type = "QuantizeLinear",
                               .summary = "With a zero point of 0, where it has none.",
                               .source = "ONNX QuantizeLinear-10, QuantizeLinear-13",
                               .attributes = "axis, block_size, precision, saturate",
                               .lower = with_zero_point};
const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "QuantizeLinear",
                      .summary =
                          "x / scale rounded to even, moved by the zero point and limited, per tensor, along an axis "
                          "(from 13 on) or in blocks (from 21 on).",
                      .source = "ONNX QuantizeLinear-10, QuantizeLinear-13, QuantizeLinear-21, QuantizeLinear-23",
                      .attributes = "axis, block_size, output_dtype, precision, saturate",
                      .lower = lower};
const NativeRule rules[] = {of_zero_point, rule};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_QuantizeLinear
