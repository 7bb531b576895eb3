// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The voxel of each point: sum over d of trunc((pos_d - start_d) / size_d) * product over k < d of (trunc((end_k - start_k) / size_k) + 1).
//
// The conversion to integers truncates as pytorch_cluster's does, so a point just below start is in voxel 0. start and end are the
// least and greatest position if they are absent.
#include <fmt/format.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

constexpr int64_t kUnknown = -1;
constexpr int kPosition = 0, kSize = 1, kStart = 2, kEnd = 3;
constexpr const char* kNames[] = {"pos", "size", "start", "end"};

constexpr std::string_view kBody = R"(
  extent = Sub ({end}, {start})
  voxels_along = Div (extent, size)
  last_voxel = Cast <to: int = 7> (voxels_along)
  one = Constant <value = int64 {{1}}> ()
  voxels = Add (last_voxel, one)

  # The product of the sizes of all dimensions before each.
  first = Constant <value = int64 {{0}}> ()
  sizes_shape = Shape (voxels)
  dimensions = Squeeze (sizes_shape)
  dimension = Range (first, dimensions, one)
  column = Constant <value = int64[2] {{-1, 1}}> ()
  of_stride = Reshape (dimension, column)
  comes_before = Less (dimension, of_stride)
  factors = Where (comes_before, voxels, one)
  axis_1 = Constant <value = int64[1] {{1}}> ()
  strides = ReduceProd <keepdims = 0> (factors, axis_1)

  shifted = Sub ({positions}, {start})
  in_voxels = Div (shifted, size)
  voxel = Cast <to: int = 7> (in_voxels)
  steps = Mul (voxel, strides)
  cluster = ReduceSum <keepdims = 0> (steps, axis_1)
}}
)";

Lowering lower(const CallSite& site) {
  if (site.input_count() > 4)
    return Declined{fmt::format("it has {} inputs instead of two to four", site.input_count())};
  for (int input : {kPosition, kSize}) {
    if (!site.has_input(input)) return Declined{fmt::format("input {} ({}) is absent", input, kNames[input])};
  }
  const int rank = site.rank(kPosition).value_or(2);
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

  std::string text = R"(<domain: "custom", opset_import: ["" : 18]>
torch_cluster_grid (pos, size)";
  for (int input = kStart; input < site.input_count(); ++input) text += fmt::format(", {}", kNames[input]);
  text += ") => (cluster) {\n";
  if (rank != 2) text += "  flat_pos = Flatten <axis = 1> (pos)\n";
  const std::string_view positions = rank == 2 ? "pos" : "flat_pos";
  if (!site.has_input(kStart) || !site.has_input(kEnd)) text += "  axis_0 = Constant <value = int64[1] {0}> ()\n";
  if (!site.has_input(kStart)) text += fmt::format("  least = ReduceMin <keepdims = 0> ({}, axis_0)\n", positions);
  if (!site.has_input(kEnd)) text += fmt::format("  greatest = ReduceMax <keepdims = 0> ({}, axis_0)\n", positions);
  text += fmt::format(kBody, fmt::arg("positions", positions),
                      fmt::arg("start", site.has_input(kStart) ? "start" : "least"),
                      fmt::arg("end", site.has_input(kEnd) ? "end" : "greatest"));
  return function_from_text(text);
}

const NativeRule rule{.domain = "custom",
                      .op_type = "torch_cluster_grid",
                      .summary = "the voxel of each point: (pos, size[, start][, end])",
                      .source = "torch_cluster::grid, csrc/cpu/grid_cpu.cpp",
                      .also = "torch_cluster::grid",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
