// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_tensordot {
namespace {

// Dimensions as numbers from 0 on; nothing if one does not exist or stands there twice.
std::optional<std::vector<int64_t>> normalized(std::vector<int64_t> dims, int rank) {
  for (int64_t& dim : dims) {
    if (dim < 0) dim += rank;
    if (dim < 0 || dim >= rank || std::ranges::count(dims, dim) > 1) return std::nullopt;
  }
  return dims;
}

std::vector<int64_t> all_but(const std::vector<int64_t>& dims, int rank) {
  std::vector<int64_t> rest;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (std::ranges::find(dims, dim) == dims.end()) rest.push_back(dim);
  }
  return rest;
}

// The sizes of `dims` of `tensor`, as a value `name`.
void append_sizes(Body& body, const std::string& name, std::string_view tensor, const Ints& dims) {
  if (dims.empty()) {
    body.constant(name, Ints{});
    return;
  }
  body(name + "_all", "Shape", {tensor});
  body.constant(name + "_at", dims);
  body(name, "Gather", {name + "_all", name + "_at"}, {{"axis", 0}});
}

// `tensor` as a matrix `name`, with the dimensions `rows` before the dimensions `columns`.
void append_matrix(Body& body, const std::string& name, std::string_view tensor, const Ints& rows,
                   const Ints& columns) {
  const bool rows_are_counted = columns.empty();
  append_sizes(body, name + "_counted", tensor, rows_are_counted ? rows : columns);
  Ints order = rows;
  order.insert(order.end(), columns.begin(), columns.end());
  body(name + "_turned", "Transpose", {tensor}, {{"perm", order}});
  const std::string size = body(name + "_size", "ReduceProd", {name + "_counted"}, {{"keepdims", 1}});
  const std::string rest = body.constant(name + "_rest", Ints{-1});
  body(name + "_shape", "Concat", rows_are_counted ? Values{size, rest} : Values{rest, size}, {{"axis", 0}});
  body(name, "Reshape", {name + "_turned", name + "_shape"});
}

Lowering lower(const CallSite& site) {
  std::vector<int64_t> summed[2], kept[2];
  for (int input : {0, 1}) {
    const int rank = site.need_rank(input);
    if (rank == 0) return Declined{fmt::format("input {} has rank 0", input)};
    const auto in_range = normalized(site.need_ints(2 + input), rank);
    if (!in_range)
      return Declined{fmt::format("input {} names a dimension twice, or one that does not exist", 2 + input)};
    summed[input] = *in_range;
    kept[input] = all_but(summed[input], rank);
  }
  if (summed[0].size() != summed[1].size()) return Declined{"the two lists of dimensions differ in length"};
  for (size_t i = 0; i < summed[0].size(); ++i) {
    const auto a = site.dim(0, static_cast<int>(summed[0][i])), b = site.dim(1, static_cast<int>(summed[1][i]));
    if (a && b && *a != *b) return Declined{fmt::format("dimensions of {} and {} are summed together", *a, *b)};
  }
  Body body("aten", "tensordot", {"a", "b", "dims_a", "dims_b"}, {"y"}, 18);
  append_matrix(body, "p", "a", kept[0], summed[0]);
  append_matrix(body, "q", "b", summed[1], kept[1]);
  body("product", "MatMul", {"p", "q"});
  if (kept[0].empty() && kept[1].empty()) {
    body.constant("both", Ints{0, 1});
    body("y", "Squeeze", {"product", "both"});
  } else {
    append_sizes(body, "left", "a", kept[0]);
    append_sizes(body, "right", "b", kept[1]);
    body("shape", "Concat", {"left", "right"}, {{"axis", 0}});
    body("y", "Reshape", {"product", "shape"});
  }
  return body.function();
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "tensordot",
    .summary = "The sum of products over some dimensions of two tensors.",
    .source = "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
    .inputs = "a, b, dims_a, dims_b",
    .needed_inputs = 4,
    .most_inputs = 4,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_tensordot
