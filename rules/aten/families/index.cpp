// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// aten::index and aten::index_put: elements at places that tensors of indices say, one for each of
// some of the dimensions that stand side by side, or a mask says.

#include <fmt/format.h>

#include <algorithm>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_index {
namespace {

struct Indices {
  std::vector<std::string> tensors;  // of the dimensions that have one
  int first = 0;                     // the first of these dimensions
  int dimensions = 0;                // how many there are, which for a mask are as many as its rank
  int rank = 0;                      // of what the tensors have in common
  bool is_mask = false;
  bool is_list = false;  // they are in input 1, and not inputs themselves
};

// What is known of one of the indices, wherever it is.
struct Index {
  std::string name;
  std::optional<int> dtype;
  std::optional<int> rank;
};

std::vector<Index> all_indices(const CallSite& site, int inputs_behind) {
  std::vector<Index> all;
  if (const std::optional<int> size = site.list_size(1)) {
    for (int k = 0; k < *size; ++k) all.push_back({fmt::format("i{}", k), site.item_dtype(1, k), site.item_rank(1, k)});
    return all;
  }
  const onnx::TypeProto* type = site.input_type(1, Detail::element_type);
  if (type != nullptr && type->has_sequence_type())
    decline("input 1 is not a list that a SequenceConstruct before the node makes");
  for (int input = 1; input < site.input_count() - inputs_behind; ++input) {
    if (site.has_input(input)) {
      all.push_back({fmt::format("i{}", input - 1), site.dtype(input), site.rank(input)});
    } else {
      all.push_back({});
    }
  }
  return all;
}

Indices indices_of(const CallSite& site, int inputs_behind) {
  Indices indices;
  indices.is_list = site.list_size(1).has_value();
  std::vector<Index> all = all_indices(site, inputs_behind);
  while (!all.empty() && all.back().name.empty()) all.pop_back();
  if (all.empty()) decline("it has no indices");
  for (const Index& index : all) {
    if (index.name.empty() && indices.tensors.empty()) {
      ++indices.first;
      continue;
    }
    if (index.name.empty()) decline("a dimension without an index stands between two that have one");
    if (!index.dtype) decline("the type of an index is not known, which may be a mask");
    if (*index.dtype == onnx::TensorProto::BOOL || *index.dtype == onnx::TensorProto::UINT8) indices.is_mask = true;
    if (!index.rank) decline("the rank of an index is not known");
    indices.rank = std::max(indices.rank, *index.rank);
    indices.dimensions += 1;
    indices.tensors.push_back(index.name);
  }
  if (indices.is_mask) {
    if (indices.tensors.size() > 1) decline("a mask stands beside another index");
    if (indices.rank == 0) decline("its mask has no dimensions");
    indices.dimensions = indices.rank;
    indices.rank = 1;
  }
  return indices;
}

std::vector<std::string> formal_inputs(const CallSite& site, int inputs_behind) {
  std::vector<std::string> names = {"x"};
  const int end = site.input_count() - inputs_behind;
  if (site.list_size(1)) {
    names.emplace_back("list");
  } else {
    for (int input = 1; input < end; ++input) names.push_back(fmt::format("i{}", input - 1));
  }
  for (int input = end; input < site.input_count(); ++input)
    names.push_back(input == end ? "values" : fmt::format("flag{}", input - end));
  return names;
}

// Makes `places`: the numbers of the elements, or slices, in the last dimension.
void append_places(Body& body, const Indices& indices) {
  if (indices.is_list) {
    for (size_t k = 0; k < indices.tensors.size(); ++k)
      body(indices.tensors[k], "SequenceAt", {"list", body.scalar(static_cast<int64_t>(k))});
  }
  if (indices.is_mask) {
    body("mask", "Cast", {indices.tensors.front()}, {{"to", onnx::TensorProto::BOOL}});
    body("places", "Transpose", {body.made("found", "NonZero", {"mask"})}, {{"perm", Ints{1, 0}}});
    return;
  }
  std::vector<std::string> columns;
  std::string shape;
  if (indices.tensors.size() > 1) {
    // Their shapes are broadcast together.
    std::string all = body.made("wide", "Cast", {indices.tensors.front()}, {{"to", onnx::TensorProto::INT64}});
    all = body.made("zeros", "Sub", {all, all});
    for (size_t k = 1; k < indices.tensors.size(); ++k) {
      const std::string other = body.made("wide", "Cast", {indices.tensors[k]}, {{"to", onnx::TensorProto::INT64}});
      all = body.made("zeros", "Add", {all, body.made("zeros", "Sub", {other, other})});
    }
    shape = body.made("common", "Shape", {all});
  }
  for (const std::string& tensor : indices.tensors) {
    std::string column = body.made("wide", "Cast", {tensor}, {{"to", onnx::TensorProto::INT64}});
    if (!shape.empty()) column = body.made("column", "Expand", {column, shape});
    columns.push_back(body.unsqueeze(column, {indices.rank}));
  }
  if (columns.size() == 1) {
    body("places", "Identity", {columns.front()});
  } else {
    body("places", "Concat", columns, {{"axis", indices.rank}});
  }
}

// The order in which the dimensions with indices come first; then the inverse of one brings what
// they became, which may be another number of dimensions, back to their place.
Ints to_the_front(int first, int dimensions, int rank) {
  Ints order;
  for (int axis = first; axis < first + dimensions; ++axis) order.push_back(axis);
  for (int axis = 0; axis < rank; ++axis)
    if (axis < first || axis >= first + dimensions) order.push_back(axis);
  return order;
}

Ints inverse_of(const Ints& order) {
  Ints inverse(order.size());
  for (size_t k = 0; k < order.size(); ++k) inverse[static_cast<size_t>(order[k])] = static_cast<int64_t>(k);
  return inverse;
}

int rank_of_x(const CallSite& site, const Indices& indices) {
  const int rank = site.need_rank(0);
  if (indices.first + indices.dimensions > rank)
    decline(fmt::format("it has more indices than the {} dimensions of x", rank));
  return rank;
}

Lowering lower_index(const CallSite& site) {
  const Indices indices = indices_of(site, 0);
  Body body("aten", "index", formal_inputs(site, 0), {"y"}, 18);
  body.grows_with(indices.tensors.size());
  append_places(body, indices);
  if (indices.first == 0) {
    body("y", "GatherND", {"x", "places"});
    return std::move(body).function();
  }
  const int rank = rank_of_x(site, indices);
  const std::string turned = body.transpose("x", to_the_front(indices.first, indices.dimensions, rank));
  body("taken", "GatherND", {turned, "places"});
  const int rank_of_y = rank - indices.dimensions + indices.rank;
  body("y", "Transpose", {"taken"}, {{"perm", inverse_of(to_the_front(indices.first, indices.rank, rank_of_y))}});
  return std::move(body).function();
}

// How many inputs stand behind the indices: the values, and whether to add them; what comes behind
// that says nothing of the result.
int inputs_behind_indices(const CallSite& site) {
  if (site.list_size(1)) return site.input_count() - 2;
  // torch.onnx writes the values and the flag behind the indices.
  return site.input_count() > 3 ? 2 : 1;
}

Lowering lower_index_put(const CallSite& site) {
  const int behind = inputs_behind_indices(site);
  if (behind < 1) return Declined{"it has no values"};
  const Indices indices = indices_of(site, behind);
  const bool adds = behind > 1 && site.need_number(site.input_count() - behind + 1, 0) != 0;
  Body body("aten", "index_put", formal_inputs(site, behind), {"y"}, 18);
  body.grows_with(indices.tensors.size());
  append_places(body, indices);
  const int rank = rank_of_x(site, indices);
  const int end = indices.first + indices.dimensions;
  body("shape", "Shape", {"x"});
  std::vector<std::string> parts;
  if (indices.first > 0) parts.push_back(body.slice("shape", 0, indices.first, 0));
  parts.push_back(body.slice(body.made("placed", "Shape", {"places"}), 0, indices.rank, 0));
  if (end < rank) parts.push_back(body.slice("shape", end, rank, 0));
  body("of_values", "Concat", parts, {{"axis", 0}});
  body("as_x", "CastLike", {"values", "x"});
  std::string updates = body.made("updates", "Expand", {"as_x", "of_values"}), into = "x";
  const std::string_view reduction = adds ? "add" : "none";
  if (indices.first == 0) {
    body("y", "ScatterND", {into, "places", updates}, {{"reduction", reduction}});
    return std::move(body).function();
  }
  const Ints order = to_the_front(indices.first, indices.dimensions, rank);
  into = body.transpose("x", order);
  updates =
      body.transpose(updates, to_the_front(indices.first, indices.rank, rank - indices.dimensions + indices.rank));
  body("put", "ScatterND", {into, "places", updates}, {{"reduction", reduction}});
  body("y", "Transpose", {"put"}, {{"perm", inverse_of(order)}});
  return std::move(body).function();
}

const NativeRule rules[] = {
    {.domain = "aten",
     .op_type = "index",
     .summary =
         "The elements, or slices, of x at indices for dimensions that stand side by side, or where a mask is true.",
     .source =
         "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor; the indices are a list or inputs themselves",
     .also = "aten::_unsafe_index",
     .needed_inputs = 1,
     .lower = lower_index},
    {.domain = "aten",
     .op_type = "index_put",
     .summary =
         "x with values put, or added, at indices for dimensions that stand side by side, or where a mask is true.",
     .source = "aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor; the "
               "indices are a list or inputs themselves",
     .also = "aten::_unsafe_index_put",
     .needed_inputs = 1,
     .lower = lower_index_put}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_index
