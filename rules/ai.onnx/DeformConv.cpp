// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Deformable convolution by gathering, for opsets without DeformConv and for runtimes without a
// kernel for it.
//
// The image, with a margin of zeros and the channels last, becomes a table of pixels. Each of the
// four neighbours of a sampling point is a row of that table, so that sampling is four Gathers with
// weights. A point that is not inside (-1, H) x (-1, W), or is not a number, is moved to (-2, -2),
// all of whose neighbours are in the margin: a pixel that a point does not touch is not even
// multiplied by zero.
//
// One cell of the kernel is sampled after another, and its MatMul added to those before. The time
// goes into memory, and the samples of one cell stay in a cache that those of all do not fit in;
// they also need less of it. RKNN-Toolkit2 is wrong where two nodes gather from one tensor: for it
// one Gather brings all neighbours of all cells. It computes in half precision, where a place has
// few digits behind the point: how far a point is from the pixels around it, its offset alone says.
//
// The sizes of the output are computed from those of the image, so that offsets that do not fit
// fail in a Reshape.
#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_DeformConv {
namespace {

constexpr int kImage = 0, kWeight = 1, kOffset = 2, kBias = 3, kMask = 4;
constexpr const char* kNames[] = {"x", "w", "offset", "b", "mask"};

void append_sizes(Body& body) {
  body("image_sizes", "Shape", {"x"});
  body("batch", "Gather", {"image_sizes", "batch_axis"});
  body("height", "Gather", {"image_sizes", "height_axis"});
  body("width", "Gather", {"image_sizes", "width_axis"});
  body("y_reach", "Add", {"height", "y_growth"});
  body("x_reach", "Add", {"width", "x_growth"});
  body("rows", "Div", {"y_reach", "y_stride"});
  body("columns", "Div", {"x_reach", "x_stride"});
  body("positions", "Mul", {"rows", "columns"});
  body("planes", "Mul", {"batch", "offset_groups"});
  body("padded_height", "Add", {"height", "margin_size"});
  body("padded_width", "Add", {"width", "margin_size"});
  body("plane_size", "Mul", {"padded_height", "padded_width"});
}

// [planes * plane size, channels of an offset group]; a plane is one offset group of one image,
// those of a group together.
void append_table(Body& body) {
  body("padded", "Pad", {"x", "margin"});
  body("planes_shape", "Concat", {"batch", "offset_groups", "offset_group_channels", "plane_size"}, {{"axis", 0}});
  body("channels_first", "Reshape", {"padded", "planes_shape"});
  body("channels_last", "Transpose", {"channels_first"}, {{"perm", Ints{1, 0, 3, 2}}});
  body("table_shape", "Concat", {"any", "offset_group_channels"}, {{"axis", 0}});
  body("table", "Reshape", {"channels_last", "table_shape"});
}

// y and x of each sampling point, and whether that is inside: [cells, offset groups, batch, rows,
// columns], or with the planes as one axis.
void append_points(Body& body, int work_type, bool joins_planes) {
  body("row_count", "Squeeze", {"rows"});
  body("column_count", "Squeeze", {"columns"});
  body("row", "Range", {"zero", "row_count", "one"});
  body("column", "Range", {"zero", "column_count", "one"});
  body("row_y", "Mul", {"row", "y_stride"});
  body("column_x", "Mul", {"column", "x_stride"});
  body("row_y_down", "Reshape", {"row_y", "down"});
  body("cell_y", "Add", {"row_y_down", "y_taps"});
  body("cell_x", "Add", {"column_x", "x_taps"});
  body("grid_y", "Cast", {"cell_y"}, {{"to", work_type}});
  body("grid_x", "Cast", {"cell_x"}, {{"to", work_type}});
  body("offset_shape", "Concat", {"batch", "offset_groups", "cells", "pair", "rows", "columns"}, {{"axis", 0}});
  body("offset_by_cell", "Reshape", {"offset", "offset_shape"});
  body("offset_pair", "Transpose", {"offset_by_cell"}, {{"perm", Ints{3, 2, 1, 0, 4, 5}}});
  if (joins_planes) {
    body("joined_shape", "Concat", {"pair", "cells", "any", "rows", "columns"}, {{"axis", 0}});
    body("offsets", "Reshape", {"offset_pair", "joined_shape"});
  }
  const std::string_view offsets = joins_planes ? "offsets" : "offset_pair";
  body("offset_y", "Gather", {offsets, "zero"}, {{"axis", 0}});
  body("offset_x", "Gather", {offsets, "one"}, {{"axis", 0}});
  body("free_y", "Add", {"offset_y", "grid_y"});
  body("free_x", "Add", {"offset_x", "grid_x"});
  body("end_y", "Cast", {"height"}, {{"to", work_type}});
  body("end_x", "Cast", {"width"}, {{"to", work_type}});
  body("after_top", "Greater", {"free_y", "before_first"});
  body("before_bottom", "Less", {"free_y", "end_y"});
  body("after_left", "Greater", {"free_x", "before_first"});
  body("before_right", "Less", {"free_x", "end_x"});
  body("inside_y", "And", {"after_top", "before_bottom"});
  body("inside_x", "And", {"after_left", "before_right"});
  body("inside", "And", {"inside_y", "inside_x"});
}

// The pixel above and left of each point, and how far from it the point is.
void append_corners(Body& body, std::string_view bottom_share) {
  body("point_y", "Where", {"inside", "free_y", "outside"});
  body("point_x", "Where", {"inside", "free_x", "outside"});
  body("top", "Floor", {"point_y"});
  body("left", "Floor", {"point_x"});
  body(bottom_share, "Sub", {"point_y", "top"});
  body("right_share", "Sub", {"point_x", "left"});
}

void append_corners_by_offsets(Body& body, std::string_view bottom_share) {
  body("kept_offset_y", "Where", {"inside", "offset_y", "at_place"});
  body("kept_offset_x", "Where", {"inside", "offset_x", "at_place"});
  body("rows_off", "Floor", {"kept_offset_y"});
  body("columns_off", "Floor", {"kept_offset_x"});
  body("free_top", "Add", {"rows_off", "grid_y"});
  body("free_left", "Add", {"columns_off", "grid_x"});
  body("top", "Where", {"inside", "free_top", "outside"});
  body("left", "Where", {"inside", "free_left", "outside"});
  body(bottom_share, "Sub", {"kept_offset_y", "rows_off"});
  body("right_share", "Sub", {"kept_offset_x", "columns_off"});
}

// For each of the four neighbours of each point, its row in the table and its share of the sample.
void append_neighbours(Body& body, std::string_view top_share, std::string_view bottom_share) {
  body("top_number", "Cast", {"top"}, {{"to", 7}});
  body("left_number", "Cast", {"left"}, {{"to", 7}});
  body("plane_count", "Squeeze", {"planes"});
  body("plane", "Range", {"zero", "plane_count", "one"});
  body("plane_start", "Mul", {"plane", "plane_size"});
  body("margin_rows", "Mul", {"padded_width", "margin_before"});
  body("margin_pixels", "Add", {"margin_rows", "margin_before"});
  body("plane_origin", "Add", {"plane_start", "margin_pixels"});
  body("plane_origins", "Reshape", {"plane_origin", "outermost"});
  body("above", "Mul", {"top_number", "padded_width"});
  body("in_plane", "Add", {"above", "left_number"});
  body("in_table", "Add", {"in_plane", "plane_origins"});
  body("top_left", "Reshape", {"in_table", "rows_shape"});
  body("top_right", "Add", {"top_left", "one"});
  body("bottom_left", "Add", {"top_left", "padded_width"});
  body("bottom_right", "Add", {"top_right", "padded_width"});
  body(top_share, "Sub", {"whole", bottom_share});
  body("left_share", "Sub", {"whole", "right_share"});
}

void append_masked_shares(Body& body, bool joins_planes) {
  body("mask_shape", "Concat", {"batch", "offset_groups", "cells", "rows", "columns"}, {{"axis", 0}});
  body("mask_by_cell", "Reshape", {"mask", "mask_shape"});
  const std::string_view of_point = joins_planes ? "mask_of_plane" : "mask_of_point";
  body(of_point, "Transpose", {"mask_by_cell"}, {{"perm", Ints{2, 1, 0, 3, 4}}});
  if (joins_planes) {
    body("joined_mask_shape", "Concat", {"cells", "any", "rows", "columns"}, {{"axis", 0}});
    body("mask_of_point", "Reshape", {of_point, "joined_mask_shape"});
  }
  body("top_share", "Mul", {"whole_top_share", "mask_of_point"});
  body("bottom_share", "Mul", {"whole_bottom_share", "mask_of_point"});
}

// [cells, offset groups, batch * positions, 1].
void append_shares(Body& body) {
  body("top_left_product", "Mul", {"top_share", "left_share"});
  body("top_right_product", "Mul", {"top_share", "right_share"});
  body("bottom_left_product", "Mul", {"bottom_share", "left_share"});
  body("bottom_right_product", "Mul", {"bottom_share", "right_share"});
  body("top_left_share", "Reshape", {"top_left_product", "shares_shape"});
  body("top_right_share", "Reshape", {"top_right_product", "shares_shape"});
  body("bottom_left_share", "Reshape", {"bottom_left_product", "shares_shape"});
  body("bottom_right_share", "Reshape", {"bottom_right_product", "shares_shape"});
}

// The samples at cell {0} of the kernel: [1, offset groups, batch * positions, channels of an
// offset group].
void append_samples(Body& body, const std::string& n) {
  body("top_left_pixel_" + n, "Gather", {"table", "top_left_" + n}, {{"axis", 0}});
  body("top_left_sample_" + n, "Mul", {"top_left_pixel_" + n, "top_left_share_" + n});
  body("top_right_pixel_" + n, "Gather", {"table", "top_right_" + n}, {{"axis", 0}});
  body("top_right_sample_" + n, "Mul", {"top_right_pixel_" + n, "top_right_share_" + n});
  body("top_sample_" + n, "Add", {"top_left_sample_" + n, "top_right_sample_" + n});
  body("bottom_left_pixel_" + n, "Gather", {"table", "bottom_left_" + n}, {{"axis", 0}});
  body("bottom_left_sample_" + n, "Mul", {"bottom_left_pixel_" + n, "bottom_left_share_" + n});
  body("three_samples_" + n, "Add", {"top_sample_" + n, "bottom_left_sample_" + n});
  body("bottom_right_pixel_" + n, "Gather", {"table", "bottom_right_" + n}, {{"axis", 0}});
  body("bottom_right_sample_" + n, "Mul", {"bottom_right_pixel_" + n, "bottom_right_share_" + n});
  body("sample_" + n, "Add", {"three_samples_" + n, "bottom_right_sample_" + n});
}

// The samples at all cells: [cells, offset groups, batch * positions, channels of an offset group].
void append_samples_at_once(Body& body) {
  body("neighbours", "Concat", {"top_left", "top_right", "bottom_left", "bottom_right"}, {{"axis", 0}});
  body("pixels", "Gather", {"table", "neighbours"}, {{"axis", 0}});
  body("shares", "Concat", {"top_left_share", "top_right_share", "bottom_left_share", "bottom_right_share"},
       {{"axis", 0}});
  body("parts", "Mul", {"pixels", "shares"});
  body("parts_shape", "Concat", {"four", "cells", "offset_groups", "any", "offset_group_channels"}, {{"axis", 0}});
  body("parts_by_neighbour", "Reshape", {"parts", "parts_shape"});
  body("samples", "ReduceSum", {"parts_by_neighbour", "neighbour_axis"}, {{"keepdims", 0}});
}

// [cells, groups, channels of a group, outputs of a group]
void append_matrix_of_each_cell(Body& body) {
  body("kernel", "Reshape", {"w", "kernel_shape"});
  body("matrix", "Transpose", {"kernel"}, {{"perm", Ints{3, 0, 2, 1}}});
}

// The samples of all cells at once, which also does where the groups are not the offset groups:
// from [cells, offset groups, batch * positions, channels of an offset group] to [groups, batch *
// positions, cells * channels of a group].
void append_convolution_at_once(Body& body, std::string_view products) {
  body("by_point", "Transpose", {"samples"}, {{"perm", Ints{0, 2, 1, 3}}});
  body("by_point_shape", "Concat", {"cells", "any", "groups", "group_channels"}, {{"axis", 0}});
  body("by_point_split", "Reshape", {"by_point", "by_point_shape"});
  body("by_group", "Transpose", {"by_point_split"}, {{"perm", Ints{2, 1, 0, 3}}});
  body("patches_shape", "Concat", {"groups", "any", "patch_size"}, {{"axis", 0}});
  body("patches", "Reshape", {"by_group", "patches_shape"});
  body("kernel", "Reshape", {"w", "kernel_shape"});
  body("kernel_by_cell", "Transpose", {"kernel"}, {{"perm", Ints{0, 3, 2, 1}}});
  body("matrix", "Reshape", {"kernel_by_cell", "matrix_shape"});
  body(products, "MatMul", {"patches", "matrix"});
}

void append_bias(Body& body) {
  body("bias", "Reshape", {"b", "bias_shape"});
  body("by_position", "Add", {"products", "bias"});
}

void append_output_shape(Body& body) {
  body("by_image_shape", "Concat", {"groups", "batch", "positions", "group_outputs"}, {{"axis", 0}});
  body("by_image", "Reshape", {"by_position", "by_image_shape"});
  body("by_output", "Transpose", {"by_image"}, {{"perm", Ints{1, 0, 3, 2}}});
  body("output_shape", "Concat", {"batch", "outputs", "rows", "columns"}, {{"axis", 0}});
}

// `name` as one value for each cell: name_0, name_1 ...
void split_by_cell(Body& body, const std::string& name, int64_t cells) {
  std::vector<std::string> parts;
  for (int64_t cell = 0; cell < cells; ++cell) parts.push_back(fmt::format("{}_{}", name, cell));
  body.node(parts, "Split", {name, "one_each"}, {{"axis", 0}});
}

// The sum over the cells, as [groups, batch * positions, outputs of a group].
void append_sum_of_products(Body& body, int64_t cells, std::string_view result) {
  std::string sum = body("product_0", "MatMul", {"sample_0", "matrix_0"});
  for (int64_t cell = 1; cell < cells; ++cell) {
    const std::string n = fmt::to_string(cell);
    body("product_" + n, "MatMul", {"sample_" + n, "matrix_" + n});
    sum = body("sum_" + n, "Add", {sum, "product_" + n});
  }
  body(result, "Reshape", {sum, "products_shape"});
}

std::optional<int> element_type(const CallSite& site) {
  for (int input : {kImage, kWeight, kOffset, kBias, kMask}) {
    if (!site.has_input(input)) continue;
    if (auto type = site.dtype(input)) return type;
  }
  return std::nullopt;
}

enum class Cells { kOneByOne, kAtOnce };

Lowering lower(const CallSite& site, Cells sampled) {
  for (int input : {kImage, kWeight, kOffset, kMask}) {
    if (!site.has_input(input)) {
      if (input != kMask) return Declined{fmt::format("input {} is absent", input)};
    } else if (const int rank = site.rank(input).value_or(4); rank != 4) {
      return Declined{fmt::format("input {} has rank {}, and only images (rank 4) are lowered", input, rank)};
    }
  }
  std::vector<int64_t> weight;
  for (int axis = 0; axis < 4; ++axis) {
    weight.push_back(site.need_dim(kWeight, axis));
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
  const int64_t outputs = weight[0], group_channels = weight[1], cells = static_cast<int64_t>(list_size(kernel));
  const int64_t channels = group_channels * groups;
  if (outputs == 0 || channels == 0 || cells == 0) return Declined{"the weight is empty"};
  if (groups <= 0 || outputs % groups != 0)
    return Declined{fmt::format("{} outputs do not divide into {} groups", outputs, groups)};
  if (offset_groups <= 0 || channels % offset_groups != 0) {
    return Declined{fmt::format("{} channels do not divide into {} offset groups", channels, offset_groups)};
  }

  // A float16 has too few digits for the place of a sampling point. Where the type is not known, a
  // double holds every value.
  const auto type = element_type(site);
  const bool in_double = type.value_or(onnx::TensorProto::DOUBLE) == onnx::TensorProto::DOUBLE;
  const bool widens = type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::DOUBLE;
  const int work_type = in_double ? onnx::TensorProto::DOUBLE : onnx::TensorProto::FLOAT;
  const auto real = in_double ? onnx::TensorProto::DOUBLE : onnx::TensorProto::FLOAT;

  std::vector<std::string> formals;
  for (const char* name : kNames) formals.push_back(std::string(widens ? "given_" : "") + name);
  Body body("ai.onnx", "DeformConv", formals, {"y"}, 15);
  for (int input : {kImage, kWeight, kOffset, kBias, kMask}) {
    if (widens && site.has_input(input)) body(kNames[input], "Cast", {formals[input]}, {{"to", work_type}});
  }
  Ints y_taps, x_taps;
  for (int64_t i = 0; i < kernel[0]; ++i) y_taps.insert(y_taps.end(), kernel[1], i * dilations[0] - pads[0]);
  for (int64_t i = 0; i < cells; ++i) x_taps.push_back(i % kernel[1] * dilations[1] - pads[1]);
  const bool at_once = sampled == Cells::kAtOnce;
  const Ints taps_shape = at_once ? Ints{cells, 1, 1, 1} : Ints{cells, 1, 1, 1, 1};
  const auto number = [&](const char* name, double value) {
    body.constant(name, tensor_of(real, {}, std::vector<double>{value}));
  };

  body.constant("zero", 0);
  body.constant("one", 1);
  body.constant("batch_axis", Ints{0});
  body.constant("height_axis", Ints{2});
  body.constant("width_axis", Ints{3});
  body.constant("y_growth", Ints{pads[0] + pads[2] - dilations[0] * (kernel[0] - 1) - 1 + strides[0]});
  body.constant("x_growth", Ints{pads[1] + pads[3] - dilations[1] * (kernel[1] - 1) - 1 + strides[1]});
  body.constant("y_stride", Ints{strides[0]});
  body.constant("x_stride", Ints{strides[1]});
  body.constant("offset_groups", Ints{offset_groups});
  body.constant("offset_group_channels", Ints{channels / offset_groups});
  body.constant("margin", Ints{0, 0, 2, 2, 0, 0, 1, 1});
  body.constant("margin_before", Ints{2});
  body.constant("margin_size", Ints{3});
  append_sizes(body);
  body.constant("any", Ints{-1});
  append_table(body);
  body.constant("down", Ints{-1, 1});
  body.constant("y_taps", tensor_of(onnx::TensorProto::INT64, taps_shape, y_taps));
  body.constant("x_taps", tensor_of(onnx::TensorProto::INT64, taps_shape, x_taps));
  body.constant("cells", Ints{cells});
  body.constant("pair", Ints{2});
  number("before_first", -1);
  number("outside", -2);
  append_points(body, work_type, at_once);
  body.constant("outermost", at_once ? Ints{-1, 1, 1} : Ints{offset_groups, -1, 1, 1});
  number("whole", 1);
  body.constant("rows_shape", Ints{cells, offset_groups, -1});
  const bool has_mask = site.has_input(kMask), has_bias = site.has_input(kBias);
  const std::string_view top_share = has_mask ? "whole_top_share" : "top_share";
  const std::string_view bottom_share = has_mask ? "whole_bottom_share" : "bottom_share";
  if (at_once) {
    number("at_place", 0);
    append_corners_by_offsets(body, bottom_share);
  } else {
    append_corners(body, bottom_share);
  }
  append_neighbours(body, top_share, bottom_share);
  if (has_mask) append_masked_shares(body, at_once);
  body.constant("shares_shape", Ints{cells, offset_groups, -1, 1});
  append_shares(body);
  std::vector<std::string> samples;
  if (!at_once) {
    body.constant("one_each", Ints(static_cast<size_t>(cells), 1));
    for (const char* neighbour : {"top_left", "top_right", "bottom_left", "bottom_right"}) {
      split_by_cell(body, neighbour, cells);
      split_by_cell(body, fmt::format("{}_share", neighbour), cells);
    }
    for (int64_t cell = 0; cell < cells; ++cell) {
      append_samples(body, fmt::to_string(cell));
      samples.push_back(fmt::format("sample_{}", cell));
    }
  } else {
    body.constant("four", Ints{4});
    body.constant("neighbour_axis", Ints{0});
    append_samples_at_once(body);
  }
  body.constant("groups", Ints{groups});
  body.constant("kernel_shape", Ints{groups, outputs / groups, group_channels, cells});
  const std::string_view products = has_bias ? "products" : "by_position";
  if (groups == offset_groups && !at_once) {
    body.constant("products_shape", Ints{groups, -1, outputs / groups});
    append_matrix_of_each_cell(body);
    split_by_cell(body, "matrix", cells);
    append_sum_of_products(body, cells, products);
  } else {
    if (!at_once) body("samples", "Concat", samples, {{"axis", 0}});
    body.constant("group_channels", Ints{group_channels});
    body.constant("patch_size", Ints{cells * group_channels});
    body.constant("matrix_shape", Ints{groups, cells * group_channels, outputs / groups});
    append_convolution_at_once(body, products);
  }
  if (has_bias) {
    body.constant("bias_shape", Ints{groups, 1, outputs / groups});
    append_bias(body);
  }
  body.constant("group_outputs", Ints{outputs / groups});
  body.constant("outputs", Ints{outputs});
  append_output_shape(body);
  body(widens ? "wide_y" : "y", "Reshape", {"by_output", "output_shape"});
  if (widens && type) body("y", "Cast", {"wide_y"}, {{"to", *type}});
  if (widens && !type) body("y", "CastLike", {"wide_y", "given_x"});
  return body.function();
}

template <Cells sampled>
constexpr NativeRule rule_for(std::string_view summary) {
  return {.domain = "ai.onnx",
          .op_type = "DeformConv",
          .summary = summary,
          .source = "ai.onnx DeformConv, versions 19 and 22",
          .attributes = "dilations, group, kernel_shape, offset_group, pads, strides",
          .turn = sampled == Cells::kAtOnce ? RuleTurn::last_resort : RuleTurn::usual,
          .inputs = "X, W, offset, B, mask",
          .lower = [](const CallSite& site) { return lower(site, sampled); }};
}

const NativeRule rules[] = {rule_for<Cells::kOneByOne>("deformable convolution by gathering"),
                            rule_for<Cells::kAtOnce>("deformable convolution by gathering, of all cells at once")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_DeformConv
