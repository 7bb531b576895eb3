// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The k nearest points of each query, by comparing it with all points, in blocks of queries.
//
// NearestPoints <limit> (points, queries, begin, end, k) => (squared_distance, index): for query i, of the points begin[i] … end[i]-1 with a
// squared distance below `limit` (so never a NaN), the k nearest, nearest first, of equal ones the lower index first. A row with
// fewer than k ends in `limit`, with an index that means nothing. Distances are float for float points, otherwise double.
//
// The distance is summed from squares of differences: the expansion |a|^2 - 2ab + |b|^2 is a MatMul, but loses the digits of near points.
// The cost is queries x points; the memory about 2^18 distances at a time, or one row of them if that is longer. The points are
// followed by k more that no range contains, so that there are always k to choose from.
#include <fmt/format.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

constexpr int kPoints = 0, kQueries = 1;
constexpr int64_t kFewCoordinates = 8;

constexpr std::string_view kHead = R"(
  zero = Constant <value: tensor = int64[1] {{0}}> ()
  one = Constant <value: tensor = int64[1] {{1}}> ()
  any = Constant <value: tensor = int64[1] {{-1}}> ()
  down = Constant <value: tensor = int64[1] {{2}}> ()
  beyond = Constant <value: tensor = int32 {{1073741824}}> ()
  at_once = Constant <value: tensor = int32 {{-1}}> ()
  first = Constant <value: tensor = int64 {{0}}> ()
  step = Constant <value: tensor = int64 {{1}}> ()
  nowhere = Constant <value: tensor = {real}[1, 1] {{0}}> ()
  limit = Constant <value: tensor = {real} {{{limit}}}> ()

  points_shape = Shape (points)
  point_count = Gather (points_shape, zero)
  coordinates = Gather (points_shape, one)
  spare_shape = Concat <axis = 0> (k, coordinates)
  spare_points = Expand (nowhere, spare_shape)
  all_points = Concat <axis = 0> (points, spare_points)
  candidate_count = Add (point_count, k)
  candidate_stop = Squeeze (candidate_count)
  candidate_number = Range (first, candidate_stop, step)
  row_shape = Constant <value: tensor = int64[2] {{1, -1}}> ()
  candidate_row = Reshape (candidate_number, row_shape)
  candidate = Cast <to: int = 6> (candidate_row)
  queries_shape = Shape (queries)
  query_count = Gather (queries_shape, zero)
  pairs = Mul (k, k)
  per_query = Add (candidate_count, pairs)
)";

constexpr std::string_view kBlocks = R"(
  block_size = Constant <value: tensor = int64[1] {{262144}}> ()
  comparisons = Mul (query_count, {block_share})
  full_blocks = Div (comparisons, block_size)
  blocks = Add (full_blocks, one)
  even_rows = Div (query_count, blocks)
  rows = Add (even_rows, one)
  padded_count = Mul (blocks, rows)
  missing = Sub (padded_count, query_count)
  missing_shape = Concat <axis = 0> (missing, coordinates)
  missing_queries = Expand (nowhere, missing_shape)
  missing_range = Expand (zero, missing)
  padded_queries = Concat <axis = 0> (queries, missing_queries)
  padded_begin = Concat <axis = 0> (begin, missing_range)
  padded_end = Concat <axis = 0> (end, missing_range)
  query_blocks_shape = Concat <axis = 0> (blocks, rows, coordinates)
  range_blocks_shape = Concat <axis = 0> (blocks, rows, one)
  query_blocks = Reshape (padded_queries, query_blocks_shape)
  begin_blocks = Reshape (padded_begin, range_blocks_shape)
  before_begin = Sub (begin_blocks, one)
  before_blocks = Cast <to: int = 6> (before_begin)
  end_blocks = Reshape (padded_end, range_blocks_shape)
  stop_blocks = Cast <to: int = 6> (end_blocks)
)";

constexpr std::string_view kTail = R"(
  block_count = Squeeze (blocks)
  row_count = Squeeze (rows)
  row = Range (first, row_count, step)
  row_column_shape = Constant <value: tensor = int64[2] {{-1, 1}}> ()
  row_column = Reshape (row, row_column_shape)
  row_starts = Mul (row_column, candidate_count)
  place_count = Squeeze (k)
  places = Range (first, place_count, step)
  always = Constant <value: tensor = bool {{1}}> ()
  distance_blocks, index_blocks = Loop <body = compare_a_block (
      int64 block, bool go_on) => (bool goes_on, {real}[rows, k] nearest, int64[rows, k] number) {{
    goes_on = Identity (go_on)
    query = Gather <axis = 0> (query_blocks, block)
    before = Gather <axis = 0> (before_blocks, block)
    stop = Gather <axis = 0> (stop_blocks, block)
    {distances}
    after_begin = Greater (candidate, before)
    before_end = Less (candidate, stop)
    in_range = And (after_begin, before_end)
    near = Less (distance, limit)
    eligible = And (in_range, near)
    key = Where (eligible, distance, limit)
    nearest, somehow = TopK <axis = 1, largest = 0, sorted = 1> (key, k)

    farthest = Gather <axis = 1> (nearest, any)
    is_nearer = Less (key, farthest)
    is_farthest = Equal (key, farthest)
    tied = Where (is_farthest, candidate, beyond)
    turn = Where (is_nearer, at_once, tied)
    first_turns, chosen = TopK <axis = 1, largest = 0, sorted = 1> (turn, k)

    chosen_key = Add (chosen, row_starts)
    all_keys = Reshape (key, any)
    chosen_distance = Gather (all_keys, chosen_key)
    own_distance = Unsqueeze (chosen_distance, down)
    own_number = Unsqueeze (chosen, down)
    other_distance = Unsqueeze (chosen_distance, one)
    other_number = Unsqueeze (chosen, one)
    is_behind = Less (other_distance, own_distance)
    is_equal = Equal (other_distance, own_distance)
    has_higher_index = Less (other_number, own_number)
    is_behind_tie = And (is_equal, has_higher_index)
    comes_later = Or (is_behind, is_behind_tie)
    steps_later = Cast <to: int = 7> (comes_later)
    place = ReduceSum <keepdims = 1> (steps_later, down)
    is_in_place = Equal (place, places)
    in_place = Where (is_in_place, own_number, first)
    number = ReduceSum <keepdims = 0> (in_place, one)
  }}> (block_count, always)
  result_shape = Concat <axis = 0> (any, k)
  padded_distance = Reshape (distance_blocks, result_shape)
  padded_index = Reshape (index_blocks, result_shape)
  squared_distance = Slice (padded_distance, zero, query_count, zero)
  index = Slice (padded_index, zero, query_count, zero)
)";

