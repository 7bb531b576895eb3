// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The voxel of each point: sum over d of trunc((pos_d - start_d) / size_d) * product over k < d of
// (trunc((end_k - start_k) / size_k) + 1).
//
// The conversion to integers truncates as pytorch_cluster's does, so a point just below start is in
// voxel 0. start and end are the least and greatest position if they are absent.
#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::custom_torch_cluster_grid {
namespace {

constexpr int64_t kUnknown = -1;
constexpr int kPosition = 0, kSize = 1, kStart = 2, kEnd = 3;
constexpr const char* kNames[] = {"pos", "size", "start", "end"};

// The points come as columns, one row for each dimension: what is of a dimension is then one number
// for a whole row, which runtimes compute several times as fast as a number for each few elements.
void append_voxels(Body& body, std::string_view start, std::string_view end) {
  body("extent", "Sub", {end, start});
  body("voxels_along", "Div", {"extent", "size_column"});
  body("last_voxel", "Cast", {"voxels_along"}, {{"to", 7}});
  body.constant("one", 1);
  body("voxel_column", "Add", {"last_voxel", "one"});
  // The product of the sizes of all dimensions before each.
  body.constant("any", Ints{-1});
  body("voxels", "Reshape", {"voxel_column", "any"});
  body.constant("first", 0);
  body("sizes_shape", "Shape", {"voxels"});
  body("dimensions", "Squeeze", {"sizes_shape"});
  body("dimension", "Range", {"first", "dimensions", "one"});
  body("of_stride", "Reshape", {"dimension", "column"});
  body("comes_before", "Less", {"dimension", "of_stride"});
  body("factors", "Where", {"comes_before", "voxels", "one"});
  body("strides", "ReduceProd", {"factors", "axis_1"}, {{"keepdims", 1}});
  body("shifted", "Sub", {"columns", start});
  body("in_voxels", "Div", {"shifted", "size_column"});
  body("voxel", "Cast", {"in_voxels"}, {{"to", 7}});
  body("steps", "Mul", {"voxel", "strides"});
  body.constant("axis_0", Ints{0});
  body("cluster", "ReduceSum", {"steps", "axis_0"}, {{"keepdims", 0}});
}

Lowering lower(const CallSite& site) {
  if (site.input_count() > 4)
    return Declined{fmt::format("it has {} inputs instead of two to four", site.input_count())};
  for (int input : {kPosition, kSize}) {
    if (!site.has_input(input)) return Declined{fmt::format("input {} ({}) is absent", input, kNames[input])};
  }
  const auto rank = site.rank(kPosition);
  if (rank == 0) return Declined{"pos is a scalar"};
  int64_t dimensions = rank == 2 ? site.dim(kPosition, 1).value_or(kUnknown) : kUnknown;
  for (int input : {kSize, kStart, kEnd}) {
    if (!site.has_input(input)) continue;
    if (const int found = site.rank(input).value_or(1); found != 1)
      return Declined{fmt::format("{} (input {}) has rank {}, not 1", kNames[input], input, found)};
    const int64_t size = site.dim(input, 0).value_or(dimensions);
    if (dimensions == kUnknown) dimensions = size;
    if (size != dimensions) {
      return Declined{fmt::format("{} (input {}) has {} elements, where there are {} dimensions", kNames[input], input,
                                  size, dimensions)};
    }
  }
  for (double size : site.constant_floats(kSize).value_or(std::vector<double>{})) {
    if (size == 0) return Declined{fmt::format("a size of zero (input {})", kSize)};
  }
  for (int64_t size : site.constant_ints(kSize).value_or(std::vector<int64_t>{})) {
    if (size == 0) return Declined{fmt::format("a size of zero (input {})", kSize)};
  }

  Body body("custom", "torch_cluster_grid", first_names({"pos", "size", "start", "end"}, site.input_count()),
            {"cluster"}, 18);
  // Where the rank is not known, this changes nothing of a matrix.
  if (rank != 2) body("flat_pos", "Flatten", {"pos"}, {{"axis", 1}});
  body("columns", "Transpose", {rank == 2 ? "pos" : "flat_pos"}, {{"perm", Ints{1, 0}}});
  body.constant("axis_1", Ints{1});
  body.constant("column", Ints{-1, 1});
  body("size_column", "Reshape", {"size", "column"});
  const auto bound = [&](int input, const char* op_type) {
    const std::string name = fmt::format("{}_column", kNames[input]);
    if (site.has_input(input)) return body(name, "Reshape", {kNames[input], "column"});
    return body(name, op_type, {"columns", "axis_1"}, {{"keepdims", 1}});
  };
  const std::string start = bound(kStart, "ReduceMin");
  append_voxels(body, start, bound(kEnd, "ReduceMax"));
  return body.function();
}

const NativeRule rule{.domain = "custom",
                      .op_type = "torch_cluster_grid",
                      .summary = "the voxel of each point: (pos, size[, start][, end])",
                      .source = "torch_cluster::grid, csrc/cpu/grid_cpu.cpp",
                      .also = "torch_cluster::grid",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::custom_torch_cluster_grid
