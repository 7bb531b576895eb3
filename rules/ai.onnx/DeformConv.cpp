// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Deformable convolution by gathering, for opsets without DeformConv and for runtimes without a kernel for it.
//
// The image, with a margin of zeros and the channels last, becomes a table of pixels. Each of the four neighbours of a sampling
// point is a row of that table, so that sampling is four Gathers with weights. A point that is not inside (-1, H) x (-1, W), or is
// not a number, is moved to (-2, -2), all of whose neighbours are in the margin: a pixel that a point does not touch is not even
// multiplied by zero.
//
// One cell of the kernel is sampled after another, and its MatMul added to those before. The time goes into memory, and the samples
// of one cell stay in a cache that those of all do not fit in; they also need less of it.
//
// The sizes of the output are computed from those of the image, so that offsets that do not fit fail in a Reshape.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

constexpr int kImage = 0, kWeight = 1, kOffset = 2, kBias = 3, kMask = 4;
constexpr const char* kNames[] = {"x", "w", "offset", "b", "mask"};

constexpr std::string_view kSizes = R"(
  image_sizes = Shape (x)
  batch = Gather (image_sizes, batch_axis)
  height = Gather (image_sizes, height_axis)
  width = Gather (image_sizes, width_axis)
  y_reach = Add (height, y_growth)
  x_reach = Add (width, x_growth)
  rows = Div (y_reach, y_stride)
  columns = Div (x_reach, x_stride)
  positions = Mul (rows, columns)
  planes = Mul (batch, offset_groups)
  padded_height = Add (height, margin_size)
  padded_width = Add (width, margin_size)
  plane_size = Mul (padded_height, padded_width)
)";

// [planes * plane size, channels of an offset group]; a plane is one offset group of one image, those of a group together.
constexpr std::string_view kTable = R"(
  padded = Pad (x, margin)
  planes_shape = Concat <axis = 0> (batch, offset_groups, offset_group_channels, plane_size)
  channels_first = Reshape (padded, planes_shape)
  channels_last = Transpose <perm = [1, 0, 3, 2]> (channels_first)
  table_shape = Concat <axis = 0> (any, offset_group_channels)
  table = Reshape (channels_last, table_shape)
)";

// y and x of each sampling point: [cells, offset groups, batch, rows, columns].
constexpr std::string_view kPoints = R"(
  row_count = Squeeze (rows)
  column_count = Squeeze (columns)
  row = Range (zero, row_count, one)
  column = Range (zero, column_count, one)
  row_y = Mul (row, y_stride)
  column_x = Mul (column, x_stride)
  row_y_down = Reshape (row_y, down)
  cell_y = Add (row_y_down, y_taps)
  cell_x = Add (column_x, x_taps)
  grid_y = Cast <to: int = {work_type}> (cell_y)
  grid_x = Cast <to: int = {work_type}> (cell_x)
  offset_shape = Concat <axis = 0> (batch, offset_groups, cells, pair, rows, columns)
  offset_by_cell = Reshape (offset, offset_shape)
  offset_pair = Transpose <perm = [3, 2, 1, 0, 4, 5]> (offset_by_cell)
  offset_y = Gather <axis = 0> (offset_pair, zero)
  offset_x = Gather <axis = 0> (offset_pair, one)
  free_y = Add (offset_y, grid_y)
  free_x = Add (offset_x, grid_x)
  end_y = Cast <to: int = {work_type}> (height)
  end_x = Cast <to: int = {work_type}> (width)
  after_top = Greater (free_y, before_first)
  before_bottom = Less (free_y, end_y)
  after_left = Greater (free_x, before_first)
  before_right = Less (free_x, end_x)
  inside_y = And (after_top, before_bottom)
  inside_x = And (after_left, before_right)
  inside = And (inside_y, inside_x)
  point_y = Where (inside, free_y, outside)
  point_x = Where (inside, free_x, outside)
)";

// For each of the four neighbours of each point, its row in the table and its share of the sample.
constexpr std::string_view kNeighbours = R"(
  top = Floor (point_y)
  left = Floor (point_x)
  top_number = Cast <to: int = 7> (top)
  left_number = Cast <to: int = 7> (left)
  plane_count = Squeeze (planes)
  plane = Range (zero, plane_count, one)
  plane_start = Mul (plane, plane_size)
  margin_rows = Mul (padded_width, margin_before)
  margin_pixels = Add (margin_rows, margin_before)
  plane_origin = Add (plane_start, margin_pixels)
  plane_origins = Reshape (plane_origin, outermost)
  above = Mul (top_number, padded_width)
  in_plane = Add (above, left_number)
  in_table = Add (in_plane, plane_origins)
  top_left = Reshape (in_table, rows_shape)
  top_right = Add (top_left, one)
  bottom_left = Add (top_left, padded_width)
  bottom_right = Add (top_right, padded_width)

  {bottom_share} = Sub (point_y, top)
  {top_share} = Sub (whole, {bottom_share})
  right_share = Sub (point_x, left)
  left_share = Sub (whole, right_share)
)";

