// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/native_rule.h"

namespace onnx_lower {
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
std::string other_axes(int rank, int64_t axis) {
  std::vector<int> axes;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) axes.push_back(i);
  }
  return fmt::format("{}", fmt::join(axes, ", "));
}

Lowering lower(const CallSite& site) {
  const auto scale_rank = site.rank(1);
  const auto type = site.has_input(2) ? site.dtype(2) : std::optional<int>(onnx::TensorProto::UINT8);
  if (!type || !scale_rank) return Declined{"the type of its zero point or the rank of its scale is not known"};
  if (*scale_rank > 1) return Declined{"scales in blocks have no equivalent"};
  const auto limits = limits_of(*type);
  if (!limits) return Declined{"the type of its zero point is not an integer of 8 or 16 bits"};
  std::string body;
  std::string scale = "y_scale";
  std::string zero = "y_zero_point";
  if (*scale_rank == 1) {
    const int rank = site.need_rank(0);
    const int64_t axis = site.attribute_int("axis", 1);
    if (rank > 1) {
      const std::string axes = other_axes(rank, axis < 0 ? axis + rank : axis);
      body += fmt::format("scales = Unsqueeze <axes: ints = [{}]> (y_scale)\n", axes);
      scale = "scales";
      if (site.has_input(2)) body += fmt::format("zeros = Unsqueeze <axes: ints = [{}]> (y_zero_point)\n", axes);
      zero = "zeros";
    }
  }
  body += fmt::format("divided = Div (x, {})\n rounded = Round (divided)\n", scale);
  std::string moved = "rounded";
  if (site.has_input(2)) {
    body += fmt::format("zero_number = CastLike ({}, x)\n moved = Add (rounded, zero_number)\n", zero);
    moved = "moved";
  }
  body += fmt::format(R"(low_value = Constant <value_float = {}.0> ()
      high_value = Constant <value_float = {}.0> ()
      low = CastLike (low_value, x)
      high = CastLike (high_value, x)
      limited = Clip ({}, low, high)
      y = Cast <to = {}> (limited))",
                      limits->low, limits->high, moved, *type);
  // Unsqueeze with its axes as attribute is of 11; what is newer than that is lowered in its turn.
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 12]> QuantizeLinear (x, y_scale, y_zero_point) => (y) {{ {} }})",
      body));
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
}  // namespace onnx_lower
