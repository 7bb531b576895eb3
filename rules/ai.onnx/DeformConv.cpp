// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Deformable convolution by gathering, for opsets without DeformConv and for runtimes without a
// kernel for it. Of the output o at the position p, summed over the channels c and the cells k of
// the kernel:
//
//     y[o, p] = b[o] + sum(w[o, c, k] * mask[k, p] * x[c, at(k, p)])
//     at(k, p) = p * stride - pad + k * dilation + offset[k, p]
//
// where x between four pixels is their mean, weighted by how near they are.
//
// The image, with a margin of zeros and the channels last, becomes a table of pixels. Each of the
// four neighbours of a sampling point is a row of that table, so that sampling is four Gathers with
// weights. A point that is not inside (-1, H) x (-1, W), or has a coordinate that is NaN, is moved
// to (-2, -2), all of whose neighbours are in the margin: a pixel that a point does not touch is
// not even multiplied by zero.
//
// One cell of the kernel is sampled after another, and its MatMul added to those before. The time
// goes into memory accesses, and the samples of one cell fit in a cache, while those of all cells
// do not; they also take less memory. RKNN-Toolkit2 is wrong where two nodes gather from one
// tensor: for it one Gather brings all neighbours of all cells. It computes in half precision,
// where a place has few binary places behind the point: how far a sampling point is from the pixels
// around it is computed from its offset alone.
//
// The sizes of the output are computed from those of the image, so that offsets that do not fit
// fail in a Reshape.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// `table` is [planes * plane size, channels of an offset group]. A plane is one offset group of one
// image; the planes of a group stand together.
void append_table(Body& body) {
  body("padded", "Pad", {"x", "margin"});
  body("planes_shape", "Concat", {"batch", "offset_groups", "offset_group_channels", "plane_size"}, {{"axis", 0}});
  body("channels_first", "Reshape", {"padded", "planes_shape"});
  body("channels_last", "Transpose", {"channels_first"}, {{"perm", Ints{1, 0, 3, 2}}});
  body("table_shape", "Concat", {"any", "offset_group_channels"}, {{"axis", 0}});
  body("table", "Reshape", {"channels_last", "table_shape"});
}

// `free_y` and `free_x` of each sampling point, and whether it is `inside`: [cells, offset groups,
// batch, rows, columns], or with the planes as one axis.
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

// The share of each neighbour in the sample: [cells, offset groups, batch * positions, 1].
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

// The samples at cell `n` of the kernel: [1, offset groups, batch * positions, channels of an
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

// `matrix` is [cells, groups, channels of a group, outputs of a group].
void append_matrix_of_each_cell(Body& body) {
  body("kernel", "Reshape", {"w", "kernel_shape"});
  body("matrix", "Transpose", {"kernel"}, {{"perm", Ints{3, 0, 2, 1}}});
}

// One product for all cells, which also serves where the groups are not the offset groups. The
// samples, [cells, offset groups, batch * positions, channels of an offset group], become [groups,
// batch * positions, cells * channels of a group] for it.
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

// Makes one value for each cell of `name`: name_0, name_1 …
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

// What the node asks for, and the sizes of its weight.
struct Convolution {
  Ints kernel, strides, dilations;  // of the height, then of the width
  Ints pads;                        // before both, then behind both
  int64_t groups = 1, offset_groups = 1;
  int64_t outputs = 0, group_channels = 0, channels = 0;
  int64_t cells = 0;  // of the kernel

  int64_t group_outputs() const { return outputs / groups; }
};

void check_ranks(const CallSite& site) {
  for (int input : {kImage, kWeight, kOffset, kMask}) {
    if (!site.has_input(input)) {
      if (input != kMask) decline(fmt::format("input {} is absent", input));
    } else if (const int rank = site.rank(input).value_or(4); rank != 4) {
      decline(fmt::format("input {} has rank {}, and only images (rank 4) are lowered", input, rank));
    }
  }
}

Convolution read(const CallSite& site) {
  check_ranks(site);
  Ints weight;
  for (int axis = 0; axis < 4; ++axis) weight.push_back(site.need_dim(kWeight, axis));
  const Ints kernel = {weight[2], weight[3]};
  Convolution of;
  of.kernel = site.attribute_ints("kernel_shape", kernel);
  of.strides = site.attribute_ints("strides", {1, 1});
  of.dilations = site.attribute_ints("dilations", {1, 1});
  of.pads = site.attribute_ints("pads", {0, 0, 0, 0});
  if (of.kernel != kernel) decline("kernel_shape is not that of the weight");
  if (of.strides.size() != 2 || of.dilations.size() != 2 || of.pads.size() != 4 || of.strides[0] <= 0 ||
      of.strides[1] <= 0) {
    decline("strides, dilations and pads must be those of two axes, and strides positive");
  }
  of.groups = site.attribute_int("group", 1);
  of.offset_groups = site.attribute_int("offset_group", 1);
  of.outputs = weight[0];
  of.group_channels = weight[1];
  of.cells = static_cast<int64_t>(list_size(kernel));
  of.channels = of.group_channels * of.groups;
  if (of.outputs == 0 || of.channels == 0 || of.cells == 0) decline("the weight is empty");
  if (of.groups <= 0 || of.outputs % of.groups != 0)
    decline(fmt::format("{} outputs do not divide into {} groups", of.outputs, of.groups));
  if (of.offset_groups <= 0 || of.channels % of.offset_groups != 0)
    decline(fmt::format("{} channels do not divide into {} offset groups", of.channels, of.offset_groups));
  return of;
}

