// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The nsample nearest points of each query in its own batch, as pointops computes them.
//
// Points and queries lie one after another, and `offset` and `new_offset` say where each batch ends. A batch of too few points fills the
// row with index -1 and the distance 100000, because the kernel starts from a squared distance of 1e10.
#include <fmt/format.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// An offset beyond the points, and a query beyond the last offset, fail in a Gather.
constexpr std::string_view kBatches = R"(
  axis = Constant <value = int64[1] {{0}}> ()
  first = Constant <value = int64 {{0}}> ()
  step = Constant <value = int64 {{1}}> ()
  points_shape = Shape (xyz)
  point_count = Gather (points_shape, first)
  end_limit = Add (point_count, step)
  possible_end = Range (first, end_limit, step)
  end_of_batch = Gather (possible_end, offset)
  begin_of_batch = Concat <axis = 0> (axis, end_of_batch)

  queries_shape = Shape ({queries})
  query_count = Gather (queries_shape, first)
  query = Range (first, query_count, step)
  column = Constant <value = int64[2] {{-1, 1}}> ()
  query_column = Reshape (query, column)
  query_end_of_batch = Cast <to: int = 7> ({query_offset})
  is_not_past = Less (query_column, query_end_of_batch)
  is_past = Not (is_not_past)
  past = Cast <to: int = 7> (is_past)
  across = Constant <value = int64[1] {{1}}> ()
  batch = ReduceSum <keepdims = 0> (past, across)
  begin = Gather (begin_of_batch, batch)
  end = Gather (end_of_batch, batch)
)";

constexpr std::string_view kSearch = R"(
  squared, index = onnx_lower.NearestPoints <limit = 1e10> (xyz, {queries}, begin, end, k)
  limit = Constant <value = float {{1e10}}> ()
  squared_limit = Cast <to: int = {type_of_distance}> (limit)
  is_point = Less (squared, squared_limit)
  none = Constant <value = int64 {{-1}}> ()
  number = Where (is_point, index, none)
  idx = Cast <to: int = 6> (number)
)";

std::optional<std::string> problem_of_offset(const CallSite& site, int input, int points) {
  if (const int rank = site.rank(input).value_or(1); rank != 1) {
    return fmt::format("input {} has rank {}, where the ends of the batches (rank 1) are expected", input, rank);
  }
  const auto ends = site.constant_ints(input);
  if (!ends) return std::nullopt;
  int64_t previous = 0;
  for (int64_t end : *ends) {
    if (end < previous)
      return fmt::format("the ends of the batches (input {}) decrease from {} to {}", input, previous, end);
    previous = end;
  }
  const auto count = site.dim(points, 0);
  if (count && previous > *count)
    return fmt::format("the last batch of input {} ends at {}, but input {} has {} points", input, previous, points,
                       *count);
  return std::nullopt;
}

Lowering lower(const CallSite& site) {
  const std::string_view attribute = site.attribute("nsample") != nullptr ? "nsample" : "nsample_i";
  const bool is_attribute = site.attribute(attribute) != nullptr;
  const int points = is_attribute ? 0 : 1, offset = points + 1, queries = points + 2, query_offset = points + 3;
  // (points, offset) and (points, offset, queries, query offset) need the attribute; with nsample as input there is one more.
  if (!is_attribute && site.input_count() % 2 == 0)
    return Declined{"attribute 'nsample' is missing, and there is no input for it", {"nsample"}};
  if (site.input_count() > query_offset + 1) return Declined{fmt::format("it has {} inputs", site.input_count())};
  for (int input = 0; input <= offset; ++input) {
    if (!site.has_input(input)) return Declined{fmt::format("input {} is absent", input)};
  }
  const bool has_queries = site.has_input(queries);
  if (has_queries != site.has_input(query_offset))
    return Declined{"queries and the ends of their batches must be given together"};

  if (auto problem = problem_of_offset(site, offset, points)) return Declined{*problem};
  for (int input : {points, queries}) {
    if (!site.has_input(input)) continue;
    if (const int rank = site.rank(input).value_or(2); rank != 2)
      return Declined{fmt::format("the points of input {} have rank {}, not 2", input, rank)};
    if (const int64_t size = site.dim(input, 1).value_or(3); size != 3) {
      return Declined{fmt::format("the points of input {} have {} coordinates, not 3", input, size)};
    }
  }
  if (has_queries) {
    if (auto problem = problem_of_offset(site, query_offset, queries)) return Declined{*problem};
    const auto batches = site.dim(offset, 0), query_batches = site.dim(query_offset, 0);
    if (batches && query_batches && *batches != *query_batches) {
      return Declined{fmt::format("there are {} batches of points (input {}), but {} of queries (input {})", *batches,
                                  offset, *query_batches, query_offset)};
    }
  }

  std::string text = R"(<domain: "custom", opset_import: ["" : 15, "onnx_lower" : 1]>
knnquery ()";
  text += is_attribute ? "xyz, offset" : "nsample, xyz, offset";
  if (site.input_count() > queries) text += ", new_xyz, new_offset";
  text += ") => (idx, dist) {\n";
  std::optional<std::vector<int64_t>> samples =
      is_attribute ? site.attribute_ints(attribute, {}) : site.constant_ints(0);
  if (samples) {
    if (samples->size() != 1) return Declined{fmt::format("nsample has {} elements", samples->size())};
    if (samples->front() <= 0) return Declined{fmt::format("nsample is {}, not positive", samples->front())};
    text += fmt::format("  k = Constant <value = int64[1] {{{}}}> ()\n", samples->front());
  } else {
    text += R"(
  any = Constant <value = int64[1] {-1}> ()
  samples = Reshape (nsample, any)
  k = Cast <to: int = 7> (samples)
)";
  }
  const auto type = site.dtype(points);
  const bool is_float = type == onnx::TensorProto::FLOAT;
  const std::string_view used_queries = has_queries ? "new_xyz" : "xyz";
  text += fmt::format(kBatches, fmt::arg("queries", used_queries),
                      fmt::arg("query_offset", has_queries ? "new_offset" : "offset"));
  text += fmt::format(kSearch, fmt::arg("queries", used_queries), fmt::arg("type_of_distance", is_float ? 1 : 11));
  if (is_float || type == onnx::TensorProto::DOUBLE) {
    text += "  dist = Sqrt (squared)\n}\n";
  } else {
    text += "  distance = Sqrt (squared)\n";
    text += type ? fmt::format("  dist = Cast <to: int = {}> (distance)\n}}\n", *type)
                 : "  dist = CastLike (distance, xyz)\n}\n";
  }
  return function_from_text(text);
}

const NativeRule rule{
    .domain = "custom",
    .op_type = "knnquery",
    .summary = "k nearest neighbours within batches: (nsample, points, offset[, queries, query offset])",
    .source = "knnquery of Pointcept's and Point Transformer's pointops",
    .also = "pointops::knnquery, pointops::knn_query",
    .attributes = "nsample, nsample_i",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
