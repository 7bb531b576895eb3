// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/tensor_list.h"

namespace onnx_lower::native_rules::aten_broadcast_tensors {
namespace {

Lowering lower(const CallSite& site) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  if (!have_one_type(tensors))
    return Declined{"a list of ONNX's holds tensors of one type, and these are of different ones"};
  site.expect_nodes(3 * tensors.size() - 2);
  Body body("aten", "broadcast_tensors", {"list"}, {"y"}, 18);
  take_out(site, body, tensors, tensors.front().element_type);
  // Expand takes the larger of two sizes, so what all shapes make of the first tensor has the
  // common one.
  std::string all = "x0";
  for (size_t item = 1; item < tensors.size(); ++item) {
    const std::string n = fmt::to_string(item);
    body("s" + n, "Shape", {"x" + n});
    body("e" + n, "Expand", {all, "s" + n});
    all = "e" + n;
  }
  body("shape", "Shape", {all});
  for (size_t item = 0; item < tensors.size(); ++item) {
    const std::string n = fmt::to_string(item);
    body("y" + n, "Expand", {"x" + n, "shape"});
  }
  body("y", "SequenceConstruct", numbered("y", tensors.size()));
  return std::move(body).function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "broadcast_tensors",
                      .summary = "The tensors of a list, each expanded to the shape that all of them broadcast to.",
                      .source = "aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]",
                      .needed_inputs = 1,
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_broadcast_tensors
