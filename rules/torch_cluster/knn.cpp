// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// For each element of y, the k nearest of x: pairs of (index in y, index in x), nearest first;
// fewer where a batch of x has fewer.
#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::torch_cluster_knn {
namespace {

constexpr int kPoints = 0, kQueries = 1, kPointEnds = 2, kQueryEnds = 3, kCount = 4, kCosine = 5, kWorkers = 6;

// Queries beyond the last batch fail in a Gather.
void append_batches(Body& body) {
  body.constant("query_column_shape", Ints{-1, 1});
  body("query_column", "Reshape", {"query", "query_column_shape"});
  body.constant("last", Ints{9223372036854775807});
  body("point_ends", "Slice", {"ptr_x", "one", "last", "zero"});
  body("query_ends", "Slice", {"ptr_y", "one", "last", "zero"});
  body("is_not_past", "Less", {"query_column", "query_ends"});
  body("is_past", "Not", {"is_not_past"});
  body("past", "Cast", {"is_past"}, {{"to", 7}});
  body("batch", "ReduceSum", {"past", "one"}, {{"keepdims", 0}});
  body("begin", "Gather", {"ptr_x", "batch"});
  body("end", "Gather", {"point_ends", "batch"});
}

void append_one_batch(Body& body) {
  body("points_shape", "Shape", {"x"});
  body("point_count", "Gather", {"points_shape", "zero"});
  body("query_row_shape", "Shape", {"query"});
  body("begin", "Expand", {"zero", "query_row_shape"});
  body("end", "Expand", {"point_count", "query_row_shape"});
}

void append_search(Body& body, int type_of_distance) {
  body.node({"squared", "index"}, "onnx_lower.NearestPoints", {"x", "y", "begin", "end", "k"}, {{"limit", 3e38}});
  body.constant("limit_number", 3e38);
  body("limit", "Cast", {"limit_number"}, {{"to", type_of_distance}});
  body("is_point", "Less", {"squared", "limit"});
  body("places", "NonZero", {"is_point"});
  body("place", "Transpose", {"places"}, {{"perm", Ints{1, 0}}});
  body("neighbours", "GatherND", {"index", "place"});
  body.constant("neighbour_row_shape", Ints{1, -1});
  body("neighbour_row", "Reshape", {"neighbours", "neighbour_row_shape"});
  body("query_row", "Gather", {"places", "zero"}, {{"axis", 0}});
  body("edges", "Concat", {"query_row", "neighbour_row"}, {{"axis", 0}});
}

// A number that is an attribute or a constant input.
std::optional<int64_t> number(const CallSite& site, std::string_view name, int input) {
  if (site.attribute(name) != nullptr) return site.attribute_int(name, 0);
  const auto values = site.constant_ints(input);
  return values && values->size() == 1 ? std::optional(values->front()) : std::nullopt;
}

Lowering lower(const CallSite& site) {
  if (site.input_count() > kWorkers + 1) return Declined{fmt::format("it has {} inputs", site.input_count())};
  for (int input : {kPoints, kQueries}) {
    if (!site.has_input(input)) return Declined{fmt::format("input {} is absent", input)};
    if (const int rank = site.rank(input).value_or(2); rank != 2)
      return Declined{fmt::format("input {} has rank {}, not 2", input, rank)};
  }
  if (site.has_input(kPointEnds) != site.has_input(kQueryEnds))
    return Declined{"ptr_x and ptr_y must be given together"};
  const auto k = number(site, "k", kCount);
  if (!k) return Declined{"k is not a constant", {"k"}};
  if (*k <= 0) return Declined{fmt::format("k is {}, not positive", *k)};
  if (site.has_input(kCosine) && !number(site, "cosine", kCosine)) return Declined{"cosine is not a constant"};
  if (number(site, "cosine", kCosine).value_or(0) != 0) return Declined{"it asks for the cosine distance"};
  for (int input : {kPointEnds, kQueryEnds}) {
    if (site.has_input(input) && site.rank(input).value_or(1) != 1)
      return Declined{fmt::format("input {} has rank {}, not 1", input, *site.rank(input))};
  }
  const auto batches = site.dim(kPointEnds, 0), query_batches = site.dim(kQueryEnds, 0);
  if (batches && query_batches && *batches != *query_batches) {
    return Declined{fmt::format("ptr_x (input {}) has {} elements, but ptr_y (input {}) has {}", kPointEnds, *batches,
                                kQueryEnds, *query_batches)};
  }

  Body body("torch_cluster", "knn",
            first_names({"x", "y", "ptr_x", "ptr_y", "k_input", "cosine", "num_workers"}, site.input_count()),
            {"edges"}, 15);
  body.import("onnx_lower", 1);
  body.constant("zero", Ints{0});
  body.constant("one", Ints{1});
  body.constant("k", Ints{*k});
  body.constant("first", 0);
  body.constant("step", 1);
  body("queries_shape", "Shape", {"y"});
  body("query_count", "Gather", {"queries_shape", "first"});
  body("query", "Range", {"first", "query_count", "step"});
  if (site.has_input(kPointEnds)) {
    append_batches(body);
  } else {
    append_one_batch(body);
  }
  const bool is_float = site.dtype(kPoints) == onnx::TensorProto::FLOAT;
  append_search(body, is_float ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE);
  return body.function();
}

const NativeRule rule{.domain = "torch_cluster",
                      .op_type = "knn",
                      .summary = "pairs of each y and its k nearest x: (x, y, ptr_x, ptr_y, k, cosine, num_workers)",
                      .source = "torch_cluster::knn, csrc/cpu/knn_cpu.cpp",
                      .attributes = "k, cosine, num_workers",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::torch_cluster_knn