class Gathering {
 public:
  Gathering(const CallSite& site, Cells sampled)
      : site_(site),
        of_(read(site)),
        is_at_once_(sampled == Cells::kAtOnce),
        has_mask_(site.has_input(kMask)),
        has_bias_(site.has_input(kBias)),
        type_(element_type(site)),
        // A float16 has too few digits for the place of a sampling point. Where the type is not
        // known, a double holds every value.
        widens_(type_ != onnx::TensorProto::FLOAT && type_ != onnx::TensorProto::DOUBLE),
        work_type_(type_.value_or(onnx::TensorProto::DOUBLE) == onnx::TensorProto::DOUBLE ? onnx::TensorProto::DOUBLE
                                                                                          : onnx::TensorProto::FLOAT),
        body_("ai.onnx", "DeformConv", formals(), {"y"}, 15) {}

  Lowering lowering() {
    widen_inputs();
    tabulate_image();
    place_points();
    find_neighbours();
    const std::vector<std::string> samples = sample();
    body_.constant("groups", Ints{of_.groups});
    body_.constant("kernel_shape", Ints{of_.groups, of_.group_outputs(), of_.group_channels, of_.cells});
    multiply_by_weight(samples);
    if (has_bias_) {
      body_.constant("bias_shape", Ints{of_.groups, 1, of_.group_outputs()});
      append_bias(body_);
    }
    give_result();
    return body_.function();
  }

 private:
  std::vector<std::string> formals() const {
    std::vector<std::string> names;
    for (const char* name : kNames) names.push_back(std::string(widens_ ? "given_" : "") + name);
    return names;
  }

  void number(std::string_view name, double value) {
    body_.constant(name, tensor_of(work_type_, {}, std::vector<double>{value}));
  }

  void widen_inputs() {
    if (!widens_) return;
    const std::vector<std::string> given = formals();
    for (int input : {kImage, kWeight, kOffset, kBias, kMask}) {
      if (site_.has_input(input))
        body_(kNames[input], "Cast", {given[static_cast<size_t>(input)]}, {{"to", work_type_}});
    }
  }

  // Makes the sizes of the image and of the output, and `table`.
  void tabulate_image() {
    body_.constant("zero", 0);
    body_.constant("one", 1);
    body_.constant("batch_axis", Ints{0});
    body_.constant("height_axis", Ints{2});
    body_.constant("width_axis", Ints{3});
    // What is added to the size of the image, before the stride divides it, for the size of
    // the output.
    const auto growth = [&](size_t axis) {
      return of_.pads[axis] + of_.pads[axis + 2] - of_.dilations[axis] * (of_.kernel[axis] - 1) - 1 + of_.strides[axis];
    };
    body_.constant("y_growth", Ints{growth(0)});
    body_.constant("x_growth", Ints{growth(1)});
    body_.constant("y_stride", Ints{of_.strides[0]});
    body_.constant("x_stride", Ints{of_.strides[1]});
    body_.constant("offset_groups", Ints{of_.offset_groups});
    body_.constant("offset_group_channels", Ints{of_.channels / of_.offset_groups});
    body_.constant("margin", Ints{0, 0, 2, 2, 0, 0, 1, 1});
    body_.constant("margin_before", Ints{2});
    body_.constant("margin_size", Ints{3});
    append_sizes(body_);
    body_.constant("any", Ints{-1});
    append_table(body_);
  }

  void place_points() {
    // Where the cells of the kernel lie when it is at the first row and column.
    Ints y_taps, x_taps;
    for (int64_t row = 0; row < of_.kernel[0]; ++row)
      y_taps.insert(y_taps.end(), static_cast<size_t>(of_.kernel[1]), row * of_.dilations[0] - of_.pads[0]);
    for (int64_t cell = 0; cell < of_.cells; ++cell)
      x_taps.push_back(cell % of_.kernel[1] * of_.dilations[1] - of_.pads[1]);
    const Ints taps_shape = is_at_once_ ? Ints{of_.cells, 1, 1, 1} : Ints{of_.cells, 1, 1, 1, 1};
    body_.constant("down", Ints{-1, 1});
    body_.constant("y_taps", tensor_of(onnx::TensorProto::INT64, taps_shape, y_taps));
    body_.constant("x_taps", tensor_of(onnx::TensorProto::INT64, taps_shape, x_taps));
    body_.constant("cells", Ints{of_.cells});
    body_.constant("pair", Ints{2});
    number("before_first", -1);
    number("outside", -2);
    append_points(body_, work_type_, is_at_once_);
  }