constexpr std::string_view kMasked = R"(
  mask_shape = Concat <axis = 0> (batch, offset_groups, cells, rows, columns)
  mask_by_cell = Reshape (mask, mask_shape)
  mask_of_point = Transpose <perm = [2, 1, 0, 3, 4]> (mask_by_cell)
  top_share = Mul (whole_top_share, mask_of_point)
  bottom_share = Mul (whole_bottom_share, mask_of_point)
)";

// [cells, offset groups, batch * positions, 1].
constexpr std::string_view kShares = R"(
  top_left_product = Mul (top_share, left_share)
  top_right_product = Mul (top_share, right_share)
  bottom_left_product = Mul (bottom_share, left_share)
  bottom_right_product = Mul (bottom_share, right_share)
  top_left_share = Reshape (top_left_product, shares_shape)
  top_right_share = Reshape (top_right_product, shares_shape)
  bottom_left_share = Reshape (bottom_left_product, shares_shape)
  bottom_right_share = Reshape (bottom_right_product, shares_shape)
)";

// The samples at cell {0} of the kernel: [1, offset groups, batch * positions, channels of an offset group].
constexpr std::string_view kSamples = R"(
  top_left_pixel_{0} = Gather <axis = 0> (table, top_left_{0})
  top_left_sample_{0} = Mul (top_left_pixel_{0}, top_left_share_{0})
  top_right_pixel_{0} = Gather <axis = 0> (table, top_right_{0})
  top_right_sample_{0} = Mul (top_right_pixel_{0}, top_right_share_{0})
  top_sample_{0} = Add (top_left_sample_{0}, top_right_sample_{0})
  bottom_left_pixel_{0} = Gather <axis = 0> (table, bottom_left_{0})
  bottom_left_sample_{0} = Mul (bottom_left_pixel_{0}, bottom_left_share_{0})
  three_samples_{0} = Add (top_sample_{0}, bottom_left_sample_{0})
  bottom_right_pixel_{0} = Gather <axis = 0> (table, bottom_right_{0})
  bottom_right_sample_{0} = Mul (bottom_right_pixel_{0}, bottom_right_share_{0})
  sample_{0} = Add (three_samples_{0}, bottom_right_sample_{0})
)";

// [cells, groups, channels of a group, outputs of a group]
constexpr std::string_view kMatrixOfEachCell = R"(
  kernel = Reshape (w, kernel_shape)
  matrix = Transpose <perm = [3, 0, 2, 1]> (kernel)
)";

// Where the groups are not the offset groups, the samples of all cells: from [cells, offset groups, batch * positions, channels of an
// offset group] to [groups, batch * positions, cells * channels of a group].
constexpr std::string_view kRegroupedConvolution = R"(
  by_point = Transpose <perm = [0, 2, 1, 3]> (samples)
  by_point_shape = Concat <axis = 0> (cells, any, groups, group_channels)
  by_point_split = Reshape (by_point, by_point_shape)
  by_group = Transpose <perm = [2, 1, 0, 3]> (by_point_split)
  patches_shape = Concat <axis = 0> (groups, any, patch_size)
  patches = Reshape (by_group, patches_shape)
  kernel = Reshape (w, kernel_shape)
  kernel_by_cell = Transpose <perm = [0, 3, 2, 1]> (kernel)
  matrix = Reshape (kernel_by_cell, matrix_shape)
  {products} = MatMul (patches, matrix)
)";

constexpr std::string_view kBiased = R"(
  bias = Reshape (b, bias_shape)
  by_position = Add (products, bias)
)";

constexpr std::string_view kOutput = R"(
  by_image_shape = Concat <axis = 0> (groups, batch, positions, group_outputs)
  by_image = Reshape (by_position, by_image_shape)
  by_output = Transpose <perm = [1, 0, 3, 2]> (by_image)
  output_shape = Concat <axis = 0> (batch, outputs, rows, columns)
)";

// A list, or a tensor of the given shape.
std::string constant(std::string_view name, std::string_view type, const std::vector<int64_t>& values,
                     const std::vector<int64_t>& shape = {}) {
  return fmt::format("  {} = Constant <value: tensor = {}[{}] {{{}}}> ()\n", name, type,
                     shape.empty() ? fmt::to_string(values.size()) : fmt::format("{}", fmt::join(shape, ", ")),
                     fmt::join(values, ", "));
}

