// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Blocks put together to images, for sizes that may be known only when the model runs.
//
// Each place of the image looks for itself in each cell of the block: the block's place is a number, or there is none, which the sums see as a zero behind the last column.
#include "../com.microsoft/body_text.h"

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
  BodyText body("ai.onnx", "Col2Im", {"input", "image_shape", "block_shape"}, {"output"}, 15);
  const std::string none = body.scalar(0, "none"), one = body.scalar(1, "one");
  std::string counts, places, found;
  for (size_t axis = 0; axis < axes; ++axis) {
    const auto line = [&](const char* name, const std::string& expression) {
      body.line("{}_{} = {}", name, axis, expression);
      return fmt::format("{}_{}", name, axis);
    };
    const std::string at = body.scalar(static_cast<int64_t>(axis), "at");
    const std::string dilation = body.scalar(dilations[axis], "dilation"),
                      stride = body.scalar(strides[axis], "stride");
    const std::string begin = body.scalar(pads[axis], "begin"),
                      both = body.scalar(pads[axis] + pads[axis + axes], "both");
    const std::string image = line("image", fmt::format("Gather <axis = 0> (image_shape, {})", at));
    const std::string block = line("block", fmt::format("Gather <axis = 0> (block_shape, {})", at));
    const std::string padded = line("padded", fmt::format("Add ({}, {})", image, both));
    const std::string last_cell = line("last_cell", fmt::format("Sub ({}, {})", block, one));
    const std::string reach = line("reach", fmt::format("Mul ({}, {})", last_cell, dilation));
    const std::string way = line("way", fmt::format("Sub ({}, {})", padded, reach));
    const std::string way_on = line("way_on", fmt::format("Sub ({}, {})", way, one));
    const std::string steps = line("steps", fmt::format("Div ({}, {})", way_on, stride));
    const std::string count = line("count", fmt::format("Add ({}, {})", steps, one));
    // (cells of the block) x (places of the image), each in a dimension of its own.
    const std::string cells = line("cells", fmt::format("Range ({}, {}, {})", none, block, one));
    const std::string points = line("points", fmt::format("Range ({}, {}, {})", none, image, one));
    std::vector<int64_t> cell_shape(2 * axes, 1), point_shape(axes, 1);
    cell_shape[axis] = -1;
    point_shape[axis] = -1;
    const std::string cell = body.reshape(cells, cell_shape), point = body.reshape(points, point_shape);
    const std::string offset = line("offset", fmt::format("Mul ({}, {})", cell, dilation));
    const std::string moved = line("moved", fmt::format("Add ({}, {})", point, begin));
    const std::string from_start = line("from_start", fmt::format("Sub ({}, {})", moved, offset));
    const std::string quotient = line("quotient", fmt::format("Div ({}, {})", from_start, stride));
    const std::string multiple = line("multiple", fmt::format("Mul ({}, {})", quotient, stride));
    const std::string is_multiple = line("is_multiple", fmt::format("Equal ({}, {})", multiple, from_start));
    const std::string is_negative = line("is_negative", fmt::format("Less ({}, {})", from_start, none));
    const std::string not_negative = line("not_negative", fmt::format("Not ({})", is_negative));
    const std::string not_behind = line("not_behind", fmt::format("Less ({}, {})", quotient, count));
    const std::string within = line("within", fmt::format("And ({}, {})", not_negative, not_behind));
    const std::string meets = line("meets", fmt::format("And ({}, {})", is_multiple, within));
    // Numbers of cells and of blocks, in which later axes count faster.
    const auto join = [&](const char* name, const std::string& so_far, const std::string& factor,
                          const std::string& more) {
      if (so_far.empty()) return more;
      const std::string product =
          line(fmt::format("{}_product", name).c_str(), fmt::format("Mul ({}, {})", so_far, factor));
      return line(name, fmt::format("Add ({}, {})", product, more));
    };
    counts = counts.empty() ? count : line("counts", fmt::format("Mul ({}, {})", counts, count));
    places = join("places", places, count, quotient);
    found = found.empty() ? meets : line("found", fmt::format("And ({}, {})", found, meets));
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
    body.line("cell_product_{0} = Mul ({1}, block_{0})", axis, cell_number);
    body.line("cell_number_{0} = Add (cell_product_{0}, {1})", axis, cell);
    cell_number = fmt::format("cell_number_{}", axis);
  }
  body.line("first_of_cell = Mul ({}, {})", cell_number, counts);
  body.line("column = Add (first_of_cell, {})", places);
  body.line("cell_count = ReduceProd <axes: ints = [0], keepdims = 1> (block_shape)");
  body.line("column_count = Mul (cell_count, {})", counts);
  body.line("behind_last = Squeeze (column_count)");
  body.line("index = Where ({}, column, behind_last)", found);
  const std::string batch = body.dim_list("input", 0), any = body.ints({-1}, "any"), single = body.ints({1}, "single");
  body.line("columns_shape = Concat <axis = 0> ({}, {}, column_count)", batch, any);
  body.line("columns = Reshape (input, columns_shape)");
  body.line("channel_shape = Shape (columns)");
  const std::string third = body.ints({2}, "third");
  body.line("border_shape = ScatterElements <axis = 0> (channel_shape, {}, {})", third, single);
  body.line("number = Constant <value = float {{0.0}}> ()");
  body.line("zero = CastLike (number, input)");
  body.line("border = Expand (zero, border_shape)");
  body.line("with_border = Concat <axis = 2> (columns, border)");
  body.line("parts = Gather <axis = 2> (with_border, index)");
  std::vector<int64_t> summed;
  for (size_t axis = 0; axis < axes; ++axis) summed.push_back(static_cast<int64_t>(axis) + 2);
  body.line("output = ReduceSum <keepdims = 0> (parts, {})", body.ints(summed, "summed"));
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
