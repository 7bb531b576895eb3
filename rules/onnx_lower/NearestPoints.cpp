// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The k nearest points of each query, by comparing it with all points, in blocks of queries.
//
// NearestPoints <limit> (points, queries, begin, end, k) => (squared_distance, index): for query
// i, of the points begin[i] … end[i]-1 with a squared distance below `limit` (so never a NaN),
// the k nearest, nearest first, of equal ones the lower index first. A row with fewer than k
// ends in `limit`, with an index that means nothing. Distances are float for float points,
// otherwise double.
//
// The distance is summed from squares of differences: the expansion |a|^2 - 2ab + |b|^2 is a
// MatMul, but loses the digits of near points. The cost is queries x points; the memory about 2^18
// distances at a time, or one row of them if that is longer. The points are followed by k more that
// no range contains, so that there are always k to choose from.
#include <fmt/format.h>

#include <functional>

#include "rules/body.h"

namespace onnx_lower::native_rules::onnx_lower_NearestPoints {
namespace {

constexpr int kPoints = 0, kQueries = 1;
constexpr int64_t kFewCoordinates = 8;

void append_candidates(Body& body, onnx::TensorProto::DataType real, double limit) {
  body.constant("zero", Ints{0});
  body.constant("one", Ints{1});
  body.constant("any", Ints{-1});
  body.constant("down", Ints{2});
  body.constant("beyond", tensor_of(onnx::TensorProto::INT32, {}, Ints{1073741824}));
  body.constant("at_once", tensor_of(onnx::TensorProto::INT32, {}, Ints{-1}));
  body.constant("first", 0);
  body.constant("step", 1);
  body.constant("nowhere", tensor_of(real, {1, 1}, std::vector<double>{0}));
  body.constant("limit", tensor_of(real, {}, std::vector<double>{limit}));
  body("points_shape", "Shape", {"points"});
  body("point_count", "Gather", {"points_shape", "zero"});
  body("coordinates", "Gather", {"points_shape", "one"});
  body("spare_shape", "Concat", {"k", "coordinates"}, {{"axis", 0}});
  body("spare_points", "Expand", {"nowhere", "spare_shape"});
  body("all_points", "Concat", {"points", "spare_points"}, {{"axis", 0}});
  body("candidate_count", "Add", {"point_count", "k"});
  body("candidate_stop", "Squeeze", {"candidate_count"});
  body("candidate_number", "Range", {"first", "candidate_stop", "step"});
  body.constant("row_shape", Ints{1, -1});
  body("candidate_row", "Reshape", {"candidate_number", "row_shape"});
  body("candidate", "Cast", {"candidate_row"}, {{"to", 6}});
  body("queries_shape", "Shape", {"queries"});
  body("query_count", "Gather", {"queries_shape", "zero"});
  body("pairs", "Mul", {"k", "k"});
  body("per_query", "Add", {"candidate_count", "pairs"});
}

// Splits the queries into blocks; `block_share` is how many numbers a query costs in memory.
void append_blocks(Body& body, std::string_view block_share) {
  body.constant("block_size", Ints{262144});
  body("comparisons", "Mul", {"query_count", block_share});
  body("full_blocks", "Div", {"comparisons", "block_size"});
  body("blocks", "Add", {"full_blocks", "one"});
  body("even_rows", "Div", {"query_count", "blocks"});
  body("rows", "Add", {"even_rows", "one"});
  body("padded_count", "Mul", {"blocks", "rows"});
  body("missing", "Sub", {"padded_count", "query_count"});
  body("missing_shape", "Concat", {"missing", "coordinates"}, {{"axis", 0}});
  body("missing_queries", "Expand", {"nowhere", "missing_shape"});
  body("missing_range", "Expand", {"zero", "missing"});
  body("padded_queries", "Concat", {"queries", "missing_queries"}, {{"axis", 0}});
  body("padded_begin", "Concat", {"begin", "missing_range"}, {{"axis", 0}});
  body("padded_end", "Concat", {"end", "missing_range"}, {{"axis", 0}});
  body("query_blocks_shape", "Concat", {"blocks", "rows", "coordinates"}, {{"axis", 0}});
  body("range_blocks_shape", "Concat", {"blocks", "rows", "one"}, {{"axis", 0}});
  body("query_blocks", "Reshape", {"padded_queries", "query_blocks_shape"});
  body("begin_blocks", "Reshape", {"padded_begin", "range_blocks_shape"});
  body("before_begin", "Sub", {"begin_blocks", "one"});
  body("before_blocks", "Cast", {"before_begin"}, {{"to", 6}});
  body("end_blocks", "Reshape", {"padded_end", "range_blocks_shape"});
  body("stop_blocks", "Cast", {"end_blocks"}, {{"to", 6}});
}

void append_search(Body& body, onnx::TensorProto::DataType real, const std::function<void()>& make_distances) {
  body("block_count", "Squeeze", {"blocks"});
  body("row_count", "Squeeze", {"rows"});
  body("row", "Range", {"first", "row_count", "step"});
  body.constant("row_column_shape", Ints{-1, 1});
  body("row_column", "Reshape", {"row", "row_column_shape"});
  body("row_starts", "Mul", {"row_column", "candidate_count"});
  body("place_count", "Squeeze", {"k"});
  body("places", "Range", {"first", "place_count", "step"});
  body.constant("always", tensor_of(onnx::TensorProto::BOOL, {}, Ints{1}));
  const auto compare = [&] {
    body("goes_on", "Identity", {"go_on"});
    body("query", "Gather", {"query_blocks", "block"}, {{"axis", 0}});
    body("before", "Gather", {"before_blocks", "block"}, {{"axis", 0}});
    body("stop", "Gather", {"stop_blocks", "block"}, {{"axis", 0}});
    make_distances();
    body("after_begin", "Greater", {"candidate", "before"});
    body("before_end", "Less", {"candidate", "stop"});
    body("in_range", "And", {"after_begin", "before_end"});
    body("near", "Less", {"distance", "limit"});
    body("eligible", "And", {"in_range", "near"});
    body("key", "Where", {"eligible", "distance", "limit"});
    body.node({"nearest", "somehow"}, "TopK", {"key", "k"}, {{"axis", 1}, {"largest", 0}, {"sorted", 1}});
    body("farthest", "Gather", {"nearest", "any"}, {{"axis", 1}});
    body("is_nearer", "Less", {"key", "farthest"});
    body("is_farthest", "Equal", {"key", "farthest"});
    body("tied", "Where", {"is_farthest", "candidate", "beyond"});
    body("turn", "Where", {"is_nearer", "at_once", "tied"});
    body.node({"first_turns", "chosen"}, "TopK", {"turn", "k"}, {{"axis", 1}, {"largest", 0}, {"sorted", 1}});
    body("chosen_key", "Add", {"chosen", "row_starts"});
    body("all_keys", "Reshape", {"key", "any"});
    body("chosen_distance", "Gather", {"all_keys", "chosen_key"});
    body("own_distance", "Unsqueeze", {"chosen_distance", "down"});
    body("own_number", "Unsqueeze", {"chosen", "down"});
    body("other_distance", "Unsqueeze", {"chosen_distance", "one"});
    body("other_number", "Unsqueeze", {"chosen", "one"});
    body("is_behind", "Less", {"other_distance", "own_distance"});
    body("is_equal", "Equal", {"other_distance", "own_distance"});
    body("has_higher_index", "Less", {"other_number", "own_number"});
    body("is_behind_tie", "And", {"is_equal", "has_higher_index"});
    body("comes_later", "Or", {"is_behind", "is_behind_tie"});
    body("steps_later", "Cast", {"comes_later"}, {{"to", 7}});
    body("place", "ReduceSum", {"steps_later", "down"}, {{"keepdims", 1}});
    body("is_in_place", "Equal", {"place", "places"});
    body("in_place", "Where", {"is_in_place", "own_number", "first"});
    body("number", "ReduceSum", {"in_place", "one"}, {{"keepdims", 0}});
  };
  const onnx::GraphProto block =
      body.graph("compare_a_block", {{"block", onnx::TensorProto::INT64}, {"go_on", onnx::TensorProto::BOOL}},
                 {{"goes_on", onnx::TensorProto::BOOL},
                  {"nearest", real, {"rows", "k"}},
                  {"number", onnx::TensorProto::INT64, {"rows", "k"}}},
                 compare);
  body.node({"distance_blocks", "index_blocks"}, "Loop", {"block_count", "always"}, {{"body", block}});
  body("result_shape", "Concat", {"any", "k"}, {{"axis", 0}});
  body("padded_distance", "Reshape", {"distance_blocks", "result_shape"});
  body("padded_index", "Reshape", {"index_blocks", "result_shape"});
  body("squared_distance", "Slice", {"padded_distance", "zero", "query_count", "zero"});
  body("index", "Slice", {"padded_index", "zero", "query_count", "zero"});
}

// The distances by each coordinate in turn, in arrays of one number per comparison, which are
// summed from the first coordinate on.
void append_columns(Body& body, int64_t count) {
  for (int64_t d = 0; d < count; ++d) {
    const std::string n = fmt::to_string(d);
    body.constant("axis_" + n, Ints{d});
    body("column_" + n, "Gather", {"all_points", "axis_" + n}, {{"axis", 1}});
    body("point_" + n, "Reshape", {"column_" + n, "row_shape"});
  }
}

void append_distance_by_coordinate(Body& body, int64_t count) {
  std::string sum;
  for (int64_t d = 0; d < count; ++d) {
    const std::string n = fmt::to_string(d);
    const bool is_last = d + 1 == count;
    body("query_" + n, "Gather", {"query", "axis_" + n}, {{"axis", 1}});
    body("difference_" + n, "Sub", {"query_" + n, "point_" + n});
    const std::string square = count == 1 ? "distance" : "square_" + n;
    body(square, "Mul", {"difference_" + n, "difference_" + n});
    sum = d == 0 ? square : body(is_last ? "distance" : "sum_" + n, "Add", {sum, square});
  }
}

// The distances by all coordinates at once, where their number is not known or large.
void append_distance(Body& body) {
  body("query_apart", "Unsqueeze", {"query", "one"});
  body("difference", "Sub", {"query_apart", "all_points"});
  body("square", "Mul", {"difference", "difference"});
  body("distance", "ReduceSum", {"square", "down"}, {{"keepdims", 0}});
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
  const auto real = is_float ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE;
  const bool widens = !is_float && type != onnx::TensorProto::DOUBLE;
  const std::string prefix = widens ? "given_" : "";
  Body body("onnx_lower", "NearestPoints", {prefix + "points", prefix + "queries", "begin", "end", "k"},
            {"squared_distance", "index"}, 13);
  if (widens) {
    body("points", "Cast", {"given_points"}, {{"to", real}});
    body("queries", "Cast", {"given_queries"}, {{"to", real}});
  }
  append_candidates(body, real, site.attribute_float("limit", 1e10F));
  if (count && *count <= kFewCoordinates) {
    append_columns(body, *count);
    append_blocks(body, "per_query");
    append_search(body, real, [&] { append_distance_by_coordinate(body, *count); });
  } else {
    body("per_comparison", "Mul", {"per_query", "coordinates"});
    append_blocks(body, "per_comparison");
    append_search(body, real, [&] { append_distance(body); });
  }
  return body.function();
}

const NativeRule rule{.domain = "onnx_lower",
                      .op_type = "NearestPoints",
                      .summary = "the k nearest points of each query within a range of points",
                      .source = "the k-nearest-neighbour operators that are lowered to it",
                      .attributes = "limit",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::onnx_lower_NearestPoints
