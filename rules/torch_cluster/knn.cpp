// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// For each element of y, the k nearest of x: pairs of (index in y, index in x), nearest first; fewer where a batch of x has fewer.
#include <fmt/format.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

constexpr int kPoints = 0, kQueries = 1, kPointEnds = 2, kQueryEnds = 3, kCount = 4, kCosine = 5, kWorkers = 6;

// Queries beyond the last batch fail in a Gather.
constexpr std::string_view kBatches = R"(
  query_column_shape = Constant <value = int64[2] {-1, 1}> ()
  query_column = Reshape (query, query_column_shape)
  last = Constant <value = int64[1] {9223372036854775807}> ()
  point_ends = Slice (ptr_x, one, last, zero)
  query_ends = Slice (ptr_y, one, last, zero)
  is_not_past = Less (query_column, query_ends)
  is_past = Not (is_not_past)
  past = Cast <to: int = 7> (is_past)
  batch = ReduceSum <keepdims = 0> (past, one)
  begin = Gather (ptr_x, batch)
  end = Gather (point_ends, batch)
)";

constexpr std::string_view kOneBatch = R"(
  points_shape = Shape (x)
  point_count = Gather (points_shape, zero)
  query_row_shape = Shape (query)
  begin = Expand (zero, query_row_shape)
  end = Expand (point_count, query_row_shape)
)";

constexpr std::string_view kSearch = R"(
  squared, index = onnx_lower.NearestPoints <limit = 3e38> (x, y, begin, end, k)
  limit_number = Constant <value = float {{3e38}}> ()
  limit = Cast <to = {type_of_distance}> (limit_number)
  is_point = Less (squared, limit)
  places = NonZero (is_point)
  place = Transpose <perm = [1, 0]> (places)
  neighbours = GatherND (index, place)
  neighbour_row_shape = Constant <value = int64[2] {{1, -1}}> ()
  neighbour_row = Reshape (neighbours, neighbour_row_shape)
  query_row = Gather <axis = 0> (places, zero)
  edges = Concat <axis = 0> (query_row, neighbour_row)
}})";

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

  constexpr const char* names[] = {"x", "y", "ptr_x", "ptr_y", "k_input", "cosine", "num_workers"};
  std::string text = "<domain: \"torch_cluster\", opset_import: [\"\" : 15, \"onnx_lower\" : 1]>\nknn (x";
  for (int input = kQueries; input < site.input_count(); ++input) text += fmt::format(", {}", names[input]);
  text += fmt::format(R"() => (edges) {{
  zero = Constant <value = int64[1] {{0}}> ()
  one = Constant <value = int64[1] {{1}}> ()
  k = Constant <value = int64[1] {{{}}}> ()
  first = Constant <value = int64 {{0}}> ()
  step = Constant <value = int64 {{1}}> ()
  queries_shape = Shape (y)
  query_count = Gather (queries_shape, first)
  query = Range (first, query_count, step)
)",
                      *k);
  text += site.has_input(kPointEnds) ? kBatches : kOneBatch;
  text += fmt::format(kSearch, fmt::arg("type_of_distance", site.dtype(kPoints) == onnx::TensorProto::FLOAT ? 1 : 11));
  return function_from_text(text);
}

const NativeRule rule{.domain = "torch_cluster",
                      .op_type = "knn",
                      .summary = "pairs of each y and its k nearest x: (x, y, ptr_x, ptr_y, k, cosine, num_workers)",
                      .source = "torch_cluster::knn, csrc/cpu/knn_cpu.cpp",
                      .attributes = "k, cosine, num_workers",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
