// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The places of the grid, as rows of a table (x, y, 1) that depends on nothing but the size, times
// the maps.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_AffineGrid {
namespace {

Lowering lower(const CallSite& site) {
  const std::optional<int64_t> rows = site.dim(0, 1), sizes = site.dim(1, 0);
  // Where it is not known, a grid of two dimensions is one of three whose first is 1, without the
  // coordinate along it.
  const bool is_known = rows || sizes;
  const int64_t axes = rows ? *rows : sizes ? *sizes - 2 : 3;
  if (axes != 2 && axes != 3) return Declined{"its grid has neither two nor three dimensions"};
  const bool is_at_corners = site.attribute_int("align_corners", 0) != 0;

  Body body("ai.onnx", "AffineGrid", {"theta", "size"}, {"grid"}, 18);
  const std::string none = body.scalar(0, "none"), one = body.scalar(1, "one");
  const std::string start = body.scalar_like(-1, "theta", "start");
  const std::string to = body.ints({is_known ? axes + 2 : std::numeric_limits<int64_t>::max()}, "to");
  body("given", "Slice", {"size", body.ints({2}, "from"), to});
  std::string spatial = "given";
  if (!is_known) {
    const std::string flat = body.ints({1}, "flat"), last = body.ints({-3}, "last_three");
    body("deeper", "Concat", {flat, "given"}, {{"axis", 0}});
    spatial = body("spatial", "Slice", {"deeper", last, to});
  }
  std::vector<std::string> columns;
  // x is along the last axis, y along the one before.
  for (int64_t coordinate = 0; coordinate < axes; ++coordinate) {
    const auto line = [&](std::string_view name, std::string_view op_type, const Values& inputs,
                          std::initializer_list<BodyAttribute> attributes = {}) {
      return body(fmt::format("{}_{}", name, coordinate), op_type, inputs, attributes);
    };
    const std::string count =
        line("count", "Gather", {spatial, body.scalar(axes - 1 - coordinate, "axis")}, {{"axis", 0}});
    const std::string numbers = line("numbers", "Range", {none, count, one});
    // In 2 / (n - 1) from the corner on, or in 2 / n from the middle of the first cell on.
    const std::string twice = line("twice", "Add", {numbers, numbers});
    std::string steps = twice, whole = count;
    if (is_at_corners) {
      const std::string less = line("less", "Sub", {count, one});
      whole = line("whole", "Max", {less, one});
    } else {
      steps = line("middles", "Add", {twice, one});
    }
    const std::string typed_steps = line("steps", "CastLike", {steps, "theta"});
    const std::string typed_whole = line("divisor", "CastLike", {whole, "theta"});
    const std::string parts = line("parts", "Div", {typed_steps, typed_whole});
    const std::string places = line("places", "Add", {parts, start});
    std::vector<int64_t> shape(static_cast<size_t>(axes), 1);
    shape[static_cast<size_t>(axes - 1 - coordinate)] = -1;
    const std::string everywhere = line("everywhere", "Expand", {body.reshape(places, shape, "along"), spatial});
    columns.push_back(body.reshape(everywhere, {-1, 1}, "column"));
  }
  body("ones_shape", "Shape", {columns.front()});
  body("float_ones", "ConstantOfShape", {"ones_shape"}, {{"value", one_float(1)}});
  body("ones", "CastLike", {"float_ones", "theta"});
  std::string coordinates = body.ints({axes}, "coordinates");
  if (is_known) {
    columns.emplace_back("ones");
    body("table", "Concat", columns, {{"axis", 1}});
  } else {
    coordinates = body("coordinates", "Shape", {"given"});
    body("all_columns", "Concat", columns, {{"axis", 1}});
    const std::string axis = body.ints({1}, "columns"), none_of_them = body.ints({0}, "none_of_them");
    body("columns_of_places", "Slice", {"all_columns", none_of_them, coordinates, axis});
    body("table", "Concat", {"columns_of_places", "ones"}, {{"axis", 1}});
  }
  body("moved", "MatMul", {"table", body.transpose("theta", {0, 2, 1}, "maps")});
  const std::string second = body.ints({1}, "second"), first = body.ints({0}, "first");
  body("batch", "Slice", {"size", first, second});
  body("shape", "Concat", {"batch", "given", coordinates}, {{"axis", 0}});
  body("grid", "Reshape", {"moved", "shape"});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "AffineGrid",
                      .summary = "Where an affine map takes the places of a grid from.",
                      .source = "ONNX AffineGrid-20",
                      .attributes = "align_corners",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_AffineGrid