// How a block's distances are summed, what is needed for that before the loop, and what a query costs in memory.
struct Distances {
  std::string before, inside, block_share;
};

// Each coordinate by itself: arrays of one number per comparison, summed from the first coordinate on.
Distances by_coordinate(int64_t count) {
  Distances text{.before = {}, .inside = {}, .block_share = "per_query"};
  for (int64_t d = 0; d < count; ++d) {
    text.before += fmt::format("  axis_{0} = Constant <value: tensor = int64[1] {{{0}}}> ()\n", d);
    text.before += fmt::format("  column_{0} = Gather <axis = 1> (all_points, axis_{0})\n", d);
    text.before += fmt::format("  point_{0} = Reshape (column_{0}, row_shape)\n", d);
    text.inside += fmt::format("query_{0} = Gather <axis = 1> (query, axis_{0})\n    ", d);
    text.inside += fmt::format("difference_{0} = Sub (query_{0}, point_{0})\n    ", d);
    text.inside += fmt::format("{1} = Mul (difference_{0}, difference_{0})\n    ", d,
                               count == 1 ? "distance" : fmt::format("square_{}", d));
    if (d == 0) continue;
    text.inside += fmt::format("{} = Add ({}, square_{})\n    ", d + 1 == count ? "distance" : fmt::format("sum_{}", d),
                               d == 1 ? "square_0" : fmt::format("sum_{}", d - 1), d);
  }
  return text;
}

// All coordinates at once, where their number is not known or large.
Distances by_point() {
  return {.before = "  per_comparison = Mul (per_query, coordinates)\n",
          .inside = R"(query_apart = Unsqueeze (query, one)
    difference = Sub (query_apart, all_points)
    square = Mul (difference, difference)
    distance = ReduceSum <keepdims = 0> (square, down))",
          .block_share = "per_comparison"};
}

Lowering lower(const CallSite& site) {
  if (site.opset() < 11) return Declined{"its TopK and its Loop are those of opset 11"};
  for (int input : {kPoints, kQueries}) {
    if (const int rank = site.rank(input).value_or(2); rank != 2)
      return Declined{fmt::format("the points of input {} have rank {}, not 2", input, rank)};
  }
  const auto of_points = site.dim(kPoints, 1), of_queries = site.dim(kQueries, 1);
  const auto count = of_points ? of_points : of_queries;
  if (of_queries.value_or(count.value_or(0)) != count.value_or(0)) {
    return Declined{fmt::format("points have {} coordinates, and queries {}", *count, *of_queries)};
  }
  if (count == 0) return Declined{"a point has no coordinates"};

  auto type = site.dtype(kPoints);
  if (!type) type = site.dtype(kQueries);
  const bool is_float = type == onnx::TensorProto::FLOAT;
  const std::string_view real = is_float ? "float" : "double";
  std::string text = R"(<domain: "onnx_lower", opset_import: ["" : 13]>
)";
  if (is_float || type == onnx::TensorProto::DOUBLE) {
    text += "NearestPoints (points, queries, begin, end, k) => (squared_distance, index) {\n";
  } else {
    text += R"(NearestPoints (given_points, given_queries, begin, end, k) => (squared_distance, index) {
  points = Cast <to: int = 11> (given_points)
  queries = Cast <to: int = 11> (given_queries)
)";
  }
  const Distances distances = count && *count <= kFewCoordinates ? by_coordinate(*count) : by_point();
  text += fmt::format(kHead, fmt::arg("real", real), fmt::arg("limit", site.attribute_float("limit", 1e10F)));
  text += distances.before;
  text += fmt::format(kBlocks, fmt::arg("real", real), fmt::arg("block_share", distances.block_share));
  text += fmt::format(kTail, fmt::arg("real", real), fmt::arg("distances", distances.inside));
  return function_from_text(text + "}\n");
}

const NativeRule rule{.domain = "onnx_lower",
                      .op_type = "NearestPoints",
                      .summary = "the k nearest points of each query within a range of points",
                      .source = "the k-nearest-neighbour operators that are lowered to it",
                      .attributes = "limit",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
