// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Sampling of an image at the points of a grid: with the names that the modes have below opset 20, and by gathering below 16.
//
// The image, with a margin of zeros and the channels last, becomes a table of pixels, and each of the neighbours of a point is a row of
// it. With zeros outside, a point beyond (-1, H) x (-1, W), or one that is not a number, is moved to (-2, -2), where all neighbours are
// in the margin.
#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower {
namespace {

constexpr int kImage = 0, kGrid = 1;

// One coordinate of the points, in pixels, from its place between -1 and 1.
void append_position(Body& body, const std::string& name, bool align_corners, const std::string& padding) {
  body(name + "_last", "Sub", {name + "_size", "one"});
  body(name + "_moved", "Add", {name + "_given", "one"});
  if (align_corners) {
    body(name + "_half", "Mul", {name + "_last", "half"});
    body(name + "_free", "Mul", {name + "_moved", name + "_half"});
  } else {
    body(name + "_doubled", "Mul", {name + "_moved", name + "_size"});
    body(name + "_less", "Sub", {name + "_doubled", "one"});
    body(name + "_free", "Mul", {name + "_less", "half"});
  }
  if (padding == "zeros") {
    body(name + "_after", "Greater", {name + "_free", "before_first"});
    body(name + "_before", "Less", {name + "_free", name + "_size"});
    body(name + "_inside", "And", {name + "_after", name + "_before"});
    return;
  }
  std::string free = name + "_free";
  if (padding == "reflection") {
    // The distance from the lower edge, folded back at both. An image of one pixel has no distance between the centres of its edges.
    const std::string_view low = align_corners ? "zero" : "minus_half";
    std::string span = name + "_size";
    if (align_corners) {
      span = name + "_span";
      body(span, "Max", {name + "_last", "tiny"});
    }
    body(name + "_from_edge", "Sub", {name + "_free", low});
    body(name + "_away", "Abs", {name + "_from_edge"});
    body(name + "_period", "Add", {span, span});
    body(name + "_turns", "Div", {name + "_away", name + "_period"});
    body(name + "_whole_turns", "Floor", {name + "_turns"});
    body(name + "_turned", "Mul", {name + "_whole_turns", name + "_period"});
    body(name + "_on", "Sub", {name + "_away", name + "_turned"});
    body(name + "_back", "Sub", {name + "_period", name + "_on"});
    body(name + "_folded", "Min", {name + "_on", name + "_back"});
    body(name + "_reflected", "Add", {name + "_folded", low});
    free = name + "_reflected";
  }
  // What is not a number is moved as well, so that it has a row in the table.
  body(name + "_not_low", "Greater", {free, "zero"});
  body(name + "_raised", "Where", {name + "_not_low", free, "zero"});
  body(name, "Min", {name + "_raised", name + "_last"});
}

Lowering lower_by_gathering(const CallSite& site, const std::string& mode, const std::string& padding) {
  const bool align_corners = site.attribute_int("align_corners", 0) != 0;
  Body body("ai.onnx", "GridSample", {"X", "grid"}, {"Y"}, 15);
  // A float16 has too few digits for the place of a point. Where the type is not known, a double holds every value.
  const auto type = site.dtype(kImage);
  const bool in_float = type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::FLOAT16;
  const int work_type = in_float ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE;
  const auto real = in_float ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE;
  const auto number = [&](const char* name, double value) {
    body.constant(name, tensor_of(real, {}, std::vector<double>{value}));
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
  body("image", "Cast", {"X"}, {{"to", work_type}});
  body("points", "Cast", {"grid"}, {{"to", work_type}});
  const std::string batch = body.dim_list("X", 0), channels = body.dim_list("X", 1);
  const std::string height = body.dim_list("X", 2), width = body.dim_list("X", 3);
  body("x_size", "Cast", {width}, {{"to", work_type}});
  body("y_size", "Cast", {height}, {{"to", work_type}});
  body("x_given", "Gather", {"points", body.scalar(0, "x_place")}, {{"axis", 3}});
  body("y_given", "Gather", {"points", body.scalar(1, "y_place")}, {{"axis", 3}});
  const std::vector<std::string> both = {"x", "y"};
  for (const std::string& name : both) append_position(body, name, align_corners, padding);
  if (padding == "zeros") {
    body("inside", "And", {"x_inside", "y_inside"});
    for (const std::string& name : both) body(name, "Where", {"inside", name + "_free", "outside"});
  }

  // Two pixels before and one behind, so that every neighbour of every point is in the table.
  body.constant("margin", Ints{0, 0, 2, 2, 0, 0, 1, 1});
  body("padded", "Pad", {"image", "margin"});
  const std::string last = body.transpose("padded", {0, 2, 3, 1}, "channels_last");
  const std::string any = body.ints({-1}, "any");
  body("table_shape", "Concat", {any, channels}, {{"axis", 0}});
  body("table", "Reshape", {last, "table_shape"});
  body.constant("margin_size", Ints{3});
  body.constant("margin_before", Ints{2});
  body("row_size", "Add", {width, "margin_size"});
  body("row_count", "Add", {height, "margin_size"});
  body("plane_size", "Mul", {"row_size", "row_count"});
  body("batch_stop", "Squeeze", {batch});
  const std::string first = body.scalar(0, "first"), step = body.scalar(1, "step");
  body("image_number", "Range", {first, "batch_stop", step});
  body("plane_start", "Mul", {"image_number", "plane_size"});
  body("margin_rows", "Mul", {"row_size", "margin_before"});
  body("margin_pixels", "Add", {"margin_rows", "margin_before"});
  body("origin", "Add", {"plane_start", "margin_pixels"});
  const std::string origins = body.reshape("origin", {-1, 1, 1}, "origins");

  const bool nearest = mode == "nearest";
  for (const std::string& name : both) body(name + "_whole", nearest ? "Round" : "Floor", {name});
  for (const std::string& name : both) body(name + "_number", "Cast", {name + "_whole"}, {{"to", 7}});
  body("above", "Mul", {"y_number", "row_size"});
  body("in_plane", "Add", {"above", "x_number"});
  body("top_left", "Add", {"in_plane", origins});
  std::string samples = "top_left_pixel";
  body("top_left_pixel", "Gather", {"table", "top_left"}, {{"axis", 0}});
  if (!nearest) {
    body("top_right", "Add", {"top_left", step});
    body("bottom_left", "Add", {"top_left", "row_size"});
    body("bottom_right", "Add", {"bottom_left", step});
    for (const std::string& name : both) {
      body(name + "_rest", "Sub", {name, name + "_whole"});
      body(name + "_share", "Sub", {"one", name + "_rest"});
    }
    samples = "";
    const std::tuple<std::string, std::string, std::string> neighbours[] = {{"top_left", "y_share", "x_share"},
                                                                            {"top_right", "y_share", "x_rest"},
                                                                            {"bottom_left", "y_rest", "x_share"},
                                                                            {"bottom_right", "y_rest", "x_rest"}};
    for (const auto& [place, y_share, x_share] : neighbours) {
      if (place != "top_left") body(place + "_pixel", "Gather", {"table", place}, {{"axis", 0}});
      body(place + "_product", "Mul", {y_share, x_share});
      const std::string share = body.unsqueeze(place + "_product", {3}, place + "_share");
      body(place + "_sample", "Mul", {place + "_pixel", share});
      if (samples.empty()) {
        samples = place + "_sample";
      } else {
        const std::string sum = body.fresh("sum");
        body(sum, "Add", {samples, place + "_sample"});
        samples = sum;
      }
    }
  }
  const std::string result = body.transpose(samples, {0, 3, 1, 2}, "channels_first");
  body("Y", "CastLike", {result, "X"});
  return body.function();
}

Lowering lower(const CallSite& site) {
  const auto rank = site.rank(kImage) ? site.rank(kImage) : site.rank(kGrid);
  if (rank.value_or(4) != 4) return Declined{fmt::format("its image has rank {}, not 4", *rank)};
  // From 20 on linear and cubic, below bilinear and bicubic.
  std::string mode = site.need_choice("mode", "linear", {"linear", "cubic", "bilinear", "bicubic", "nearest"});
  if (mode == "linear" || mode == "cubic") mode = "bi" + mode;
  const std::string padding = site.need_choice("padding_mode", "zeros", {"zeros", "border", "reflection"});
  if (site.opset() >= 20) return Declined{"the operator is of this opset"};
  if (site.opset() >= 16) {
    if (!rank) site.need_rank(kImage);
    Body body("ai.onnx", "GridSample", {"X", "grid"}, {"Y"}, 16);
    body("Y", "GridSample", {"X", "grid"},
         {{"align_corners", site.attribute_int("align_corners", 0)}, {"mode", mode}, {"padding_mode", padding}});
    return body.function();
  }
  if (site.opset() < 11) return Declined{"its Pad and its Range are those of opset 11"};
  if (mode == "bicubic") return Declined{"below opset 16 it samples at one or four pixels, and bicubic means sixteen"};
  return lower_by_gathering(site, mode, padding);
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "GridSample",
                      .summary = "the names of its modes below opset 20, and by gathering below 16",
                      .source = "ONNX GridSample-16, GridSample-20",
                      .attributes = "align_corners, mode, padding_mode",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