  // Makes the rows of the four neighbours of each point in the table, and their shares in
  // the sample.
  void find_neighbours() {
    body_.constant("outermost", is_at_once_ ? Ints{-1, 1, 1} : Ints{of_.offset_groups, -1, 1, 1});
    number("whole", 1);
    body_.constant("rows_shape", Ints{of_.cells, of_.offset_groups, -1});
    const std::string_view top_share = has_mask_ ? "whole_top_share" : "top_share";
    const std::string_view bottom_share = has_mask_ ? "whole_bottom_share" : "bottom_share";
    if (is_at_once_) {
      number("at_place", 0);
      append_corners_by_offsets(body_, bottom_share);
    } else {
      append_corners(body_, bottom_share);
    }
    append_neighbours(body_, top_share, bottom_share);
    if (has_mask_) append_masked_shares(body_, is_at_once_);
    body_.constant("shares_shape", Ints{of_.cells, of_.offset_groups, -1, 1});
    append_shares(body_);
  }

  // Gives the samples of each cell, as values of their own; none where one value `samples` is made
  // for all cells.
  std::vector<std::string> sample() {
    std::vector<std::string> samples;
    if (is_at_once_) {
      body_.constant("four", Ints{4});
      body_.constant("neighbour_axis", Ints{0});
      append_samples_at_once(body_);
      return samples;
    }
    body_.constant("one_each", Ints(static_cast<size_t>(of_.cells), 1));
    for (const char* neighbour : {"top_left", "top_right", "bottom_left", "bottom_right"}) {
      split_by_cell(body_, neighbour, of_.cells);
      split_by_cell(body_, fmt::format("{}_share", neighbour), of_.cells);
    }
    for (int64_t cell = 0; cell < of_.cells; ++cell) {
      append_samples(body_, fmt::to_string(cell));
      samples.push_back(fmt::format("sample_{}", cell));
    }
    return samples;
  }

  // Makes the products with the weight: [groups, batch * positions, outputs of a group].
  void multiply_by_weight(const std::vector<std::string>& samples) {
    const std::string_view products = has_bias_ ? "products" : "by_position";
    if (of_.groups == of_.offset_groups && !is_at_once_) {
      body_.constant("products_shape", Ints{of_.groups, -1, of_.group_outputs()});
      append_matrix_of_each_cell(body_);
      split_by_cell(body_, "matrix", of_.cells);
      append_sum_of_products(body_, of_.cells, products);
      return;
    }
    if (!is_at_once_) body_("samples", "Concat", samples, {{"axis", 0}});
    body_.constant("group_channels", Ints{of_.group_channels});
    body_.constant("patch_size", Ints{of_.cells * of_.group_channels});
    body_.constant("matrix_shape", Ints{of_.groups, of_.cells * of_.group_channels, of_.group_outputs()});
    append_convolution_at_once(body_, products);
  }

  void give_result() {
    body_.constant("group_outputs", Ints{of_.group_outputs()});
    body_.constant("outputs", Ints{of_.outputs});
    append_output_shape(body_);
    body_(widens_ ? "wide_y" : "y", "Reshape", {"by_output", "output_shape"});
    if (widens_ && type_) body_("y", "Cast", {"wide_y"}, {{"to", *type_}});
    if (widens_ && !type_) body_("y", "CastLike", {"wide_y", "given_x"});
  }

  const CallSite& site_;
  const Convolution of_;
  const bool is_at_once_, has_mask_, has_bias_;
  const std::optional<int> type_;
  const bool widens_;
  const onnx::TensorProto::DataType work_type_;
  Body body_;
};

template <Cells sampled>
constexpr NativeRule rule_for(std::string_view summary) {
  return {.domain = "ai.onnx",
          .op_type = "DeformConv",
          .summary = summary,
          .source = "ai.onnx DeformConv, versions 19 and 22",
          .attributes = "dilations, group, kernel_shape, offset_group, pads, strides",
          .turn = sampled == Cells::kAtOnce ? RuleTurn::last_resort : RuleTurn::usual,
          .inputs = "X, W, offset, B, mask",
          .lower = [](const CallSite& site) { return Gathering(site, sampled).lowering(); }};
}

const NativeRule rules[] = {rule_for<Cells::kOneByOne>("deformable convolution by gathering"),
                            rule_for<Cells::kAtOnce>("deformable convolution by gathering, of all cells at once")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_DeformConv
