// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

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

// Axes that make a vector along `axis` broadcast against a tensor of this rank.
Ints other_axes(int rank, int64_t axis) {
  Ints axes;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) axes.push_back(i);
  }
  return axes;
}

Lowering lower(const CallSite& site) {
  const auto scale_rank = site.rank(1);
  const auto type = site.has_input(2) ? site.dtype(2) : std::optional<int>(onnx::TensorProto::UINT8);
  if (!type || !scale_rank) return Declined{"the type of its zero point or the rank of its scale is not known"};
  if (*scale_rank > 1) return Declined{"scales in blocks have no equivalent"};
  const auto limits = limits_of(*type);
  if (!limits) return Declined{"the type of its zero point is not an integer of 8 or 16 bits"};
  Body body("ai.onnx", "QuantizeLinear", {"x", "y_scale", "y_zero_point"}, {"y"}, 12);
  std::string scale = "y_scale";
  std::string zero = "y_zero_point";
  if (*scale_rank == 1) {
    const int rank = site.need_rank(0);
    const int64_t axis = site.attribute_int("axis", 1);
    if (rank > 1) {
      const Ints axes = other_axes(rank, axis < 0 ? axis + rank : axis);
      body("scales", "Unsqueeze", {"y_scale"}, {{"axes", axes}});
      scale = "scales";
      if (site.has_input(2)) body("zeros", "Unsqueeze", {"y_zero_point"}, {{"axes", axes}});
      zero = "zeros";
    }
  }
  body("divided", "Div", {"x", scale});
  body("rounded", "Round", {"divided"});
  std::string moved = "rounded";
  if (site.has_input(2)) {
    body("zero_number", "CastLike", {zero, "x"});
    body("moved", "Add", {"rounded", "zero_number"});
    moved = "moved";
  }
  body.constant("low_value", static_cast<float>(limits->low));
  body.constant("high_value", static_cast<float>(limits->high));
  body("low", "CastLike", {"low_value", "x"});
  body("high", "CastLike", {"high_value", "x"});
  body("limited", "Clip", {moved, "low", "high"});
  body("y", "Cast", {"limited"}, {{"to", *type}});
  // Unsqueeze with its axes as attribute is of 11; what is newer than that is lowered in its turn.
  return body.function();
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "QuantizeLinear",
    .summary =
        "x / scale rounded to even, moved by the zero point and limited, per tensor or along an axis (from 13 on).",
    .source = "ONNX QuantizeLinear-10, QuantizeLinear-13",
    .attributes = "axis, saturate",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_QuantizeLinear
