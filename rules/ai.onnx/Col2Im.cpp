// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Blocks put together to images: each place of an image is the sum of what lies over it,
//
//     image[place] = sum(input[cell, block]) over block * stride + cell * dilation - begin = place
//
// Where the sizes of image and block are known, one axis after the other: what each cell of the
// block adds to the axis is padded to its length, and the cells are summed; blocks that tile the
// image are only put in order. For sizes that are known only when the model runs, it is computed
// for each place of the image and each cell of the block which block lies with that cell over the
// place; where none does, the index is that of a column of zeros behind the last block.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Col2Im {
namespace {

struct Axis {
  int64_t image = 0, block = 0, count = 0, stride = 1, dilation = 1, begin = 0, end = 0;

  bool is_tiled() const { return stride == block && dilation == 1 && begin == 0 && end == 0 && image == block * count; }
};

// With more cells along an axis, which take nodes each, PlaceByPlace is the better way.
constexpr int64_t most_cells = 32;
// No runtime has tensors of more axes.
constexpr int64_t most_axes = 64;

// What one cell adds along an axis of the image: its elements of all blocks, from place `first` on,
// with zeros around them.
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
  // The dimensions are batch, channels, then the cells and the blocks of each axis.
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
      // Zeros are put between the elements of neighbouring blocks.
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

// What the attributes say of each axis of the image.
struct Attributes {
  Ints dilations, strides;
  Ints pads;  // before all axes, then behind all

  Attributes(const CallSite& site, size_t axes) {
    const auto list = [&](const char* name, size_t length, int64_t otherwise) {
      Ints values = site.attribute_ints(name, Ints(length, otherwise));
      if (values.size() != length) decline(fmt::format("'{}' has {} numbers, not {}", name, values.size(), length));
      return values;
    };
    dilations = list("dilations", axes, 1);
    strides = list("strides", axes, 1);
    pads = list("pads", 2 * axes, 0);
  }
  size_t axes() const { return strides.size(); }
};

// The axes of a call whose sizes of image and block are constants.
std::vector<Axis> known_axes(const CallSite& site, const Attributes& attributes) {
  const size_t axes = attributes.axes();
  const Ints image_shape = site.need_sizes(1, axes), block_shape = site.need_sizes(2, axes);
  std::vector<Axis> known;
  for (size_t i = 0; i < axes; ++i) {
    Axis axis{.image = image_shape[i],
              .block = block_shape[i],
              .stride = attributes.strides[i],
              .dilation = attributes.dilations[i],
              .begin = attributes.pads[i],
              .end = attributes.pads[i + axes]};
    if (axis.block < 1 || axis.stride < 1 || axis.dilation < 1)
      decline("a block size, stride or dilation is not positive");
    axis.count = (axis.image + axis.begin + axis.end - axis.dilation * (axis.block - 1) - 1) / axis.stride + 1;
    known.push_back(axis);
  }
  return known;
}

// For each place of the image and each cell of the block, in dimensions of their own (cells first),
// finds the block that lies with that cell over the place:
//
//     block = (place + begin - cell * dilation) / stride, if that is the number of a block
//
// and sums over the cells what the blocks have there.
class PlaceByPlace {
 public:
  explicit PlaceByPlace(Attributes attributes)
      : attributes_(std::move(attributes)),
        axes_(attributes_.axes()),
        body_("ai.onnx", "Col2Im", {"input", "image_shape", "block_shape"}, {"output"}, 15) {}

  Lowering lowering() {
    none_ = body_.scalar(0, "none");
    one_ = body_.scalar(1, "one");
    for (size_t axis = 0; axis < axes_; ++axis) find_blocks(axis);
    append_index();
    append_columns();
    body_("parts", "Gather", {"with_border", "index"}, {{"axis", 2}});
    Ints summed;
    for (size_t axis = 0; axis < axes_; ++axis) summed.push_back(static_cast<int64_t>(axis) + 2);
    body_("output", "ReduceSum", {"parts", body_.ints(summed, "summed")}, {{"keepdims", 0}});
    return body_.function();
  }

 private:
  // The node `name` for an axis: the nodes of each axis have names of their own.
  std::string line(size_t axis, std::string_view name, std::string_view op_type, const Values& inputs,
                   std::initializer_list<BodyAttribute> attributes = {}) {
    return body_(fmt::format("{}_{}", name, axis), op_type, inputs, attributes);
  }

  static Ints shape_along(size_t axis, size_t rank) {
    Ints shape(rank, 1);
    shape[axis] = -1;
    return shape;
  }

  // Gives the number of blocks that lie along the axis.
  std::string count_of_blocks(size_t axis, const std::string& image, const std::string& block,
                              const std::string& dilation, const std::string& stride, const std::string& pads) {
    const std::string padded = line(axis, "padded", "Add", {image, pads});
    const std::string last_cell = line(axis, "last_cell", "Sub", {block, one_});
    const std::string reach = line(axis, "reach", "Mul", {last_cell, dilation});
    const std::string way = line(axis, "way", "Sub", {padded, reach});
    const std::string way_on = line(axis, "way_on", "Sub", {way, one_});
    const std::string steps = line(axis, "steps", "Div", {way_on, stride});
    return line(axis, "count", "Add", {steps, one_});
  }

