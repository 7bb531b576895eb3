// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Blocks put together to images, for sizes that may be known only when the model runs.
//
// Each place of the image looks for itself in each cell of the block: the block's place is a number, or there is none, which the sums see as a zero behind the last column.
#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  std::optional<int64_t> known = site.dim(1, 0) ? site.dim(1, 0) : site.dim(2, 0);
  if (!known || *known < 1) return Declined{"the number of the image's dimensions is not known"};
  const auto axes = static_cast<size_t>(*known);
  const auto list = [&](const char* name, size_t length, int64_t otherwise) {
    const std::vector<int64_t> values = site.attribute_ints(name, std::vector<int64_t>(length, otherwise));
    if (values.size() != length) decline(fmt::format("'{}' has {} numbers, not {}", name, values.size(), length));
    return values;
  };
  const std::vector<int64_t> dilations = list("dilations", axes, 1), strides = list("strides", axes, 1);
  const std::vector<int64_t> pads = list("pads", 2 * axes, 0);
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
  const std::string batch = body.dim_list("input", 0), any = body.ints({-1}, "any"), single = body.ints({1}, "single");
  body("columns_shape", "Concat", {batch, any, "column_count"}, {{"axis", 0}});
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
}  // namespace onnx_lower
