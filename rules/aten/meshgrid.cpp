// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <utility>

#include "rules/values/constant_value.h"
#include "tensor_list.h"

namespace onnx_lower::native_rules::aten_meshgrid {
namespace {

Lowering lower(const CallSite& site) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  if (!have_one_type(tensors)) return Declined{"the tensors of the list are of different types"};
  for (const ListedTensor& tensor : tensors) {
    if (tensor.rank > 1) return Declined{"a tensor of the list is neither a number nor a vector"};
  }
  std::string indexing = "ij";
  if (site.has_input(1)) {
    const onnx::TensorProto* constant = site.constant(1);
    const auto given = constant == nullptr ? std::nullopt : attribute_of_constant(*constant);
    if (!given || given->type() != onnx::AttributeProto::STRING)
      return Declined{"input 1, the indexing, is not a constant string"};
    indexing = given->s();
  }
  if (indexing != "ij" && indexing != "xy")
    return Declined{fmt::format("its indexing is '{}', not 'ij' or 'xy'", indexing)};
  Body body("aten", "meshgrid", {"list", "indexing"}, {"y"}, 18);
  take_out(site, body, tensors, tensors.front().element_type);
  append_grids(body, tensors.size());
  std::vector<std::string> results = numbered("g", tensors.size());
  if (indexing == "xy" && tensors.size() > 1) {
    Ints order = {1, 0};
    for (size_t item = 2; item < tensors.size(); ++item) order.push_back(static_cast<int64_t>(item));
    for (size_t item = 0; item < tensors.size(); ++item) {
      const std::string n = fmt::to_string(item);
      body("t" + n, "Transpose", {"g" + n}, {{"perm", order}});
    }
    results = numbered("t", tensors.size());
  }
  body("y", "SequenceConstruct", results);
  return std::move(body).function();
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "meshgrid",
    .summary = "A list of grids, each of which varies along one dimension as one vector of a list does.",
    .source = "aten::meshgrid(Tensor[] tensors) -> Tensor[], and meshgrid.indexing(Tensor[] tensors, *, str indexing)",
    .most_inputs = 2,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_meshgrid
