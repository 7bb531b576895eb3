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
//
// Runtimes choose among equal distances as they like, which matters where the k-th nearest point is
// as far as the next one: then the lower indices are looked for. Most blocks have queries of one
// range only and no such tie. These are compared with the points of the range alone, of which the
// k + 1 nearest show whether there is a tie.
#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

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

// What fills the last block has the range of the last query, so that it is a block of one range
// where that query's is.
void append_padded_range(Body& body, const std::string& bound) {
  body("zero_and_" + bound, "Concat", {"zero", bound}, {{"axis", 0}});
  body("last_" + bound, "Slice", {"zero_and_" + bound, "any", "to_the_last", "zero"});
  body("missing_" + bound, "Expand", {"last_" + bound, "missing"});
  body("padded_" + bound, "Concat", {bound, "missing_" + bound}, {{"axis", 0}});
}

// Splits the queries into blocks; `block_share` is how many numbers a query costs in memory.
void append_blocks(Body& body, std::string_view block_share) {
  body.constant("block_size", Ints{1048576});
  body.constant("to_the_last", Ints{std::numeric_limits<int64_t>::max()});
  body("comparisons", "Mul", {"query_count", block_share});
  body("full_blocks", "Div", {"comparisons", "block_size"});
  body("blocks", "Add", {"full_blocks", "one"});
  body("even_rows", "Div", {"query_count", "blocks"});
  body("rows", "Add", {"even_rows", "one"});
  body("padded_count", "Mul", {"blocks", "rows"});
  body("missing", "Sub", {"padded_count", "query_count"});
  body("missing_shape", "Concat", {"missing", "coordinates"}, {{"axis", 0}});
  body("missing_queries", "Expand", {"nowhere", "missing_shape"});
  body("padded_queries", "Concat", {"queries", "missing_queries"}, {{"axis", 0}});
  append_padded_range(body, "begin");
  append_padded_range(body, "end");
  body("query_blocks_shape", "Concat", {"blocks", "rows", "coordinates"}, {{"axis", 0}});
  body("range_blocks_shape", "Concat", {"blocks", "rows", "one"}, {{"axis", 0}});
  body("query_blocks", "Reshape", {"padded_queries", "query_blocks_shape"});
  body("begin_blocks", "Reshape", {"padded_begin", "range_blocks_shape"});
  body("before_begin", "Sub", {"begin_blocks", "one"});
  body("before_blocks", "Cast", {"before_begin"}, {{"to", 6}});
  body("end_blocks", "Reshape", {"padded_end", "range_blocks_shape"});
  body("stop_blocks", "Cast", {"end_blocks"}, {{"to", 6}});
}

// Gives the distances between the queries of the block and the points, a matrix of which each row
// has the coordinates of one.
using DistancesTo = std::function<std::string(const std::string& points, const std::string& stem)>;

// Makes `result`: the candidates `STEM_chosen`, of these distances, nearest first, of equal ones
// the lower index first.
void append_order(Body& body, const std::string& stem, const std::string& distance, const std::string& result) {
  const auto own = [&](std::string_view what) { return fmt::format("{}_{}", stem, what); };
  const std::string chosen = own("chosen");
  body(own("own_distance"), "Unsqueeze", {distance, "down"});
  body(own("own_number"), "Unsqueeze", {chosen, "down"});
  body(own("other_distance"), "Unsqueeze", {distance, "one"});
  body(own("other_number"), "Unsqueeze", {chosen, "one"});
  body(own("is_behind"), "Less", {own("other_distance"), own("own_distance")});
  body(own("is_equal"), "Equal", {own("other_distance"), own("own_distance")});
  body(own("has_higher_index"), "Less", {own("other_number"), own("own_number")});
  body(own("is_behind_tie"), "And", {own("is_equal"), own("has_higher_index")});
  body(own("comes_later"), "Or", {own("is_behind"), own("is_behind_tie")});
  body(own("steps_later"), "Cast", {own("comes_later")}, {{"to", 7}});
  body(own("place"), "ReduceSum", {own("steps_later"), "down"}, {{"keepdims", 1}});
  body(own("is_in_place"), "Equal", {own("place"), "places"});
  body(own("in_place"), "Where", {own("is_in_place"), own("own_number"), "first"});
  body(result, "ReduceSum", {own("in_place"), "one"}, {{"keepdims", 0}});
}

