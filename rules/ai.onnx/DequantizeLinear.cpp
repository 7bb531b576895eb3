// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "packed_integers.h"

namespace onnx_lower {
namespace {

// Axes that make a vector along `axis` broadcast against a tensor of this rank.
Ints other_axes(int rank, int64_t axis) {
  Ints axes;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) axes.push_back(i);
  }
  return axes;
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
  Body body("ai.onnx", "DequantizeLinear", {"x", "x_scale", "x_zero_point"}, {"y"}, 11);
  std::vector<std::string> codes{"x", "x_zero_point"};
  for (const int input : {0, 2}) {
    if (!is_packed_too_new(site, input)) continue;
    codes[input / 2] += "_bytes";
    append_widened(site, body, input, codes[input / 2]);
  }
  const bool shifted = site.has_input(2);
  body("wide", "Cast", {codes[0]}, {{"to", 6}});
  if (shifted) body("wide_zero", "Cast", {codes[1]}, {{"to", 6}});
  std::string scale = "x_scale";
  std::string zero = "wide_zero";
  int64_t axis = site.attribute_int("axis", 1);
  if (axis < 0 && rank) axis += *rank;
  if (block_size > 0 && *scale_rank > 0) {
    body("shape", "Shape", {codes[0]});
    body.constant("place", axis);
    body("size", "Gather", {"shape", "place"}, {{"axis", 0}});
    body.constant("none", 0);
    body.constant("one", 1);
    body("element", "Range", {"none", "size", "one"});
    body.constant("block_size", block_size);
    body("block", "Div", {"element", "block_size"});
    // Each element along the axis gets the scale, or zero point, of its block.
    body("scales", "Gather", {scale, "block"}, {{"axis", axis}});
    if (shifted) body("zeros", "Gather", {zero, "block"}, {{"axis", axis}});
    scale = "scales";
    zero = "zeros";
  } else if (*scale_rank == 1 && *rank > 1) {
    const Ints axes = other_axes(*rank, axis);
    body("scales", "Unsqueeze", {"x_scale"}, {{"axes", axes}});
    if (shifted) body("zeros", "Unsqueeze", {"wide_zero"}, {{"axes", axes}});
    scale = "scales";
    zero = "zeros";
  }
  if (shifted) body("difference", "Sub", {"wide", zero});
  body("number", "Cast", {shifted ? "difference" : "wide"}, {{"to", *type}});
  body("y", "Mul", {"number", scale});
  return body.function();
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
