// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "body_text.h"

namespace onnx_lower {
namespace {

// One coordinate of the samples in pixels, (R, count), rounded step by step as ONNX Runtime's kernel does: a nearest pixel hangs on the last bit.
// Coordinates 0 and 1 of a region are the centres of the image's first and last pixels, and are hit exactly by its first and last samples.
std::string positions(BodyText& body, int image_axis, int64_t low, int64_t high, int64_t count,
                      const std::string& name) {
  body.line("{}_low = Gather <axis = 1> (rois_float, {})", name, body.ints({low}, "low"));
  body.line("{}_high = Gather <axis = 1> (rois_float, {})", name, body.ints({high}, "high"));
  body.line("{}_last = Sub ({}, {})", name, body.dim("X", image_axis), body.scalar(1, "one"));
  body.line("{}_last_float = Cast <to = 1> ({}_last)", name, name);
  if (count == 1) {
    body.line("{}_sum = Add ({}_low, {}_high)", name, name, name);
    body.line("{}_middle = Mul ({}_sum, {})", name, name, body.float_scalar(0.5, "half"));
    body.line("{} = Mul ({}_middle, {}_last_float)", name, name, name);
    return name;
  }
  body.line("{}_first = Mul ({}_low, {}_last_float)", name, name, name);
  body.line("{}_end = Mul ({}_high, {}_last_float)", name, name, name);
  if (count == 2) {
    body.line("{} = Concat <axis = 1> ({}_first, {}_end)", name, name, name);
    return name;
  }
  std::vector<std::string> steps;
  for (int64_t step = 1; step + 1 < count; ++step) steps.push_back(float_text(static_cast<double>(step)));
  body.line("{}_span = Sub ({}_high, {}_low)", name, name, name);
  body.line("{}_length = Mul ({}_span, {}_last_float)", name, name, name);
  body.line("{}_step = Div ({}_length, {})", name, name,
            body.float_scalar(static_cast<double>(count - 1), "intervals"));
  body.line("{}_numbers = Constant <value = float[{}] {{{}}}> ()", name, steps.size(), fmt::join(steps, ", "));
  body.line("{}_shifts = Mul ({}_step, {}_numbers)", name, name, name);
  body.line("{}_inner = Add ({}_first, {}_shifts)", name, name, name);
  body.line("{} = Concat <axis = 1> ({}_first, {}_inner, {}_end)", name, name, name, name);
  return name;
}

// Whether positions (R, count) lie outside of the image; the pixel before each, and how far behind that it is. Outside any pixel will do.
void append_floor(BodyText& body, const std::string& name) {
  const std::string zero = body.float_scalar(0.0, "zero");
  body.line("{}_before = Less ({}, {})", name, name, zero);
  body.line("{}_behind = Less ({}_last_float, {})", name, name, name);
  body.line("{}_outside = Or ({}_before, {}_behind)", name, name, name);
  body.line("{}_safe = Where ({}_outside, {}, {})", name, name, zero, name);
  body.line("{}_floor = Floor ({}_safe)", name, name);
  body.line("{}_share = Sub ({}_safe, {}_floor)", name, name, name);
}

// (R, count) → (R, 1, count, 1) for rows, (R, 1, 1, count) for columns.
std::string spread(BodyText& body, const std::string& name, bool row) {
  return body.unsqueeze(name, row ? std::vector<int64_t>{1, 3} : std::vector<int64_t>{1, 2}, name);
}

// The list of all pixels, as floats, and where in it the planes that each region needs begin: (R, C, 1, 1).
struct Pixels {
  std::string list;
  std::string plane_start;
  std::string width;
};

Pixels pixel_list(BodyText& body) {
  Pixels all;
  all.width = body.dim("X", 3);
  body.line("plane_size = Mul ({}, {})", body.dim("X", 2), all.width);
  const std::string channels = body.dim("X", 1);
  body.line("channel = Range ({}, {}, {})", body.scalar(0, "zero"), channels, body.scalar(1, "one"));
  body.line("image = Cast <to = 7> (batch_indices)");
  body.line("first_plane = Mul ({}, {})", body.unsqueeze("image", {1}, "image_column"), channels);
  body.line("plane = Add (first_plane, channel)");
  body.line("start = Mul (plane, plane_size)");
  all.plane_start = body.unsqueeze("start", {2, 3}, "plane_start");
  body.line("x_float = Cast <to = 1> (X)");
  all.list = body.reshape("x_float", {-1}, "pixel_list");
  return all;
}

std::string pixels_at(BodyText& body, const Pixels& all, const std::string& rows, const std::string& columns,
                      const std::string& name) {
  body.line("{}_row_start = Mul ({}, {})", name, rows, all.width);
  body.line("{}_in_plane = Add ({}_row_start, {})", name, name, columns);
  body.line("{}_place = Add ({}, {}_in_plane)", name, all.plane_start, name);
  body.line("{} = Gather <axis = 0> ({}, {}_place)", name, all.list, name);
  return name;
}

// Halfway between two pixels the later one is the nearest, as the kernel's roundf has it.
std::string nearest(BodyText& body, const std::string& name) {
  body.line("{}_is_early = Less ({}_share, {})", name, name, body.float_scalar(0.5, "half"));
  body.line("{}_is_late = Not ({}_is_early)", name, name);
  body.line("{}_late = Cast <to = 1> ({}_is_late)", name, name);
  body.line("{}_near = Add ({}_floor, {}_late)", name, name, name);
  body.line("{}_pixel = Cast <to = 7> ({}_near)", name, name);
  return name + "_pixel";
}

std::string between(BodyText& body, const std::string& first, const std::string& second, const std::string& share,
                    const std::string& name) {
  body.line("{}_difference = Sub ({}, {})", name, second, first);
  body.line("{}_part = Mul ({}_difference, {})", name, name, share);
  body.line("{} = Add ({}, {}_part)", name, first, name);
  return name;
}

std::string bilinear(BodyText& body, const Pixels& all) {
  const auto at = [&](const std::string& name, const char* what) {
    return spread(body, fmt::format("{}_{}", name, what), name == "row");
  };
  for (const char* name : {"row", "column"}) {
    body.line("{}_ceiling = Ceil ({}_safe)", name, name);
    body.line("{}_first_pixel = Cast <to = 7> ({}_floor)", name, name);
    body.line("{}_second_pixel = Cast <to = 7> ({}_ceiling)", name, name);
  }
  const std::string left = at("column", "first_pixel");
  const std::string right = at("column", "second_pixel");
  const std::string column_share = at("column", "share");
  std::vector<std::string> lines;
  for (const char* line : {"first", "second"}) {
    const std::string row = at("row", line == std::string_view("first") ? "first_pixel" : "second_pixel");
    const std::string at_left = pixels_at(body, all, row, left, fmt::format("{}_left", line));
    const std::string at_right = pixels_at(body, all, row, right, fmt::format("{}_right", line));
    lines.push_back(between(body, at_left, at_right, column_share, fmt::format("{}_line", line)));
  }
  return between(body, lines[0], lines[1], at("row", "share"), "samples");
}

Lowering lower(const CallSite& site) {
  const std::string mode = site.attribute_string("mode", "bilinear");
  if (mode != "bilinear" && mode != "nearest") return Declined{"it does not know the mode " + mode};
  const auto size = site.constant_ints(3);
  if (!size || size->size() != 2) return Declined{"crop_size is not a constant of two elements"};
  if ((*size)[0] < 1 || (*size)[1] < 1) return Declined{"crop_size is not positive"};

  BodyText body("com.microsoft", "CropAndResize", {"X", "rois", "batch_indices", "crop_size"}, {"Y"}, 16);
  body.line("rois_float = Cast <to = 1> (rois)");
  positions(body, 2, 0, 2, (*size)[0], "row");
  positions(body, 3, 1, 3, (*size)[1], "column");
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
  body.line("outside = Or ({}, {})", spread(body, "row_outside", true), spread(body, "column_outside", false));
  body.line("y_float = Where (outside, {}, {})",
            body.float_scalar(site.attribute_float("extrapolation_value", 0.0f), "filler"), samples);
  body.line("Y = CastLike (y_float, X)");
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "CropAndResize",
    .summary =
        "Crops of images, each resized to the same size, with the corners of the crops as first and last samples.",
    .source = "ONNX Runtime's contrib operator CropAndResize, as its kernel computes it",
    .attributes = "extrapolation_value, mode",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
