// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "tensor_list.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  if (!have_one_type(tensors)) return Declined{"the tensors of the list are of different types"};
  for (const ListedTensor& tensor : tensors) {
    if (tensor.rank != 1) return Declined{"a tensor of the list is not a vector"};
  }
  std::string body = taken_out("list", tensors, tensors.front().element_type);
  if (tensors.size() == 1) {
    body += "  y = Identity (x0)\n";
  } else {
    body += grids(tensors.size());
    body += "  shape = Constant <value_ints = [-1, 1]> ()\n";
    for (size_t item = 0; item < tensors.size(); ++item) body += fmt::format("  c{0} = Reshape (g{0}, shape)\n", item);
    body += fmt::format("  y = Concat <axis = 1> ({})\n", numbered("c", tensors.size()));
  }
  return function_from_text(
      fmt::format("<domain: \"aten\", opset_import: [\"\" : 18]> cartesian_prod (list) => (y) {{\n{}}}", body));
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "cartesian_prod",
    .summary = "Every choice of one element of each vector of a list, one in a row; of a single vector, that itself.",
    .source = "aten::cartesian_prod(Tensor[] tensors) -> Tensor",
    .needed_inputs = 1,
    .most_inputs = 1,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
