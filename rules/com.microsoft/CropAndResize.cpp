// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::com_microsoft_CropAndResize {
namespace {

// Makes one coordinate of the samples in pixels, (R, count), rounded step by step as in ONNX
// Runtime's kernel: which pixel is the nearest may depend on the last bit. Coordinates 0 and 1 of a
// region are the centres of the image's first and last pixels, and the first and last samples of a
// region from 0 to 1 are exactly there.
std::string positions(Body& body, int image_axis, int64_t low, int64_t high, int64_t count, const std::string& name) {
  body(name + "_low", "Gather", {"rois_float", body.ints({low}, "low")}, {{"axis", 1}});
  body(name + "_high", "Gather", {"rois_float", body.ints({high}, "high")}, {{"axis", 1}});
  const std::string one = body.scalar(1, "one"), size = body.dim("X", image_axis);
  body(name + "_last", "Sub", {size, one});
  body(name + "_last_float", "Cast", {name + "_last"}, {{"to", 1}});
  if (count == 1) {
    body(name + "_sum", "Add", {name + "_low", name + "_high"});
    body(name + "_middle", "Mul", {name + "_sum", body.float_scalar(0.5, "half")});
    body(name, "Mul", {name + "_middle", name + "_last_float"});
    return name;
  }
  body(name + "_first", "Mul", {name + "_low", name + "_last_float"});
  body(name + "_end", "Mul", {name + "_high", name + "_last_float"});
  if (count == 2) {
    body(name, "Concat", {name + "_first", name + "_end"}, {{"axis", 1}});
    return name;
  }
  const Ints numbers = numbers_below(count);
  const std::vector<double> steps(numbers.begin() + 1, numbers.end() - 1);
  body(name + "_span", "Sub", {name + "_high", name + "_low"});
  body(name + "_length", "Mul", {name + "_span", name + "_last_float"});
  body(name + "_step", "Div", {name + "_length", body.float_scalar(static_cast<double>(count - 1), "intervals")});
  body.constant(name + "_numbers", tensor_of(onnx::TensorProto::FLOAT, {static_cast<int64_t>(steps.size())}, steps));
  body(name + "_shifts", "Mul", {name + "_step", name + "_numbers"});
  body(name + "_inner", "Add", {name + "_first", name + "_shifts"});
  body(name, "Concat", {name + "_first", name + "_inner", name + "_end"}, {{"axis", 1}});
  return name;
}

// Makes whether positions (R, count) are inside of the image, the pixel before each, and how far
// behind that pixel it is. For positions outside any pixel will do. A position that is NaN counts
// as outside.
void append_floor(Body& body, const std::string& name) {
  const std::string zero = body.float_scalar(0.0, "zero");
  body(name + "_not_before", "GreaterOrEqual", {name, zero});
  body(name + "_not_behind", "LessOrEqual", {name, name + "_last_float"});
  body(name + "_inside", "And", {name + "_not_before", name + "_not_behind"});
  body(name + "_safe", "Where", {name + "_inside", name, zero});
  body(name + "_floor", "Floor", {name + "_safe"});
  body(name + "_share", "Sub", {name + "_safe", name + "_floor"});
}

// Gives (R, count) as (R, 1, count, 1) for rows, or as (R, 1, 1, count) for columns.
std::string spread(Body& body, const std::string& name, bool row) {
  return body.unsqueeze(name, row ? std::vector<int64_t>{1, 3} : std::vector<int64_t>{1, 2}, name);
}

// The list of all pixels, as floats, and where in it the planes that each region needs begin, in
// the shape (R, C, 1, 1).
struct Pixels {
  std::string list;
  std::string plane_start;
  std::string width;
};

Pixels pixel_list(Body& body) {
  Pixels all;
  all.width = body.dim("X", 3);
  body("plane_size", "Mul", {body.dim("X", 2), all.width});
  const std::string channels = body.dim("X", 1);
  const std::string one = body.scalar(1, "one"), zero = body.scalar(0, "zero");
  body("channel", "Range", {zero, channels, one});
  body("image", "Cast", {"batch_indices"}, {{"to", 7}});
  body("first_plane", "Mul", {body.unsqueeze("image", {1}, "image_column"), channels});
  body("plane", "Add", {"first_plane", "channel"});
  body("start", "Mul", {"plane", "plane_size"});
  all.plane_start = body.unsqueeze("start", {2, 3}, "plane_start");
  body("x_float", "Cast", {"X"}, {{"to", 1}});
  all.list = body.reshape("x_float", {-1}, "pixel_list");
  return all;
}

std::string pixels_at(Body& body, const Pixels& all, const std::string& rows, const std::string& columns,
                      const std::string& name) {
  body(name + "_row_start", "Mul", {rows, all.width});
  body(name + "_in_plane", "Add", {name + "_row_start", columns});
  body(name + "_place", "Add", {all.plane_start, name + "_in_plane"});
  body(name, "Gather", {all.list, name + "_place"}, {{"axis", 0}});
  return name;
}

// Halfway between two pixels the later one is the nearest, as by roundf in the kernel.
std::string nearest(Body& body, const std::string& name) {
  body(name + "_is_early", "Less", {name + "_share", body.float_scalar(0.5, "half")});
  body(name + "_is_late", "Not", {name + "_is_early"});
  body(name + "_late", "Cast", {name + "_is_late"}, {{"to", 1}});
  body(name + "_near", "Add", {name + "_floor", name + "_late"});
  body(name + "_pixel", "Cast", {name + "_near"}, {{"to", 7}});
  return name + "_pixel";
}

std::string between(Body& body, const std::string& first, const std::string& second, const std::string& share,
                    const std::string& name) {
  body(name + "_difference", "Sub", {second, first});
  body(name + "_part", "Mul", {name + "_difference", share});
  body(name, "Add", {first, name + "_part"});
  return name;
}

std::string bilinear(Body& body, const Pixels& all) {
  const auto at = [&](const std::string& name, const std::string& what) {
    return spread(body, fmt::format("{}_{}", name, what), name == "row");
  };
  for (const std::string& name : std::vector<std::string>{"row", "column"}) {
    body(name + "_ceiling", "Ceil", {name + "_safe"});
    body(name + "_first_pixel", "Cast", {name + "_floor"}, {{"to", 7}});
    body(name + "_second_pixel", "Cast", {name + "_ceiling"}, {{"to", 7}});
  }
  const std::string left = at("column", "first_pixel");
  const std::string right = at("column", "second_pixel");
  const std::string column_share = at("column", "share");
  std::vector<std::string> lines;
  for (const std::string& line : std::vector<std::string>{"first", "second"}) {
    const std::string row = at("row", line + "_pixel");
    const std::string at_left = pixels_at(body, all, row, left, line + "_left");
    const std::string at_right = pixels_at(body, all, row, right, line + "_right");
    lines.push_back(between(body, at_left, at_right, column_share, line + "_line"));
  }
  return between(body, lines[0], lines[1], at("row", "share"), "samples");
}

Lowering lower(const CallSite& site) {
  const std::string mode = site.need_choice("mode", "bilinear", {"bilinear", "nearest"});
  const Ints size = site.need_ints(3, 2);
  if (size[0] < 1 || size[1] < 1) return Declined{"crop_size is not positive"};
  if (site.dim(1, 0) != 0 && (site.dim(0, 2) == 0 || site.dim(0, 3) == 0))
    return Declined{"its image has no pixels, and nothing is gathered from it"};

  Body body("com.microsoft", "CropAndResize", {"X", "rois", "batch_indices", "crop_size"}, {"Y"}, 16);
  body("rois_float", "Cast", {"rois"}, {{"to", 1}});
  positions(body, 2, 0, 2, size[0], "row");
  positions(body, 3, 1, 3, size[1], "column");
  append_floor(body, "row");
  append_floor(body, "column");
  const Pixels all = pixel_list(body);
  std::string samples;
  if (mode == "nearest") {
    const std::string row = spread(body, nearest(body, "row"), true);
    samples = pixels_at(body, all, row, spread(body, nearest(body, "column"), false), "samples");
  } else {
    samples = bilinear(body, all);
  }
  const std::string columns = spread(body, "column_inside", false), rows = spread(body, "row_inside", true);
  body("inside", "And", {rows, columns});
  body("y_float", "Where",
       {"inside", samples, body.float_scalar(site.attribute_float("extrapolation_value", 0.0f), "filler")});
  body("Y", "CastLike", {"y_float", "X"});
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "CropAndResize",
    .summary =
        "Crops of images, each resized to the same size, with the corners of the crops as first and last samples.",
    .source = "ONNX Runtime's contrib operator CropAndResize, as its kernel computes it",
    .attributes = "extrapolation_value, mode",
    .inputs = "X, rois, batch_indices, crop_size",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_CropAndResize
