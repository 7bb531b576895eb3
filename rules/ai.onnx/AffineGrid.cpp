// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The places of the grid, as rows of a table (x, y, 1) that depends on nothing but the size, times the maps.
#include "../com.microsoft/body_text.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  const std::optional<int64_t> rows = site.dim(0, 1), sizes = site.dim(1, 0);
  if (!rows && !sizes) return Declined{"whether it is of two or three dimensions is not known"};
  const int64_t axes = rows ? *rows : *sizes - 2;
  if (axes != 2 && axes != 3) return Declined{"its grid has neither two nor three dimensions"};
  const bool is_at_corners = site.attribute_int("align_corners", 0) != 0;

  BodyText body("ai.onnx", "AffineGrid", {"theta", "size"}, {"grid"}, 18);
  const std::string none = body.scalar(0, "none"), one = body.scalar(1, "one");
  const std::string start = body.scalar_like(-1, "theta", "start");
  body.line("spatial = Slice (size, {}, {})", body.ints({2}, "from"), body.ints({axes + 2}, "to"));
  std::vector<std::string> columns;
  // x is along the last axis, y along the one before.
  for (int64_t coordinate = 0; coordinate < axes; ++coordinate) {
    const auto line = [&](const char* name, const std::string& expression) {
      body.line("{}_{} = {}", name, coordinate, expression);
      return fmt::format("{}_{}", name, coordinate);
    };
    const std::string count =
        line("count", fmt::format("Gather <axis = 0> (size, {})", body.scalar(axes + 1 - coordinate, "axis")));
    const std::string numbers = line("numbers", fmt::format("Range ({}, {}, {})", none, count, one));
    // In 2 / (n - 1) from the corner on, or in 2 / n from the middle of the first cell on.
    const std::string twice = line("twice", fmt::format("Add ({0}, {0})", numbers));
    std::string steps = twice, whole = count;
    if (is_at_corners) {
      const std::string less = line("less", fmt::format("Sub ({}, {})", count, one));
      whole = line("whole", fmt::format("Max ({}, {})", less, one));
    } else {
      steps = line("middles", fmt::format("Add ({}, {})", twice, one));
    }
    const std::string typed_steps = line("steps", fmt::format("CastLike ({}, theta)", steps));
    const std::string typed_whole = line("divisor", fmt::format("CastLike ({}, theta)", whole));
    const std::string parts = line("parts", fmt::format("Div ({}, {})", typed_steps, typed_whole));
    const std::string places = line("places", fmt::format("Add ({}, {})", parts, start));
    std::vector<int64_t> shape(static_cast<size_t>(axes), 1);
    shape[static_cast<size_t>(axes - 1 - coordinate)] = -1;
    const std::string everywhere =
        line("everywhere", fmt::format("Expand ({}, spatial)", body.reshape(places, shape, "along")));
    columns.push_back(body.reshape(everywhere, {-1, 1}, "column"));
  }
  body.line("ones_shape = Shape ({})", columns.front());
  body.line("float_ones = ConstantOfShape <value = float[1] {{1.0}}> (ones_shape)");
  body.line("ones = CastLike (float_ones, theta)");
  body.line("table = Concat <axis = 1> ({}, ones)", fmt::join(columns, ", "));
  body.line("moved = MatMul (table, {})", body.transpose("theta", {0, 2, 1}, "maps"));
  body.line("batch = Slice (size, {}, {})", body.ints({0}, "first"), body.ints({1}, "second"));
  body.line("shape = Concat <axis = 0> (batch, spatial, {})", body.ints({axes}, "coordinates"));
  body.line("grid = Reshape (moved, shape)");
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
}  // namespace onnx_lower
