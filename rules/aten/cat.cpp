// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/tensor_list.h"

namespace onnx_lower::native_rules::aten_cat {
namespace {

Lowering lower(const CallSite& site) {
  auto [tensors, dim] = list_along_dimension(site);
  const int rank = tensors.front().rank;
  for (const ListedTensor& tensor : tensors) {
    if (tensor.rank != rank)
      return Declined{
          "the tensors of the list differ in rank, which PyTorch allows only where the odd ones are empty vectors"};
  }
  if (dim < -rank || dim >= rank) return Declined{fmt::format("the tensors have no dimension {}", dim)};
  Body body("aten", "cat", {"list", "dim"}, {"y"}, 18);
  take_out(site, body, tensors, common_type(tensors, NumbersCount::as_tensors));
  body("y", "Concat", numbered("x", tensors.size()), {{"axis", dim < 0 ? dim + rank : dim}});
  return std::move(body).function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "cat",
                      .summary = "The tensors of a list one behind the other along a dimension, in their common type.",
                      .source = "aten::cat(Tensor[] tensors, int dim=0) -> Tensor",
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_cat