// Of `query` and the points of the block's one range: makes the k + 1 nearest, and whether the k
// nearest are among them for certain, which they are unless the k-th is as far as the next one.
void append_nearest_of_one_range(Body& body, const DistancesTo& distances_to) {
  body("range_start", "Gather", {"least_begin", "block"}, {{"axis", 0}});
  body("range_end", "Gather", {"greatest_end", "block"}, {{"axis", 0}});
  body("range_points", "Slice", {"points", "range_start", "range_end", "zero"});
  body("range_candidates", "Concat", {"range_points", "far_points"}, {{"axis", 0}});
  const std::string distance = distances_to("range_candidates", "range");
  body("range_near", "Less", {distance, "limit"});
  body("range_key", "Where", {"range_near", distance, "limit"});
  body.node({"range_nearest", "range_place"}, "TopK", {"range_key", "one_more"},
            {{"axis", 1}, {"largest", 0}, {"sorted", 1}});
  body("range_farthest", "Gather", {"range_nearest", "last_but_one"}, {{"axis", 1}});
  body("range_next", "Gather", {"range_nearest", "any"}, {{"axis", 1}});
  body("next_is_as_far", "Equal", {"range_farthest", "range_next"});
  body("farthest_counts", "Less", {"range_farthest", "limit"});
  body("is_tie", "And", {"next_is_as_far", "farthest_counts"});
  body("tie_number", "Cast", {"is_tie"}, {{"to", 6}});
  body("ties", "ReduceMax", {"tie_number"}, {{"keepdims", 0}});
  body("range_is_clear", "Equal", {"ties", "no_tie"});
}

// Makes of these the k nearest.
void append_nearest_of_clear_range(Body& body) {
  body("clear_start", "Gather", {"least_begin", "block"}, {{"axis", 0}});
  body("clear_place", "Slice", {"quick_place", "zero", "k", "one"});
  body("clear_chosen", "Add", {"clear_place", "clear_start"});
  body("clear_nearest", "Slice", {"quick_nearest", "zero", "k", "one"});
  append_order(body, "clear", "clear_nearest", "clear_number");
}

// Makes the k least distances of each query and, as `result`, their candidates, whichever ranges
// the queries have.
void append_nearest_of_all(Body& body, const std::string& distance, const std::string& result) {
  body("before", "Gather", {"before_blocks", "block"}, {{"axis", 0}});
  body("stop", "Gather", {"stop_blocks", "block"}, {{"axis", 0}});
  body("after_begin", "Greater", {"candidate", "before"});
  body("before_end", "Less", {"candidate", "stop"});
  body("in_range", "And", {"after_begin", "before_end"});
  body("near", "Less", {distance, "limit"});
  body("eligible", "And", {"in_range", "near"});
  body("key", "Where", {"eligible", distance, "limit"});
  body.node({"all_nearest", "somehow"}, "TopK", {"key", "k"}, {{"axis", 1}, {"largest", 0}, {"sorted", 1}});
  body("farthest", "Gather", {"all_nearest", "any"}, {{"axis", 1}});
  body("is_nearer", "Less", {"key", "farthest"});
  body("is_farthest", "Equal", {"key", "farthest"});
  body("tied", "Where", {"is_farthest", "candidate", "beyond"});
  body("turn", "Where", {"is_nearer", "at_once", "tied"});
  body.node({"first_turns", "all_chosen"}, "TopK", {"turn", "k"}, {{"axis", 1}, {"largest", 0}, {"sorted", 1}});
  body("chosen_key", "Add", {"all_chosen", "row_starts"});
  body("all_keys", "Reshape", {"key", "any"});
  body("all_chosen_distance", "Gather", {"all_keys", "chosen_key"});
  append_order(body, "all", "all_chosen_distance", result);
}

