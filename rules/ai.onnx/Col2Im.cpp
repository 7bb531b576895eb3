// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Blocks put together to images.
//
// Where the sizes of image and block are known, one axis after the other: what each cell of the
// block adds to the axis is padded to its length, and the cells are summed; blocks that tile the
// image are only put in order. For sizes that are known only when the model runs, each place of the
// image looks for itself in each cell of the block: the block's place is a number, or there is
// none, which the sums see as a zero behind the last column.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Col2Im {
namespace {

struct Axis {
  int64_t image = 0, block = 0, count = 0, stride = 1, dilation = 1, begin = 0, end = 0;

  bool is_tiled() const { return stride == block && dilation == 1 && begin == 0 && end == 0 && image == block * count; }
};

// More cells along one axis take more nodes than the other way is slow.
constexpr int64_t most_cells = 32;
// No runtime has tensors of more.
constexpr int64_t most_axes = 64;

// What one cell adds to the image: its blocks' elements, from `first` on, and zeros around them.
std::string in_image(Body& body, std::string values, int64_t first, int64_t length, int64_t image, int64_t axis,
                     int64_t rank) {
  const int64_t from = std::max<int64_t>(-first, 0), to = std::min(length, image - first);
  if (from > 0 || to < length) values = body.slice(values, from, std::max(from, to), axis, "within");
  const int64_t before = std::clamp<int64_t>(first, 0, image), inside = std::max<int64_t>(to - from, 0);
  const int64_t after = image - before - inside;
  if (before == 0 && after == 0) return values;
  std::vector<int64_t> widths(static_cast<size_t>(2 * rank), 0);
  widths[static_cast<size_t>(axis)] = before;
  widths[static_cast<size_t>(axis + rank)] = after;
  const std::string padded = body.fresh("padded");
  body(padded, "Pad", {values, body.ints(widths, "widths")});
  return padded;
}

Lowering by_cells(const CallSite& site, const std::vector<Axis>& axes) {
  Body body("ai.onnx", "Col2Im", {"input", "image_shape", "block_shape"}, {"output"}, 13);
  const auto count = static_cast<int64_t>(axes.size());
  Ints blocks;
  for (const Axis& axis : axes) blocks.push_back(axis.block);
  const auto cells = static_cast<int64_t>(list_size(blocks));
  const std::optional<int64_t> rows = site.dim(0, 1);
  // Batch, channels, then cells and blocks of each axis.
  std::vector<int64_t> shape = {0, rows ? *rows / cells : -1};
  for (const Axis& axis : axes) shape.push_back(axis.block);
  for (const Axis& axis : axes) shape.push_back(axis.count);
  std::string values = body.reshape("input", shape, "cells");
  if (std::ranges::all_of(axes, &Axis::is_tiled)) {
    std::vector<int64_t> order = {0, 1}, image = {0, shape[1]};
    for (int64_t i = 0; i < count; ++i) {
      order.push_back(2 + count + i);
      order.push_back(2 + i);
      image.push_back(axes[static_cast<size_t>(i)].image);
    }
    body("output", "Identity", {body.reshape(body.transpose(values, order, "in_order"), image, "image")});
    return body.function();
  }
  for (int64_t i = count - 1; i >= 0; --i) {
    const Axis& axis = axes[static_cast<size_t>(i)];
    const int64_t cell_axis = 2 + i, block_axis = 2 + 2 * i + 1;
    int64_t length = axis.count;
    if (axis.stride > 1) {
      // Zeros between the elements of neighbouring blocks.
      std::vector<int64_t> apart = shape;
      apart.insert(apart.begin() + block_axis + 1, 1);
      const std::string column = body.reshape(values, apart, "column");
      length *= axis.stride;
      shape[static_cast<size_t>(block_axis)] = length;
      values =
          body.reshape(in_image(body, column, 0, 1, axis.stride, block_axis + 1, static_cast<int64_t>(apart.size())),
                       shape, "apart");
    }
    shape.erase(shape.begin() + cell_axis);
    shape[static_cast<size_t>(block_axis - 1)] = axis.image;
    std::string sum;
    for (int64_t cell = 0; cell < axis.block; ++cell) {
      const std::string one = body.fresh("one_cell");
      body(one, "Gather", {values, body.scalar(cell, "cell")}, {{"axis", cell_axis}});
      const std::string part = in_image(body, one, cell * axis.dilation - axis.begin, length, axis.image,
                                        block_axis - 1, static_cast<int64_t>(shape.size()));
      if (sum.empty()) {
        sum = part;
        continue;
      }
      sum = body.made("sum", "Add", {sum, part});
    }
    values = sum;
  }
  body("output", "Identity", {values});
  return body.function();
}

Lowering lower(const CallSite& site) {
  std::optional<int64_t> known = site.dim(1, 0) ? site.dim(1, 0) : site.dim(2, 0);
  if (!known || *known < 1) return Declined{"the number of the image's dimensions is not known"};
  if (*known > most_axes) return Declined{fmt::format("its image has {} dimensions", *known)};
  const auto axes = static_cast<size_t>(*known);
  const auto list = [&](const char* name, size_t length, int64_t otherwise) {
    const std::vector<int64_t> values = site.attribute_ints(name, std::vector<int64_t>(length, otherwise));
    if (values.size() != length) decline(fmt::format("'{}' has {} numbers, not {}", name, values.size(), length));
    return values;
  };
  const std::vector<int64_t> dilations = list("dilations", axes, 1), strides = list("strides", axes, 1);
  const std::vector<int64_t> pads = list("pads", 2 * axes, 0);
  if (site.constant_ints(1) && site.constant_ints(2)) {
    const Ints image_shape = site.need_sizes(1, axes), block_shape = site.need_sizes(2, axes);
    std::vector<Axis> known_axes;
    for (size_t i = 0; i < axes; ++i) {
      Axis axis{image_shape[i], block_shape[i], 0, strides[i], dilations[i], pads[i], pads[i + axes]};
      if (axis.block < 1 || axis.stride < 1 || axis.dilation < 1)
        decline("a block size, stride or dilation is not positive");
      axis.count = (axis.image + axis.begin + axis.end - axis.dilation * (axis.block - 1) - 1) / axis.stride + 1;
      known_axes.push_back(axis);
    }
    if (std::ranges::all_of(known_axes, [](const Axis& axis) { return axis.block <= most_cells && axis.count > 0; }))
      return by_cells(site, known_axes);
  }
  Body body("ai.onnx", "Col2Im", {"input", "image_shape", "block_shape"}, {"output"}, 15);
  const std::string none = body.scalar(0, "none"), one = body.scalar(1, "one");
  std::string counts, places, found;
  for (size_t axis = 0; axis < axes; ++axis) {
    const auto line = [&](std::string_view name, std::string_view op_type, const Values& inputs,
                          std::initializer_list<BodyAttribute> attributes = {}) {
      return body(fmt::format("{}_{}", name, axis), op_type, inputs, attributes);
    };
    const std::string at = body.scalar(static_cast<int64_t>(axis), "at");
    const std::string dilation = body.scalar(dilations[axis], "dilation"),
                      stride = body.scalar(strides[axis], "stride");
    const std::string begin = body.scalar(pads[axis], "begin"),
                      both = body.scalar(pads[axis] + pads[axis + axes], "both");
    const std::string image = line("image", "Gather", {"image_shape", at}, {{"axis", 0}});
    const std::string block = line("block", "Gather", {"block_shape", at}, {{"axis", 0}});
    const std::string padded = line("padded", "Add", {image, both});
    const std::string last_cell = line("last_cell", "Sub", {block, one});
    const std::string reach = line("reach", "Mul", {last_cell, dilation});
    const std::string way = line("way", "Sub", {padded, reach});
    const std::string way_on = line("way_on", "Sub", {way, one});
    const std::string steps = line("steps", "Div", {way_on, stride});
    const std::string count = line("count", "Add", {steps, one});
    // (cells of the block) x (places of the image), each in a dimension of its own.
    const std::string cells = line("cells", "Range", {none, block, one});
    const std::string points = line("points", "Range", {none, image, one});
    std::vector<int64_t> cell_shape(2 * axes, 1), point_shape(axes, 1);
    cell_shape[axis] = -1;
    point_shape[axis] = -1;
    const std::string cell = body.reshape(cells, cell_shape), point = body.reshape(points, point_shape);
    const std::string offset = line("offset", "Mul", {cell, dilation});
    const std::string moved = line("moved", "Add", {point, begin});
    const std::string from_start = line("from_start", "Sub", {moved, offset});
    const std::string quotient = line("quotient", "Div", {from_start, stride});
    const std::string multiple = line("multiple", "Mul", {quotient, stride});
    const std::string is_multiple = line("is_multiple", "Equal", {multiple, from_start});
    const std::string is_negative = line("is_negative", "Less", {from_start, none});
    const std::string not_negative = line("not_negative", "Not", {is_negative});
    const std::string not_behind = line("not_behind", "Less", {quotient, count});
    const std::string within = line("within", "And", {not_negative, not_behind});
    const std::string meets = line("meets", "And", {is_multiple, within});
    // Numbers of cells and of blocks, in which later axes count faster.
    const auto join = [&](const char* name, const std::string& so_far, const std::string& factor,
                          const std::string& more) {
      if (so_far.empty()) return more;
      const std::string product = line(fmt::format("{}_product", name), "Mul", {so_far, factor});
      return line(name, "Add", {product, more});
    };
    counts = counts.empty() ? count : line("counts", "Mul", {counts, count});
    places = join("places", places, count, quotient);
    found = found.empty() ? meets : line("found", "And", {found, meets});
  }
  // All cells of the block before the image's places.
  std::string cell_number;
  for (size_t axis = 0; axis < axes; ++axis) {
    std::vector<int64_t> cell_shape(2 * axes, 1);
    cell_shape[axis] = -1;
    const std::string cell = body.reshape(fmt::format("cells_{}", axis), cell_shape);
    if (cell_number.empty()) {
      cell_number = cell;
      continue;
    }
    body(fmt::format("cell_product_{}", axis), "Mul", {cell_number, fmt::format("block_{}", axis)});
    body(fmt::format("cell_number_{}", axis), "Add", {fmt::format("cell_product_{}", axis), cell});
    cell_number = fmt::format("cell_number_{}", axis);
  }
  body("first_of_cell", "Mul", {cell_number, counts});
  body("column", "Add", {"first_of_cell", places});
  body("cell_count", "ReduceProd", {"block_shape"}, {{"axes", Ints{0}}, {"keepdims", 1}});
  body("column_count", "Mul", {"cell_count", counts});
  body("behind_last", "Squeeze", {"column_count"});
  body("index", "Where", {found, "column", "behind_last"});
  const std::string batch = body.dim_list("input", 0), rows = body.dim_list("input", 1),
                    single = body.ints({1}, "single");
  // Not a -1, which a runtime does not find beside a batch of 0.
  body("channel_count", "Div", {rows, "cell_count"});
  body("columns_shape", "Concat", {batch, "channel_count", "column_count"}, {{"axis", 0}});
  body("columns", "Reshape", {"input", "columns_shape"});
  body("channel_shape", "Shape", {"columns"});
  const std::string third = body.ints({2}, "third");
  body("border_shape", "ScatterElements", {"channel_shape", third, single}, {{"axis", 0}});
  body.constant("number", 0.0);
  body("zero", "CastLike", {"number", "input"});
  body("border", "Expand", {"zero", "border_shape"});
  body("with_border", "Concat", {"columns", "border"}, {{"axis", 2}});
  body("parts", "Gather", {"with_border", "index"}, {{"axis", 2}});
  std::vector<int64_t> summed;
  for (size_t axis = 0; axis < axes; ++axis) summed.push_back(static_cast<int64_t>(axis) + 2);
  body("output", "ReduceSum", {"parts", body.ints(summed, "summed")}, {{"keepdims", 0}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Col2Im",
                      .summary = "Blocks put together to images: each place of an image sums what lies over it.",
                      .source = "ONNX Col2Im-18",
                      .attributes = "dilations, pads, strides",
                      .needed_inputs = 3,
                      .most_inputs = 3,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Col2Im
