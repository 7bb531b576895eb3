// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/tensor_list.h"

namespace onnx_lower::native_rules::aten_cartesian_prod {
namespace {

Lowering lower(const CallSite& site) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  if (!have_one_type(tensors)) return Declined{"the tensors of the list are of different types"};
  for (const ListedTensor& tensor : tensors) {
    if (tensor.rank != 1) return Declined{"a tensor of the list is not a vector"};
  }
  Body body("aten", "cartesian_prod", {"list"}, {"y"}, 18);
  take_out(site, body, tensors, tensors.front().element_type);
  if (tensors.size() == 1) {
    body("y", "Identity", {"x0"});
  } else {
    append_grids(body, tensors.size());
    body.constant("shape", Ints{-1, 1});
    for (size_t item = 0; item < tensors.size(); ++item) {
      const std::string n = fmt::to_string(item);
      body("c" + n, "Reshape", {"g" + n, "shape"});
    }
    body("y", "Concat", numbered("c", tensors.size()), {{"axis", 1}});
  }
  return std::move(body).function();
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
}  // namespace onnx_lower::native_rules::aten_cartesian_prod
