// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "packed_integers.h"

namespace onnx_lower {
namespace {

// Axes that make a vector along `axis` broadcast against a tensor of this rank.
std::string other_axes(int rank, int64_t axis) {
  std::vector<int> axes;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) axes.push_back(i);
  }
  return fmt::format("{}", fmt::join(axes, ", "));
}

// Gives each element along the axis the scale, or zero point, of its block.
std::string spread_over_blocks(const std::string& value, int64_t axis, const std::string& result) {
  return fmt::format("{} = Gather <axis = {}> ({}, block)\n", result, axis, value);
}

Lowering lower(const CallSite& site) {
  const auto type = site.dtype(1);
  const auto scale_rank = site.rank(1);
  if (!type || !scale_rank) return Declined{"the type and rank of its scale are not known"};
  const int64_t block_size = site.attribute_int("block_size", 0);
  if (block_size < 0) return Declined{"block_size is negative"};
  const auto rank = site.rank(0);
  if (*scale_rank > 0 && !rank) return Declined{"the rank of its input is not known"};
  if (*scale_rank > 1 && (block_size == 0 || scale_rank != rank)) {
    return Declined{"its scale is neither one number, nor a list, nor in blocks"};
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
  const bool shifted = site.has_input(2);
  std::string body = fmt::format("wide = Cast <to = 6> ({})\n", codes[0]);
  if (shifted) body += fmt::format("wide_zero = Cast <to = 6> ({})\n", codes[1]);
  std::string scale = "x_scale";
  std::string zero = "wide_zero";
  int64_t axis = site.attribute_int("axis", 1);
  if (axis < 0 && rank) axis += *rank;
  if (block_size > 0 && *scale_rank > 0) {
    body += fmt::format(R"(shape = Shape ({})
      place = Constant <value = int64 {{{}}}> ()
      size = Gather <axis = 0> (shape, place)
      none = Constant <value = int64 {{0}}> ()
      one = Constant <value = int64 {{1}}> ()
      element = Range (none, size, one)
      block_size = Constant <value = int64 {{{}}}> ()
      block = Div (element, block_size)
      )",
                        codes[0], axis, block_size);
    body += spread_over_blocks(scale, axis, "scales");
    if (shifted) body += spread_over_blocks(zero, axis, "zeros");
    scale = "scales";
    zero = "zeros";
  } else if (*scale_rank == 1 && *rank > 1) {
    const std::string axes = other_axes(*rank, axis);
    body += fmt::format("scales = Unsqueeze <axes: ints = [{}]> (x_scale)\n", axes);
    if (shifted) body += fmt::format("zeros = Unsqueeze <axes: ints = [{}]> (wide_zero)\n", axes);
    scale = "scales";
    zero = "zeros";
  }
  if (shifted) body += fmt::format("difference = Sub (wide, {})\n", zero);
  body +=
      fmt::format("number = Cast <to = {}> ({})\n y = Mul (number, {})", *type, shifted ? "difference" : "wide", scale);
  onnx::FunctionProto function = function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 11]> DequantizeLinear (x, x_scale, x_zero_point) => (y) {{ {} }})",
      body));
  put_first(function, std::move(constants));
  return function;
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "DequantizeLinear",
    .summary = "(x - zero point) * scale, per tensor, along an axis (from 13 on) or in blocks (from 21 on).",
    .source = "ONNX DequantizeLinear-10, DequantizeLinear-13, DequantizeLinear-21",
    .attributes = "axis, block_size",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
