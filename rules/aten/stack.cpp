// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/tensor_list.h"

namespace onnx_lower::native_rules::aten_stack {
namespace {

Lowering lower(const CallSite& site) {
  auto [tensors, dim] = list_along_dimension(site);
  const int rank = tensors.front().rank;
  for (const ListedTensor& tensor : tensors) {
    if (tensor.rank != rank) return Declined{"the tensors of the list differ in rank"};
  }
  if (dim < -rank - 1 || dim > rank) return Declined{fmt::format("there is no place for a dimension {}", dim)};
  if (dim < 0) dim += rank + 1;
  Body body("aten", "stack", {"list", "dim"}, {"y"}, 18);
  take_out(site, body, tensors, common_type(tensors, NumbersCount::as_numbers));
  body.constant("axis", Ints{dim});
  for (size_t item = 0; item < tensors.size(); ++item) {
    const std::string n = fmt::to_string(item);
    body("p" + n, "Unsqueeze", {"x" + n, "axis"});
  }
  body("y", "Concat", numbered("p", tensors.size()), {{"axis", dim}});
  return std::move(body).function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "stack",
                      .summary = "The tensors of a list one behind the other along a new dimension.",
                      .source = "aten::stack(Tensor[] tensors, int dim=0) -> Tensor",
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_stack