// What append_nearest_of_one_range() needs of each block.
void append_ranges_of_blocks(Body& body, onnx::TensorProto::DataType real) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  body.constant("far", tensor_of(real, {1, 1}, std::vector<double>{infinity}));
  body.constant("last_but_one", Ints{-2});
  body.constant("no_tie", tensor_of(onnx::TensorProto::INT32, {}, Ints{0}));
  body.constant("not_clear", tensor_of(onnx::TensorProto::BOOL, {}, Ints{0}));
  body.constant("no_distance", tensor_of(real, {1, 1}, std::vector<double>{0}));
  body.constant("no_number", tensor_of(onnx::TensorProto::INT64, {1, 1}, Ints{0}));
  body("one_more", "Add", {"k", "one"});
  body("far_shape", "Concat", {"one_more", "coordinates"}, {{"axis", 0}});
  body("far_points", "Expand", {"far", "far_shape"});
  const auto extreme = [&](const char* name, const char* op_type, const char* of) {
    body(name, op_type, {of}, {{"axes", Ints{1}}, {"keepdims", 0}});
  };
  extreme("least_begin", "ReduceMin", "begin_blocks");
  extreme("greatest_begin", "ReduceMax", "begin_blocks");
  extreme("least_end", "ReduceMin", "end_blocks");
  extreme("greatest_end", "ReduceMax", "end_blocks");
  body("one_begin", "Equal", {"least_begin", "greatest_begin"});
  body("one_end", "Equal", {"least_end", "greatest_end"});
  body("has_one_range", "And", {"one_begin", "one_end"});
  body("is_of_one_range", "Squeeze", {"has_one_range", "one"});
}

// Makes `nearest`, the k least distances in order, and `number`, their candidates. The candidates
// are put in order within the branches: OpenVINO gets what is done with two results of a branch
// wrong.
void append_nearest_by_branches(Body& body, onnx::TensorProto::DataType real, const DistancesTo& distances_to,
                                const std::function<std::string()>& distances_to_all) {
  constexpr auto integer = onnx::TensorProto::INT64, truth = onnx::TensorProto::BOOL;
  body("of_one_range", "Gather", {"is_of_one_range", "block"}, {{"axis", 0}});
  const auto range_results = [&](const std::string& stem) -> std::vector<GraphValue> {
    return {{stem + "_nearest", real, {"rows", "nearest"}},
            {stem + "_place", integer, {"rows", "nearest"}},
            {stem + "_is_clear", truth}};
  };
  const onnx::GraphProto of_range =
      body.graph("of_one_range", {}, range_results("range"), [&] { append_nearest_of_one_range(body, distances_to); });
  const onnx::GraphProto of_several = body.graph("of_several_ranges", {}, range_results("none"), [&] {
    body("none_nearest", "Identity", {"no_distance"});
    body("none_place", "Identity", {"no_number"});
    body("none_is_clear", "Identity", {"not_clear"});
  });
  body.node({"quick_nearest", "quick_place", "is_clear"}, "If", {"of_one_range"},
            {{"then_branch", of_range}, {"else_branch", of_several}});
  const auto results = [&](const std::string& stem) -> std::vector<GraphValue> {
    return {{stem + "_nearest", real, {"rows", "k"}}, {stem + "_number", integer, {"rows", "k"}}};
  };
  const onnx::GraphProto quick =
      body.graph("as_it_was_chosen", {}, results("clear"), [&] { append_nearest_of_clear_range(body); });
  const onnx::GraphProto thorough = body.graph("compare_with_all", {}, results("all"),
                                               [&] { append_nearest_of_all(body, distances_to_all(), "all_number"); });
  body.node({"nearest", "number"}, "If", {"is_clear"}, {{"then_branch", quick}, {"else_branch", thorough}});
}

void append_search(Body& body, onnx::TensorProto::DataType real, bool by_branches, const DistancesTo& distances_to,
                   const std::function<std::string()>& distances_to_all) {
  body("block_count", "Squeeze", {"blocks"});
  body("row_count", "Squeeze", {"rows"});
  body("row", "Range", {"first", "row_count", "step"});
  body.constant("row_column_shape", Ints{-1, 1});
  body("row_column", "Reshape", {"row", "row_column_shape"});
  body("row_starts", "Mul", {"row_column", "candidate_count"});
  body("place_count", "Squeeze", {"k"});
  body("places", "Range", {"first", "place_count", "step"});
  body.constant("always", tensor_of(onnx::TensorProto::BOOL, {}, Ints{1}));
  if (by_branches) append_ranges_of_blocks(body, real);
  const std::string nearest = by_branches ? "nearest" : "all_nearest";
  const auto compare = [&] {
    body("goes_on", "Identity", {"go_on"});
    body("query", "Gather", {"query_blocks", "block"}, {{"axis", 0}});
    if (by_branches) {
      append_nearest_by_branches(body, real, distances_to, distances_to_all);
    } else {
      append_nearest_of_all(body, distances_to_all(), "number");
    }
  };
  const onnx::GraphProto block =
      body.graph("compare_a_block", {{"block", onnx::TensorProto::INT64}, {"go_on", onnx::TensorProto::BOOL}},
                 {{"goes_on", onnx::TensorProto::BOOL},
                  {nearest, real, {"rows", "k"}},
                  {"number", onnx::TensorProto::INT64, {"rows", "k"}}},
                 compare);
  body.node({"distance_blocks", "index_blocks"}, "Loop", {"block_count", "always"}, {{"body", block}});
  body("result_shape", "Concat", {"any", "k"}, {{"axis", 0}});
  body("padded_distance", "Reshape", {"distance_blocks", "result_shape"});
  body("padded_index", "Reshape", {"index_blocks", "result_shape"});
  body("squared_distance", "Slice", {"padded_distance", "zero", "query_count", "zero"});
  body("index", "Slice", {"padded_index", "zero", "query_count", "zero"});
}