std::string scalar(std::string_view name, std::string_view type, int64_t value) {
  return fmt::format("  {} = Constant <value: tensor = {} {{{}}}> ()\n", name, type, value);
}

// `name` as one value for each cell: name_0, name_1 ...
std::string by_cell(std::string_view name, int64_t cells) {
  std::string parts;
  for (int64_t cell = 0; cell < cells; ++cell) parts += fmt::format("{}{}_{}", cell == 0 ? "" : ", ", name, cell);
  return fmt::format("  {} = Split <axis = 0> ({}, one_each)\n", parts, name);
}

// The sum over the cells, as [groups, batch * positions, outputs of a group].
std::string sum_of_products(int64_t cells, std::string_view result) {
  std::string sum = "product_0";
  std::string text = fmt::format("  {} = MatMul (sample_0, matrix_0)\n", sum);
  for (int64_t cell = 1; cell < cells; ++cell) {
    text +=
        fmt::format("  product_{0} = MatMul (sample_{0}, matrix_{0})\n  sum_{0} = Add ({1}, product_{0})\n", cell, sum);
    sum = fmt::format("sum_{}", cell);
  }
  return text + fmt::format("  {} = Reshape ({}, products_shape)\n", result, sum);
}

std::optional<int> element_type(const CallSite& site) {
  for (int input : {kImage, kWeight, kOffset, kBias, kMask}) {
    if (!site.has_input(input)) continue;
    if (auto type = site.dtype(input)) return type;
  }
  return std::nullopt;
}

