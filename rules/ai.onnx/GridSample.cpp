// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Sampling of an image at the points of a grid: with the names that the modes have below opset 20, and by gathering below 16.
//
// The image, with a margin of zeros and the channels last, becomes a table of pixels, and each of the neighbours of a point is a row of
// it. With zeros outside, a point beyond (-1, H) x (-1, W), or one that is not a number, is moved to (-2, -2), where all neighbours are
// in the margin.
#include "../com.microsoft/body_text.h"

namespace onnx_lower {
namespace {

constexpr int kImage = 0, kGrid = 1;

// One coordinate of the points, in pixels, from its place between -1 and 1.
void append_position(BodyText& body, const char* name, bool align_corners, const std::string& padding) {
  body.line("{0}_last = Sub ({0}_size, one)", name);
  body.line("{0}_moved = Add ({0}_given, one)", name);
  if (align_corners) {
    body.line("{0}_half = Mul ({0}_last, half)", name);
    body.line("{0}_free = Mul ({0}_moved, {0}_half)", name);
  } else {
    body.line("{0}_doubled = Mul ({0}_moved, {0}_size)", name);
    body.line("{0}_less = Sub ({0}_doubled, one)", name);
    body.line("{0}_free = Mul ({0}_less, half)", name);
  }
  if (padding == "zeros") {
    body.line("{0}_after = Greater ({0}_free, before_first)", name);
    body.line("{0}_before = Less ({0}_free, {0}_size)", name);
    body.line("{0}_inside = And ({0}_after, {0}_before)", name);
    return;
  }
  std::string free = fmt::format("{}_free", name);
  if (padding == "reflection") {
    // The distance from the lower edge, folded back at both. An image of one pixel has no distance between the centres of its edges.
    const std::string_view low = align_corners ? "zero" : "minus_half";
    std::string span = fmt::format("{}_size", name);
    if (align_corners) {
      span = fmt::format("{}_span", name);
      body.line("{0} = Max ({1}_last, tiny)", span, name);
    }
    body.line("{0}_from_edge = Sub ({0}_free, {1})", name, low);
    body.line("{0}_away = Abs ({0}_from_edge)", name);
    body.line("{0}_period = Add ({1}, {1})", name, span);
    body.line("{0}_turns = Div ({0}_away, {0}_period)", name);
    body.line("{0}_whole_turns = Floor ({0}_turns)", name);
    body.line("{0}_turned = Mul ({0}_whole_turns, {0}_period)", name);
    body.line("{0}_on = Sub ({0}_away, {0}_turned)", name);
    body.line("{0}_back = Sub ({0}_period, {0}_on)", name);
    body.line("{0}_folded = Min ({0}_on, {0}_back)", name);
    body.line("{0}_reflected = Add ({0}_folded, {1})", name, low);
    free = fmt::format("{}_reflected", name);
  }
  // What is not a number is moved as well, so that it has a row in the table.
  body.line("{0}_not_low = Greater ({1}, zero)", name, free);
  body.line("{0}_raised = Where ({0}_not_low, {1}, zero)", name, free);
  body.line("{0} = Min ({0}_raised, {0}_last)", name);
}

Lowering lower_by_gathering(const CallSite& site, const std::string& mode, const std::string& padding) {
  const bool align_corners = site.attribute_int("align_corners", 0) != 0;
  BodyText body("ai.onnx", "GridSample", {"X", "grid"}, {"Y"}, 15);
  // A float16 has too few digits for the place of a point. Where the type is not known, a double holds every value.
  const auto type = site.dtype(kImage);
  const bool in_float = type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::FLOAT16;
  const int work_type = in_float ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE;
  const std::string_view real = in_float ? "float" : "double";
  const auto number = [&](const char* name, double value) {
    body.line("{} = Constant <value = {} {{{}}}> ()", name, real, float_text(value));
  };
  number("zero", 0.0);
  number("one", 1.0);
  number("half", 0.5);
  if (padding == "zeros") {
    number("before_first", -1.0);
    number("outside", -2.0);
  } else if (padding == "reflection") {
    number("minus_half", -0.5);
    number("tiny", 1e-6);
  }
  body.line("image = Cast <to = {}> (X)", work_type);
  body.line("points = Cast <to = {}> (grid)", work_type);
  const std::string batch = body.dim_list("X", 0), channels = body.dim_list("X", 1);
  const std::string height = body.dim_list("X", 2), width = body.dim_list("X", 3);
  body.line("x_size = Cast <to = {}> ({})", work_type, width);
  body.line("y_size = Cast <to = {}> ({})", work_type, height);
  body.line("x_given = Gather <axis = 3> (points, {})", body.scalar(0, "x_place"));
  body.line("y_given = Gather <axis = 3> (points, {})", body.scalar(1, "y_place"));
  for (const char* name : {"x", "y"}) append_position(body, name, align_corners, padding);
  if (padding == "zeros") {
    body.line("inside = And (x_inside, y_inside)");
    for (const char* name : {"x", "y"}) body.line("{0} = Where (inside, {0}_free, outside)", name);
  }

  // Two pixels before and one behind, so that every neighbour of every point is in the table.
  body.line("margin = Constant <value = int64[8] {{0, 0, 2, 2, 0, 0, 1, 1}}> ()");
  body.line("padded = Pad (image, margin)");
  const std::string last = body.transpose("padded", {0, 2, 3, 1}, "channels_last");
  const std::string any = body.ints({-1}, "any");
  body.line("table_shape = Concat <axis = 0> ({}, {})", any, channels);
  body.line("table = Reshape ({}, table_shape)", last);
  body.line("margin_size = Constant <value = int64[1] {{3}}> ()");
  body.line("margin_before = Constant <value = int64[1] {{2}}> ()");
  body.line("row_size = Add ({}, margin_size)", width);
  body.line("row_count = Add ({}, margin_size)", height);
  body.line("plane_size = Mul (row_size, row_count)");
  body.line("batch_stop = Squeeze ({})", batch);
  const std::string first = body.scalar(0, "first"), step = body.scalar(1, "step");
  body.line("image_number = Range ({}, batch_stop, {})", first, step);
  body.line("plane_start = Mul (image_number, plane_size)");
  body.line("margin_rows = Mul (row_size, margin_before)");
  body.line("margin_pixels = Add (margin_rows, margin_before)");
  body.line("origin = Add (plane_start, margin_pixels)");
  const std::string origins = body.reshape("origin", {-1, 1, 1}, "origins");

  const bool nearest = mode == "nearest";
  for (const char* name : {"x", "y"}) body.line("{0}_whole = {1} ({0})", name, nearest ? "Round" : "Floor");
  for (const char* name : {"x", "y"}) body.line("{0}_number = Cast <to = 7> ({0}_whole)", name);
  body.line("above = Mul (y_number, row_size)");
  body.line("in_plane = Add (above, x_number)");
  body.line("top_left = Add (in_plane, {})", origins);
  std::string samples = "top_left_pixel";
  body.line("top_left_pixel = Gather <axis = 0> (table, top_left)");
  if (!nearest) {
    body.line("top_right = Add (top_left, {})", step);
    body.line("bottom_left = Add (top_left, row_size)");
    body.line("bottom_right = Add (bottom_left, {})", step);
    for (const char* name : {"x", "y"}) {
      body.line("{0}_rest = Sub ({0}, {0}_whole)", name);
      body.line("{0}_share = Sub (one, {0}_rest)", name);
    }
    samples = "";
    for (const auto& [place, y_share, x_share] :
         {std::tuple{"top_left", "y_share", "x_share"}, std::tuple{"top_right", "y_share", "x_rest"},
          std::tuple{"bottom_left", "y_rest", "x_share"}, std::tuple{"bottom_right", "y_rest", "x_rest"}}) {
      if (place != std::string_view("top_left")) body.line("{0}_pixel = Gather <axis = 0> (table, {0})", place);
      body.line("{}_product = Mul ({}, {})", place, y_share, x_share);
      const std::string share = body.unsqueeze(fmt::format("{}_product", place), {3}, fmt::format("{}_share", place));
      body.line("{0}_sample = Mul ({0}_pixel, {1})", place, share);
      if (samples.empty()) {
        samples = fmt::format("{}_sample", place);
      } else {
        const std::string sum = body.fresh("sum");
        body.line("{} = Add ({}, {}_sample)", sum, samples, place);
        samples = sum;
      }
    }
  }
  const std::string result = body.transpose(samples, {0, 3, 1, 2}, "channels_first");
  body.line("Y = CastLike ({}, X)", result);
  return body.function();
}

Lowering lower(const CallSite& site) {
  const auto rank = site.rank(kImage) ? site.rank(kImage) : site.rank(kGrid);
  if (rank.value_or(4) != 4) return Declined{fmt::format("its image has rank {}, not 4", *rank)};
  // From 20 on linear and cubic, below bilinear and bicubic.
  std::string mode = site.attribute_string("mode", "linear");
  if (mode == "linear" || mode == "cubic") mode = "bi" + mode;
  const std::string padding = site.attribute_string("padding_mode", "zeros");
  if (mode != "bilinear" && mode != "bicubic" && mode != "nearest")
    return Declined{fmt::format("it does not know the mode '{}'", mode)};
  if (padding != "zeros" && padding != "border" && padding != "reflection")
    return Declined{fmt::format("it does not know the padding_mode '{}'", padding)};
  const bool has_these_names = site.opset() >= 20 || site.attribute_string("mode", "linear") == mode;
  if (site.opset() >= 16 && !has_these_names) {
    if (!rank) return Declined{"the rank of its image is not known"};
    return function_from_text(fmt::format(
        R"(<domain: "ai.onnx", opset_import: ["" : 16]> GridSample (X, grid) => (Y) {{
  Y = GridSample <align_corners = {}, mode = "{}", padding_mode = "{}"> (X, grid)
}})",
        site.attribute_int("align_corners", 0), mode, padding));
  }
  if (site.opset() < 11) return Declined{"its Pad and its Range are those of opset 11"};
  if (mode == "bicubic") return Declined{"it gathers one or four pixels, and bicubic means sixteen"};
  return lower_by_gathering(site, mode, padding);
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "GridSample",
    .summary = "the names of its modes below opset 20, and by gathering below 16 or where a runtime does not take it",
    .source = "ONNX GridSample-16, GridSample-20",
    .attributes = "align_corners, mode, padding_mode",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
