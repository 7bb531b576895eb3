// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rules/native_rule.h"

namespace onnx_lower {
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
std::string sizes(std::string_view name, std::string_view tensor, const std::vector<int64_t>& dims) {
  if (dims.empty()) return fmt::format("  {} = Constant <value: tensor = int64[0] {{}}> ()\n", name);
  return fmt::format(
      "  {0}_all = Shape ({1})\n  {0}_at = Constant <value_ints: ints = [{2}]> ()\n  {0} = Gather <axis = 0> ({0}_all, "
      "{0}_at)\n",
      name, tensor, fmt::join(dims, ", "));
}

// `tensor` as a matrix `name`, with the dimensions `rows` before the dimensions `columns`.
std::string matrix(std::string_view name, std::string_view tensor, std::vector<int64_t> rows,
                   const std::vector<int64_t>& columns) {
  const bool rows_are_counted = columns.empty();
  std::string text = sizes(fmt::format("{}_counted", name), tensor, rows_are_counted ? rows : columns);
  rows.insert(rows.end(), columns.begin(), columns.end());
  return text +
         fmt::format(
             "  {0}_turned = Transpose <perm: ints = [{2}]> ({1})\n"
             "  {0}_size = ReduceProd <keepdims = 1> ({0}_counted)\n"
             "  {0}_rest = Constant <value_ints = [-1]> ()\n"
             "  {0}_shape = Concat <axis = 0> ({3})\n"
             "  {0} = Reshape ({0}_turned, {0}_shape)\n",
             name, tensor, fmt::join(rows, ", "),
             rows_are_counted ? fmt::format("{0}_size, {0}_rest", name) : fmt::format("{0}_rest, {0}_size", name));
}

Lowering lower(const CallSite& site) {
  std::vector<int64_t> summed[2], kept[2];
  for (int input : {0, 1}) {
    const auto rank = site.rank(input);
    if (!rank) return Declined{fmt::format("the rank of input {} is not known", input)};
    if (*rank == 0) return Declined{fmt::format("input {} has rank 0", input)};
    const auto dims = site.constant_ints(2 + input);
    if (!dims) return Declined{fmt::format("input {}, the dimensions, is not a constant", 2 + input)};
    const auto in_range = normalized(*dims, *rank);
    if (!in_range)
      return Declined{fmt::format("input {} names a dimension twice, or one that does not exist", 2 + input)};
    summed[input] = *in_range;
    kept[input] = all_but(summed[input], *rank);
  }
  if (summed[0].size() != summed[1].size()) return Declined{"the two lists of dimensions differ in length"};
  std::string body = matrix("p", "a", kept[0], summed[0]) + matrix("q", "b", summed[1], kept[1]);
  body += "  product = MatMul (p, q)\n";
  if (kept[0].empty() && kept[1].empty()) {
    body += "  both = Constant <value_ints = [0, 1]> ()\n  y = Squeeze (product, both)\n";
  } else {
    body += sizes("left", "a", kept[0]) + sizes("right", "b", kept[1]);
    body += "  shape = Concat <axis = 0> (left, right)\n  y = Reshape (product, shape)\n";
  }
  return function_from_text(fmt::format(
      "<domain: \"aten\", opset_import: [\"\" : 18]> tensordot (a, b, dims_a, dims_b) => (y) {{\n{}}}", body));
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "tensordot",
    .summary = "The sum of products over some dimensions of two tensors.",
    .source = "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
    .needed_inputs = 4,
    .most_inputs = 4,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