  void find_blocks(size_t axis) {
    const std::string at = body_.scalar(static_cast<int64_t>(axis), "at");
    const std::string dilation = body_.scalar(attributes_.dilations[axis], "dilation"),
                      stride = body_.scalar(attributes_.strides[axis], "stride");
    const int64_t before = attributes_.pads[axis], behind = attributes_.pads[axis + axes_];
    const std::string begin = body_.scalar(before, "begin"), both = body_.scalar(before + behind, "both");
    const std::string image = line(axis, "image", "Gather", {"image_shape", at}, {{"axis", 0}});
    const std::string block = line(axis, "block", "Gather", {"block_shape", at}, {{"axis", 0}});
    const std::string count = count_of_blocks(axis, image, block, dilation, stride, both);
    const std::string cells = line(axis, "cells", "Range", {none_, block, one_});
    const std::string points = line(axis, "points", "Range", {none_, image, one_});
    const std::string cell = body_.reshape(cells, shape_along(axis, 2 * axes_));
    const std::string point = body_.reshape(points, shape_along(axis, axes_));
    const std::string offset = line(axis, "offset", "Mul", {cell, dilation});
    const std::string moved = line(axis, "moved", "Add", {point, begin});
    const std::string from_start = line(axis, "from_start", "Sub", {moved, offset});
    const std::string quotient = line(axis, "quotient", "Div", {from_start, stride});
    const std::string multiple = line(axis, "multiple", "Mul", {quotient, stride});
    const std::string is_multiple = line(axis, "is_multiple", "Equal", {multiple, from_start});
    const std::string is_negative = line(axis, "is_negative", "Less", {from_start, none_});
    const std::string not_negative = line(axis, "not_negative", "Not", {is_negative});
    const std::string not_behind = line(axis, "not_behind", "Less", {quotient, count});
    const std::string within = line(axis, "within", "And", {not_negative, not_behind});
    const std::string meets = line(axis, "meets", "And", {is_multiple, within});
    join(axis, count, quotient, meets);
  }

  // Joins an axis to those before: block = block so far * blocks of this axis + block of this axis.
  void join(size_t axis, const std::string& count, const std::string& block, const std::string& meets) {
    if (counts_.empty()) {
      counts_ = count;
      blocks_ = block;
      found_ = meets;
      return;
    }
    counts_ = line(axis, "counts", "Mul", {counts_, count});
    const std::string product = line(axis, "places_product", "Mul", {blocks_, count});
    blocks_ = line(axis, "places", "Add", {product, block});
    found_ = line(axis, "found", "And", {found_, meets});
  }

  // Gives the number of each cell of the block, in the dimensions of the cells.
  std::string cell_numbers() {
    std::string numbers;
    for (size_t axis = 0; axis < axes_; ++axis) {
      const std::string cell = body_.reshape(fmt::format("cells_{}", axis), shape_along(axis, 2 * axes_));
      if (numbers.empty()) {
        numbers = cell;
        continue;
      }
      const std::string product = line(axis, "cell_product", "Mul", {numbers, fmt::format("block_{}", axis)});
      numbers = line(axis, "cell_number", "Add", {product, cell});
    }
    return numbers;
  }

  // Makes `index`: for each cell and place, the column of the input that is added there, or the one
  // behind the last if there is none.
  void append_index() {
    body_("first_of_cell", "Mul", {cell_numbers(), counts_});
    body_("column", "Add", {"first_of_cell", blocks_});
    body_("cell_count", "ReduceProd", {"block_shape"}, {{"axes", Ints{0}}, {"keepdims", 1}});
    body_("column_count", "Mul", {"cell_count", counts_});
    body_("behind_last", "Squeeze", {"column_count"});
    body_("index", "Where", {found_, "column", "behind_last"});
  }

  // Makes `with_border`, (batch) x (channels) x (cells * blocks + 1), with zeros in the
  // last column.
  void append_columns() {
    const std::string batch = body_.dim_list("input", 0), rows = body_.dim_list("input", 1),
                      single = body_.ints({1}, "single");
    // The number of channels is computed: a runtime does not find what a -1 stands for beside a
    // batch of 0.
    body_("channel_count", "Div", {rows, "cell_count"});
    body_("columns_shape", "Concat", {batch, "channel_count", "column_count"}, {{"axis", 0}});
    body_("columns", "Reshape", {"input", "columns_shape"});
    body_("channel_shape", "Shape", {"columns"});
    const std::string third = body_.ints({2}, "third");
    body_("border_shape", "ScatterElements", {"channel_shape", third, single}, {{"axis", 0}});
    body_.constant("number", 0.0);
    body_("zero", "CastLike", {"number", "input"});
    body_("border", "Expand", {"zero", "border_shape"});
    body_("with_border", "Concat", {"columns", "border"}, {{"axis", 2}});
  }

  const Attributes attributes_;
  const size_t axes_;
  Body body_;
  std::string none_, one_;
  // Of the axes that are joined so far: how many blocks there are, which one is found, and whether
  // there is one.
  std::string counts_, blocks_, found_;
};

Lowering lower(const CallSite& site) {
  std::optional<int64_t> known = site.dim(1, 0) ? site.dim(1, 0) : site.dim(2, 0);
  if (!known || *known < 1) return Declined{"the number of the image's dimensions is not known"};
  if (*known > most_axes) return Declined{fmt::format("its image has {} dimensions", *known)};
  const Attributes attributes(site, static_cast<size_t>(*known));
  if (site.constant_ints(1) && site.constant_ints(2)) {
    const std::vector<Axis> axes = known_axes(site, attributes);
    if (std::ranges::all_of(axes, [](const Axis& axis) { return axis.block <= most_cells && axis.count > 0; }))
      return by_cells(site, axes);
  }
  return PlaceByPlace(attributes).lowering();
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