Lowering lower(const CallSite& site) {
  for (int input : {kImage, kWeight, kOffset, kMask}) {
    if (!site.has_input(input)) {
      if (input != kMask) return Declined{fmt::format("input {} is absent", input)};
    } else if (const int rank = site.rank(input).value_or(4); rank != 4) {
      return Declined{fmt::format("input {} has rank {}, and only images (rank 4) are lowered", input, rank)};
    }
  }
  std::vector<int64_t> weight;
  for (int axis = 0; axis < 4; ++axis) {
    const auto size = site.dim(kWeight, axis);
    if (!size) return Declined{fmt::format("dimension {} of the weight (input {}) is not known", axis, kWeight)};
    weight.push_back(*size);
  }
  const std::vector<int64_t> kernel = site.attribute_ints("kernel_shape", {weight[2], weight[3]});
  const std::vector<int64_t> strides = site.attribute_ints("strides", {1, 1});
  const std::vector<int64_t> dilations = site.attribute_ints("dilations", {1, 1});
  const std::vector<int64_t> pads = site.attribute_ints("pads", {0, 0, 0, 0});
  if (kernel != std::vector{weight[2], weight[3]}) return Declined{"kernel_shape is not that of the weight"};
  if (strides.size() != 2 || dilations.size() != 2 || pads.size() != 4 || strides[0] <= 0 || strides[1] <= 0) {
    return Declined{"strides, dilations and pads must be those of two axes, and strides positive"};
  }
  const int64_t groups = site.attribute_int("group", 1), offset_groups = site.attribute_int("offset_group", 1);
  const int64_t outputs = weight[0], group_channels = weight[1], cells = kernel[0] * kernel[1];
  const int64_t channels = group_channels * groups;
  if (outputs * channels * cells == 0) return Declined{"the weight is empty"};
  if (groups <= 0 || outputs % groups != 0)
    return Declined{fmt::format("{} outputs do not divide into {} groups", outputs, groups)};
  if (offset_groups <= 0 || channels % offset_groups != 0) {
    return Declined{fmt::format("{} channels do not divide into {} offset groups", channels, offset_groups)};
  }

  // A float16 has too few digits for the place of a sampling point. Where the type is not known, a double holds every value.
  const auto type = element_type(site);
  const bool in_double = type.value_or(onnx::TensorProto::DOUBLE) == onnx::TensorProto::DOUBLE;
  const bool widens = type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::DOUBLE;
  const int work_type = in_double ? onnx::TensorProto::DOUBLE : onnx::TensorProto::FLOAT;
  const std::string_view real = in_double ? "double" : "float";

  std::string text = "<domain: \"ai.onnx\", opset_import: [\"\" : 15]>\nDeformConv (";
  for (const char* name : kNames)
    text += fmt::format("{}{}{}", name == kNames[0] ? "" : ", ", widens ? "given_" : "", name);
  text += ") => (y) {\n";
  for (int input : {kImage, kWeight, kOffset, kBias, kMask}) {
    if (widens && site.has_input(input))
      text += fmt::format("  {0} = Cast <to: int = {1}> (given_{0})\n", kNames[input], work_type);
  }
  std::vector<int64_t> y_taps, x_taps;
  for (int64_t i = 0; i < kernel[0]; ++i) y_taps.insert(y_taps.end(), kernel[1], i * dilations[0] - pads[0]);
  for (int64_t i = 0; i < cells; ++i) x_taps.push_back(i % kernel[1] * dilations[1] - pads[1]);

  text += scalar("zero", "int64", 0) + scalar("one", "int64", 1);
  text += constant("batch_axis", "int64", {0}) + constant("height_axis", "int64", {2}) +
          constant("width_axis", "int64", {3});
  text += constant("y_growth", "int64", {pads[0] + pads[2] - dilations[0] * (kernel[0] - 1) - 1 + strides[0]});
  text += constant("x_growth", "int64", {pads[1] + pads[3] - dilations[1] * (kernel[1] - 1) - 1 + strides[1]});
  text += constant("y_stride", "int64", {strides[0]}) + constant("x_stride", "int64", {strides[1]});
  text += constant("offset_groups", "int64", {offset_groups}) +
          constant("offset_group_channels", "int64", {channels / offset_groups});
  text += constant("margin", "int64", {0, 0, 2, 2, 0, 0, 1, 1});
  text += constant("margin_before", "int64", {2}) + constant("margin_size", "int64", {3});
  text += kSizes;
  text += constant("any", "int64", {-1});
  text += kTable;
  text += constant("down", "int64", {-1, 1});
  text += constant("y_taps", "int64", y_taps, {cells, 1, 1, 1, 1}) +
          constant("x_taps", "int64", x_taps, {cells, 1, 1, 1, 1});
  text += constant("cells", "int64", {cells}) + constant("pair", "int64", {2});
  text += scalar("before_first", real, -1) + scalar("outside", real, -2);
  text += fmt::format(kPoints, fmt::arg("work_type", work_type));
  text += constant("outermost", "int64", {offset_groups, -1, 1, 1}) + scalar("whole", real, 1);
  text += constant("rows_shape", "int64", {cells, offset_groups, -1});
  const bool has_mask = site.has_input(kMask), has_bias = site.has_input(kBias);
  text += fmt::format(kNeighbours, fmt::arg("top_share", has_mask ? "whole_top_share" : "top_share"),
                      fmt::arg("bottom_share", has_mask ? "whole_bottom_share" : "bottom_share"));
  if (has_mask) text += kMasked;
  text += constant("shares_shape", "int64", {cells, offset_groups, -1, 1}) + std::string(kShares);
  text += constant("one_each", "int64", std::vector<int64_t>(cells, 1));
  for (std::string_view neighbour : {"top_left", "top_right", "bottom_left", "bottom_right"})
    text += by_cell(neighbour, cells) + by_cell(fmt::format("{}_share", neighbour), cells);
  std::string samples;
  for (int64_t cell = 0; cell < cells; ++cell) {
    text += fmt::format(kSamples, cell);
    samples += fmt::format("{}sample_{}", cell == 0 ? "" : ", ", cell);
  }
  text += constant("groups", "int64", {groups});
  text += constant("kernel_shape", "int64", {groups, outputs / groups, group_channels, cells});
  const std::string_view products = has_bias ? "products" : "by_position";
  if (groups == offset_groups) {
    text += constant("products_shape", "int64", {groups, -1, outputs / groups});
    text += std::string(kMatrixOfEachCell) + by_cell("matrix", cells) + sum_of_products(cells, products);
  } else {
    text += fmt::format("  samples = Concat <axis = 0> ({})\n", samples);
    text += constant("group_channels", "int64", {group_channels});
    text += constant("patch_size", "int64", {cells * group_channels});
    text += constant("matrix_shape", "int64", {groups, cells * group_channels, outputs / groups});
    text += fmt::format(kRegroupedConvolution, fmt::arg("products", products));
  }
  if (has_bias) text += constant("bias_shape", "int64", {groups, 1, outputs / groups}) + std::string(kBiased);
  text += constant("group_outputs", "int64", {outputs / groups}) + constant("outputs", "int64", {outputs});
  text += kOutput;
  if (!widens) {
    text += "  y = Reshape (by_output, output_shape)\n}\n";
  } else if (type) {
    text +=
        fmt::format("  wide_y = Reshape (by_output, output_shape)\n  y = Cast <to: int = {}> (wide_y)\n}}\n", *type);
  } else {
    text += "  wide_y = Reshape (by_output, output_shape)\n  y = CastLike (wide_y, given_x)\n}\n";
  }
  return function_from_text(text);
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "DeformConv",
                      .summary = "deformable convolution by gathering",
                      .source = "ai.onnx DeformConv, versions 19 and 22",
                      .attributes = "dilations, group, kernel_shape, offset_group, pads, strides",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
