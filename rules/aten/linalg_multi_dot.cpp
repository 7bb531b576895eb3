// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/tensor_list.h"

namespace onnx_lower::native_rules::aten_linalg_multi_dot {
namespace {

// y = x0 * x1 * … * xn, from the left to the right. PyTorch chooses the order by the sizes, which
// makes a difference in the last digits only.
Lowering lower(const CallSite& site) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  if (!have_one_type(tensors)) return Declined{"the tensors of the list are of different types"};
  for (size_t item = 0; item < tensors.size(); ++item) {
    const bool is_at_end = item == 0 || item + 1 == tensors.size();
    if (tensors[item].rank != 2 && !(tensors[item].rank == 1 && is_at_end))
      return Declined{fmt::format("tensor {} of the list is no matrix", item)};
  }
  Body body("aten", "linalg_multi_dot", {"list"}, {"y"}, 18);
  take_out(site, body, tensors, tensors.front().element_type);
  std::string product = "x0";
  for (size_t item = 1; item < tensors.size(); ++item)
    product = body(fmt::format("product{}", item), "MatMul", {product, fmt::format("x{}", item)});
  body("y", "Identity", {product});
  return std::move(body).function();
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "linalg_multi_dot",
    .summary = "The product of the matrices of a list, of which the first and the last may be vectors.",
    .source = "aten::linalg_multi_dot(Tensor[] tensors) -> Tensor, and chain_matmul",
    .also = "aten::chain_matmul",
    .needed_inputs = 1,
    .most_inputs = 1,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_linalg_multi_dot
