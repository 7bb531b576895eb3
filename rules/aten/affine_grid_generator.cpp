// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_affine_grid_generator {
namespace {

using onnx::TensorProto;

// Gives the places of the points along an axis from -1 to 1: from end to end, or in the middle of
// equal parts. Along the `behind` axes after that one the places are the same.
std::string places(Body& body, char axis, int64_t dimension, int64_t behind, bool from_end_to_end) {
  const auto name = [axis](std::string_view stem) { return fmt::format("{}_{}", stem, axis); };
  const std::string at = body.constant(name("at"), dimension);
  const std::string count = body(name("n"), "Gather", {"size", at}, {{"axis", 0}});
  const std::string numbers = body(name("i"), "Range", {"i0", count, "i1"});
  const std::string number = body(name("r"), "CastLike", {numbers, "theta"});
  const std::string parts = body(name("f"), "CastLike", {count, "theta"});
  std::string place;
  if (from_end_to_end) {
    const std::string last = body(name("last"), "Sub", {parts, "one"});
    const std::string more = body(name("more"), "Cast", {last}, {{"to", TensorProto::BOOL}});
    const std::string divisor = body(name("d"), "Where", {more, last, "one"});
    const std::string twice = body(name("t"), "Add", {number, number});
    const std::string share = body(name("s"), "Div", {twice, divisor});
    // A single point is in the middle.
    const std::string start = body(name("start"), "Where", {more, "one", last});
    place = body(name("v"), "Sub", {share, start});
  } else {
    const std::string twice = body(name("t"), "Add", {number, number});
    const std::string middle = body(name("u"), "Add", {twice, "one"});
    const std::string share = body(name("s"), "Div", {middle, parts});
    place = body(name("v"), "Sub", {share, "one"});
  }
  Ints shape(static_cast<size_t>(behind) + 1, 1);
  shape[0] = -1;
  return body(name("w"), "Reshape", {place, body.constant(name("shape"), shape)});
}

Lowering lower(const CallSite& site) {
  const int64_t rank = site.need_dim(1, 0);
  if (rank != 4 && rank != 5) return Declined{fmt::format("size has {} elements", rank)};
  const bool from_end_to_end = site.need_number(2, 0) != 0;
  const int64_t axis_count = rank - 2;
  Body body("aten", "affine_grid_generator", {"theta", "size", "align_corners"}, {"y"}, 18);
  body.constant("i0", 0);
  body.constant("i1", 1);
  body.constant_like("one", tensor_of(TensorProto::DOUBLE, {}, std::vector<double>{1}), "theta");
  Ints behind = {1, 2};
  if (axis_count == 3) behind.push_back(3);
  body.constant("axes", behind);
  const std::string_view axes = std::string_view("xyz").substr(0, static_cast<size_t>(axis_count));
  for (int64_t k = axis_count - 1; k >= 0; --k)
    places(body, axes[static_cast<size_t>(k)], rank - 1 - k, k + 1, from_end_to_end);
  // The columns of the map theta: a factor for each axis, and a summand.
  for (int64_t column = 0; column <= axis_count; ++column) {
    const char axis = column == axis_count ? 'c' : axes[static_cast<size_t>(column)];
    const std::string at = body.constant(fmt::format("col_{}", axis), column);
    const std::string factor = body(fmt::format("g_{}", axis), "Gather", {"theta", at}, {{"axis", 2}});
    body(fmt::format("h_{}", axis), "Unsqueeze", {factor, "axes"});
  }
  for (const char axis : axes)
    body(fmt::format("p_{}", axis), "Mul", {fmt::format("h_{}", axis), fmt::format("w_{}", axis)});
  std::string sum = "p_x";
  for (const char axis : axes.substr(1))
    sum = body(fmt::format("sum_{}", axis), "Add", {sum, fmt::format("p_{}", axis)});
  body("y", "Add", {sum, "h_c"});
  return body.function();
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "affine_grid_generator",
    .summary = "The coordinates in a source image of each point of a target of the given size, under an affine map.",
    .source = "aten::affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor",
    .inputs = "theta, size, align_corners",
    .needed_inputs = 3,
    .most_inputs = 3,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_affine_grid_generator