// Each coordinate of the points as a row.
std::vector<std::string> columns_of(Body& body, const std::string& points, int64_t count, const std::string& stem) {
  std::vector<std::string> columns;
  for (int64_t d = 0; d < count; ++d) {
    const std::string column =
        body(fmt::format("{}_column_{}", stem, d), "Gather", {points, fmt::format("axis_{}", d)}, {{"axis", 1}});
    columns.push_back(body(fmt::format("{}_{}", stem, d), "Reshape", {column, "row_shape"}));
  }
  return columns;
}

// The distances by each coordinate in turn, in arrays of one number per comparison, which are
// summed from the first coordinate on.
std::string distance_by_coordinate(Body& body, const std::vector<std::string>& columns, const std::string& stem) {
  std::string sum;
  for (size_t d = 0; d < columns.size(); ++d) {
    const auto named = [&](std::string_view what) { return fmt::format("{}_{}_{}", stem, what, d); };
    const std::string query = body(named("query"), "Gather", {"query", fmt::format("axis_{}", d)}, {{"axis", 1}});
    const std::string difference = body(named("difference"), "Sub", {query, columns[d]});
    const std::string square = body(named("square"), "Mul", {difference, difference});
    sum = d == 0 ? square : body(named("sum"), "Add", {sum, square});
  }
  return sum;
}

// The distances by all coordinates at once, where their number is not known or large.
std::string distance_at_once(Body& body, const std::string& points, const std::string& stem) {
  body(stem + "_query", "Unsqueeze", {"query", "one"});
  body(stem + "_difference", "Sub", {stem + "_query", points});
  body(stem + "_square", "Mul", {stem + "_difference", stem + "_difference"});
  return body(stem + "_distance", "ReduceSum", {stem + "_square", "down"}, {{"keepdims", 0}});
}

Lowering lower(const CallSite& site, bool by_branches) {
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
    for (int64_t axis = 0; axis < *count; ++axis) body.constant(fmt::format("axis_{}", axis), Ints{axis});
    const std::vector<std::string> columns = columns_of(body, "all_points", *count, "point");
    append_blocks(body, "per_query");
    append_search(
        body, real, by_branches,
        [&](const std::string& points, const std::string& stem) {
          return distance_by_coordinate(body, columns_of(body, points, *count, stem), stem + "_by");
        },
        [&] { return distance_by_coordinate(body, columns, "all"); });
  } else {
    body("per_comparison", "Mul", {"per_query", "coordinates"});
    append_blocks(body, "per_comparison");
    append_search(
        body, real, by_branches,
        [&](const std::string& points, const std::string& stem) { return distance_at_once(body, points, stem); },
        [&] { return distance_at_once(body, "all_points", "all"); });
  }
  return body.function();
}

template <bool by_branches>
constexpr NativeRule rule_for(std::string_view summary) {
  return {.domain = "onnx_lower",
          .op_type = "NearestPoints",
          .summary = summary,
          .source = "the k-nearest-neighbour operators that are lowered to it",
          .attributes = "limit",
          .as_it_is = by_branches ? "If" : "",
          .lower = [](const CallSite& site) { return lower(site, by_branches); }};
}

const NativeRule rules[] = {
    rule_for<true>(
        "the k nearest points of each query within a range of points, quickly where few ranges are many points"),
    rule_for<false>("the k nearest points of each query within a range of points")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::onnx_lower_NearestPoints
