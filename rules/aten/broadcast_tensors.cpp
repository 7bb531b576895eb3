// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "tensor_list.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  if (!have_one_type(tensors))
    return Declined{"a list of ONNX's holds tensors of one type, and these are of different ones"};
  std::string body = taken_out("list", tensors, tensors.front().element_type);
  // Expand takes the larger of two sizes, so what all shapes make of the first tensor has the common one.
  std::string all = "x0";
  for (size_t item = 1; item < tensors.size(); ++item) {
    body += fmt::format("  s{0} = Shape (x{0})\n  e{0} = Expand ({1}, s{0})\n", item, all);
    all = fmt::format("e{}", item);
  }
  body += fmt::format("  shape = Shape ({})\n", all);
  for (size_t item = 0; item < tensors.size(); ++item) body += fmt::format("  y{0} = Expand (x{0}, shape)\n", item);
  return function_from_text(
      fmt::format("<domain: \"aten\", opset_import: [\"\" : 18]> broadcast_tensors (list) => (y) {{\n{}  y = "
                  "SequenceConstruct ({})\n}}",
                  body, numbered("y", tensors.size())));
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
}  // namespace onnx_lower
