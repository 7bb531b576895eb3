// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The nsample nearest points of each query in its own batch, as pointops computes them.
//
// Points and queries lie one after another, and `offset` and `new_offset` say where each batch
// ends. A batch of too few points fills the row with index -1 and the distance 100000, because the
// kernel starts from a squared distance of 1e10.
#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::custom_knnquery {
namespace {

// An offset beyond the points, and a query beyond the last offset, fail in a Gather.
void append_batches(Body& body, std::string_view queries, std::string_view query_offset) {
  body.constant("axis", Ints{0});
  body.constant("first", 0);
  body.constant("step", 1);
  body("points_shape", "Shape", {"xyz"});
  body("point_count", "Gather", {"points_shape", "first"});
  body("end_limit", "Add", {"point_count", "step"});
  body("possible_end", "Range", {"first", "end_limit", "step"});
  body("end_of_batch", "Gather", {"possible_end", "offset"});
  body("begin_of_batch", "Concat", {"axis", "end_of_batch"}, {{"axis", 0}});
  body("queries_shape", "Shape", {queries});
  body("query_count", "Gather", {"queries_shape", "first"});
  body("query", "Range", {"first", "query_count", "step"});
  body.constant("column", Ints{-1, 1});
  body("query_column", "Reshape", {"query", "column"});
  body("query_end_of_batch", "Cast", {query_offset}, {{"to", 7}});
  body("is_not_past", "Less", {"query_column", "query_end_of_batch"});
  body("is_past", "Not", {"is_not_past"});
  body("past", "Cast", {"is_past"}, {{"to", 7}});
  body.constant("across", Ints{1});
  body("batch", "ReduceSum", {"past", "across"}, {{"keepdims", 0}});
  body("begin", "Gather", {"begin_of_batch", "batch"});
  body("end", "Gather", {"end_of_batch", "batch"});
}

void append_search(Body& body, std::string_view queries, int type_of_distance) {
  body.node({"squared", "index"}, "onnx_lower.NearestPoints", {"xyz", queries, "begin", "end", "k"}, {{"limit", 1e10}});
  body.constant("limit", 1e10);
  body("squared_limit", "Cast", {"limit"}, {{"to", type_of_distance}});
  body("is_point", "Less", {"squared", "squared_limit"});
  body.constant("none", -1);
  body("number", "Where", {"is_point", "index", "none"});
  body("idx", "Cast", {"number"}, {{"to", 6}});
}

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
  // (points, offset) and (points, offset, queries, query offset) need the attribute; with nsample
  // as input there is one more.
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

  std::vector<std::string> formals = {"xyz", "offset"};
  if (!is_attribute) formals.insert(formals.begin(), "nsample");
  if (site.input_count() > queries) formals.insert(formals.end(), {"new_xyz", "new_offset"});
  Body body("custom", "knnquery", formals, {"idx", "dist"}, 15);
  body.import("onnx_lower", 1);
  const std::optional<Ints> samples = is_attribute ? site.attribute_ints(attribute, {}) : site.constant_ints(0);
  if (samples) {
    if (samples->size() != 1) return Declined{fmt::format("nsample has {} elements", samples->size())};
    if (samples->front() <= 0) return Declined{fmt::format("nsample is {}, not positive", samples->front())};
    body.constant("k", *samples);
  } else {
    body.constant("any", Ints{-1});
    body("samples", "Reshape", {"nsample", "any"});
    body("k", "Cast", {"samples"}, {{"to", onnx::TensorProto::INT64}});
  }
  const auto type = site.dtype(points);
  const bool is_float = type == onnx::TensorProto::FLOAT;
  const std::string_view used_queries = has_queries ? "new_xyz" : "xyz";
  append_batches(body, used_queries, has_queries ? "new_offset" : "offset");
  append_search(body, used_queries, is_float ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE);
  if (is_float || type == onnx::TensorProto::DOUBLE) {
    body("dist", "Sqrt", {"squared"});
  } else {
    body("distance", "Sqrt", {"squared"});
    if (type) body("dist", "Cast", {"distance"}, {{"to", *type}});
    if (!type) body("dist", "CastLike", {"distance", "xyz"});
  }
  return body.function();
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
}  // namespace onnx_lower::native_rules::custom_knnquery
