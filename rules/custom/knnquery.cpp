// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The nsample nearest points of each query in its own batch, as pointops computes them.
//
// Points and queries lie one after another, and `offset` and `new_offset` say where each batch
// ends. A batch of too few points fills the row with index -1 and the distance 100000, because the
// kernel starts from a squared distance of 1e10.
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::custom_knnquery {
namespace {

// Makes `begin` and `end` of the batch of each query. An offset beyond the points, and a query
// beyond the last offset, fail in a Gather.
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

// Makes `squared`, the squared distances, and the output `idx`.
void append_search(Body& body, std::string_view queries, int type_of_distance) {
  body.node({"squared", "index"}, "onnx_lower.NearestPoints", {"xyz", queries, "begin", "end", "k"}, {{"limit", 1e10}});
  body.constant("limit", 1e10);
  body("squared_limit", "Cast", {"limit"}, {{"to", type_of_distance}});
  body("is_point", "Less", {"squared", "squared_limit"});
  body.constant("none", -1);
  body("number", "Where", {"is_point", "index", "none"});
  body("idx", "Cast", {"number"}, {{"to", 6}});
}

void check_offset(const CallSite& site, int input, int points) {
  if (const int rank = site.rank(input).value_or(1); rank != 1)
    decline(fmt::format("input {} has rank {}, where the ends of the batches (rank 1) are expected", input, rank));
  const auto ends = site.constant_ints(input);
  if (!ends) return;
  int64_t previous = 0;
  for (int64_t end : *ends) {
    if (end < previous)
      decline(fmt::format("the ends of the batches (input {}) decrease from {} to {}", input, previous, end));
    previous = end;
  }
  const auto count = site.dim(points, 0);
  if (count && previous > *count)
    decline(fmt::format("the last batch of input {} ends at {}, but input {} has {} points", input, previous, points,
                        *count));
}

// Which input is what: nsample stands before the others where it is no attribute.
struct Inputs {
  std::string_view attribute;
  bool is_attribute;
  int points, offset, queries, query_offset;
  bool has_queries;

  explicit Inputs(const CallSite& site)
      : attribute(site.attribute("nsample") != nullptr ? "nsample" : "nsample_i"),
        is_attribute(site.attribute(attribute) != nullptr),
        points(is_attribute ? 0 : 1),
        offset(points + 1),
        queries(points + 2),
        query_offset(points + 3),
        has_queries(site.has_input(queries)) {}
};

void check_inputs(const CallSite& site, const Inputs& in) {
  if (site.input_count() > in.query_offset + 1) decline(fmt::format("it has {} inputs", site.input_count()));
  for (int input = 0; input <= in.offset; ++input) {
    if (!site.has_input(input)) decline(fmt::format("input {} is absent", input));
  }
  if (in.has_queries != site.has_input(in.query_offset))
    decline("queries and the ends of their batches must be given together");
}

void check_shapes(const CallSite& site, const Inputs& in) {
  check_offset(site, in.offset, in.points);
  for (int input : {in.points, in.queries}) {
    if (!site.has_input(input)) continue;
    if (const int rank = site.rank(input).value_or(2); rank != 2)
      decline(fmt::format("the points of input {} have rank {}, not 2", input, rank));
    if (const int64_t size = site.dim(input, 1).value_or(3); size != 3)
      decline(fmt::format("the points of input {} have {} coordinates, not 3", input, size));
  }
  if (!in.has_queries) return;
  check_offset(site, in.query_offset, in.queries);
  const auto batches = site.dim(in.offset, 0), query_batches = site.dim(in.query_offset, 0);
  if (batches && query_batches && *batches != *query_batches)
    decline(fmt::format("there are {} batches of points (input {}), but {} of queries (input {})", *batches, in.offset,
                        *query_batches, in.query_offset));
}

// Makes `k`, a list of one number.
void append_count(Body& body, const CallSite& site, const Inputs& in) {
  const std::optional<Ints> samples = in.is_attribute ? site.attribute_ints(in.attribute, {}) : site.constant_ints(0);
  if (samples) {
    if (samples->size() != 1) decline(fmt::format("nsample has {} elements", samples->size()));
    if (samples->front() <= 0) decline(fmt::format("nsample is {}, not positive", samples->front()));
    body.constant("k", *samples);
  } else {
    body.constant("any", Ints{-1});
    body("samples", "Reshape", {"nsample", "any"});
    body("k", "Cast", {"samples"}, {{"to", onnx::TensorProto::INT64}});
  }
}

// Makes the output `dist`, in the type of the points.
void append_distance(Body& body, std::optional<int> type) {
  if (type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::DOUBLE) {
    body("dist", "Sqrt", {"squared"});
    return;
  }
  body("distance", "Sqrt", {"squared"});
  if (type) {
    body("dist", "Cast", {"distance"}, {{"to", *type}});
  } else {
    body("dist", "CastLike", {"distance", "xyz"});
  }
}

Lowering lower(const CallSite& site) {
  const Inputs in(site);
  // (points, offset) and (points, offset, queries, query offset) need the attribute; with nsample
  // as input there is one more.
  if (!in.is_attribute && site.input_count() % 2 == 0)
    return Declined{"attribute 'nsample' is missing, and there is no input for it", {"nsample"}};
  check_inputs(site, in);
  check_shapes(site, in);
  std::vector<std::string> formals = {"xyz", "offset"};
  if (!in.is_attribute) formals.insert(formals.begin(), "nsample");
  if (site.input_count() > in.queries) formals.insert(formals.end(), {"new_xyz", "new_offset"});
  Body body("custom", "knnquery", formals, {"idx", "dist"}, 15);
  body.import("onnx_lower", 1);
  append_count(body, site, in);
  const auto type = site.dtype(in.points);
  const std::string_view queries = in.has_queries ? "new_xyz" : "xyz";
  append_batches(body, queries, in.has_queries ? "new_offset" : "offset");
  append_search(body, queries, type == onnx::TensorProto::FLOAT ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE);
  append_distance(body, type);
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
