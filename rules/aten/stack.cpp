// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "tensor_list.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  auto [tensors, dim] = list_along_dimension(site);
  const int rank = tensors.front().rank;
  for (const ListedTensor& tensor : tensors) {
    if (tensor.rank != rank) return Declined{"the tensors of the list differ in rank"};
  }
  if (dim < -rank - 1 || dim > rank) return Declined{fmt::format("there is no place for a dimension {}", dim)};
  if (dim < 0) dim += rank + 1;
  std::string body = taken_out("list", tensors, common_type(tensors, NumbersCount::as_numbers));
  body += fmt::format("  axis = Constant <value_ints: ints = [{}]> ()\n", dim);
  for (size_t item = 0; item < tensors.size(); ++item) body += fmt::format("  p{0} = Unsqueeze (x{0}, axis)\n", item);
  return function_from_text(fmt::format(
      "<domain: \"aten\", opset_import: [\"\" : 18]> stack (list, dim) => (y) {{\n{}  y = Concat <axis = {}> ({})\n}}",
      body, dim, numbered("p", tensors.size())));
}

const NativeRule rule{.domain = "aten",
                      .op_type = "stack",
                      .summary = "The tensors of a list one behind the other along a new dimension.",
                      .source = "aten::stack(Tensor[] tensors, int dim=0) -> Tensor",
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
