// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The places of the grid, as rows of a table that depends on nothing but the size, times the maps:
//
//     grid[n, place] = theta[n] * (x, y, 1), where x and y go from -1 to 1
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_AffineGrid {
namespace {

// Where it is not known whether the grid has two or three dimensions, one of two is computed as one
// of three whose first is 1, and the coordinate along that one is left out.
class Grid {
 public:
  Grid(const CallSite& site, std::optional<int64_t> axes)
      : is_known_(axes.has_value()),
        axes_(axes.value_or(3)),
        is_at_corners_(site.attribute_int("align_corners", 0) != 0),
        body_("ai.onnx", "AffineGrid", {"theta", "size"}, {"grid"}, 18) {}

  Lowering lowering() {
    none_ = body_.scalar(0, "none");
    one_ = body_.scalar(1, "one");
    start_ = body_.scalar_like(-1, "theta", "start");
    find_spatial();
    std::vector<std::string> columns;
    // x is along the last axis, y along the one before.
    for (int64_t coordinate = 0; coordinate < axes_; ++coordinate) columns.push_back(column(coordinate));
    const std::string coordinates = append_table(std::move(columns));
    body_("moved", "MatMul", {"table", body_.transpose("theta", {0, 2, 1}, "maps")});
    const std::string second = body_.ints({1}, "second"), first = body_.ints({0}, "first");
    body_("batch", "Slice", {"size", first, second});
    body_("shape", "Concat", {"batch", "given", coordinates}, {{"axis", 0}});
    body_("grid", "Reshape", {"moved", "shape"});
    return body_.function();
  }

 private:
  // The node `name` for a coordinate: the nodes of each coordinate have names of their own.
  std::string line(int64_t coordinate, std::string_view name, std::string_view op_type, const Values& inputs,
                   std::initializer_list<BodyAttribute> attributes = {}) {
    return body_(fmt::format("{}_{}", name, coordinate), op_type, inputs, attributes);
  }

  // Makes `given`, the sizes of the grid, and `spatial_`, which are those of all axes that
  // are computed.
  void find_spatial() {
    const std::string to = body_.ints({is_known_ ? axes_ + 2 : std::numeric_limits<int64_t>::max()}, "to");
    spatial_ = body_("given", "Slice", {"size", body_.ints({2}, "from"), to});
    if (is_known_) return;
    const std::string flat = body_.ints({1}, "flat"), last = body_.ints({-3}, "last_three");
    body_("deeper", "Concat", {flat, "given"}, {{"axis", 0}});
    spatial_ = body_("spatial", "Slice", {"deeper", last, to});
  }

  // Gives a coordinate of all places, (places) x 1.
  std::string column(int64_t coordinate) {
    const std::string count =
        line(coordinate, "count", "Gather", {spatial_, body_.scalar(axes_ - 1 - coordinate, "axis")}, {{"axis", 0}});
    const std::string numbers = line(coordinate, "numbers", "Range", {none_, count, one_});
    // The steps are 2 / (n - 1) from the corner on, or 2 / n from the middle of the first cell on.
    const std::string twice = line(coordinate, "twice", "Add", {numbers, numbers});
    std::string steps = twice, whole = count;
    if (is_at_corners_) {
      const std::string less = line(coordinate, "less", "Sub", {count, one_});
      whole = line(coordinate, "whole", "Max", {less, one_});
    } else {
      steps = line(coordinate, "middles", "Add", {twice, one_});
    }
    const std::string typed_steps = line(coordinate, "steps", "CastLike", {steps, "theta"});
    const std::string typed_whole = line(coordinate, "divisor", "CastLike", {whole, "theta"});
    const std::string parts = line(coordinate, "parts", "Div", {typed_steps, typed_whole});
    const std::string places = line(coordinate, "places", "Add", {parts, start_});
    Ints shape(static_cast<size_t>(axes_), 1);
    shape[static_cast<size_t>(axes_ - 1 - coordinate)] = -1;
    const std::string everywhere =
        line(coordinate, "everywhere", "Expand", {body_.reshape(places, shape, "along"), spatial_});
    return body_.reshape(everywhere, {-1, 1}, "column");
  }

  // Makes `table`, (places) x (coordinates + 1). Gives the number of coordinates, as a list of one.
  std::string append_table(std::vector<std::string> columns) {
    body_("ones_shape", "Shape", {columns.front()});
    body_("float_ones", "ConstantOfShape", {"ones_shape"}, {{"value", one_float(1)}});
    body_("ones", "CastLike", {"float_ones", "theta"});
    std::string coordinates = body_.ints({axes_}, "coordinates");
    if (is_known_) {
      columns.emplace_back("ones");
      body_("table", "Concat", columns, {{"axis", 1}});
      return coordinates;
    }
    coordinates = body_("coordinates", "Shape", {"given"});
    body_("all_columns", "Concat", columns, {{"axis", 1}});
    const std::string axis = body_.ints({1}, "columns"), none_of_them = body_.ints({0}, "none_of_them");
    body_("columns_of_places", "Slice", {"all_columns", none_of_them, coordinates, axis});
    body_("table", "Concat", {"columns_of_places", "ones"}, {{"axis", 1}});
    return coordinates;
  }

  const bool is_known_;
  const int64_t axes_;
  const bool is_at_corners_;
  Body body_;
  std::string none_, one_, start_, spatial_;
};

Lowering lower(const CallSite& site) {
  const std::optional<int64_t> rows = site.dim(0, 1), sizes = site.dim(1, 0);
  const std::optional<int64_t> axes = rows ? rows : sizes ? std::optional(*sizes - 2) : std::nullopt;
  if (axes && axes != 2 && axes != 3) return Declined{"its grid has neither two nor three dimensions"};
  return Grid(site, axes).lowering();
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
