// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <utility>

#include "rules/constant_value.h"
#include "tensor_list.h"

namespace onnx_lower {
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
  std::string body = taken_out("list", tensors, tensors.front().element_type) + grids(tensors.size());
  std::string results = numbered("g", tensors.size());
  if (indexing == "xy" && tensors.size() > 1) {
    std::string order = "1, 0";
    results.clear();
    for (size_t item = 2; item < tensors.size(); ++item) order += fmt::format(", {}", item);
    for (size_t item = 0; item < tensors.size(); ++item) {
      body += fmt::format("  t{0} = Transpose <perm: ints = [{1}]> (g{0})\n", item, order);
    }
    results = numbered("t", tensors.size());
  }
  return function_from_text(
      fmt::format("<domain: \"aten\", opset_import: [\"\" : 18]> meshgrid (list, indexing) => (y) {{\n{}  y = "
                  "SequenceConstruct ({})\n}}",
                  body, results));
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
}  // namespace onnx_lower
