// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "tensor_list.h"

namespace onnx_lower {
namespace {

// Each matrix gets zeros on its left for the columns of those before it and on its right for those after it; then they stand one below the other.
Lowering lower(const CallSite& site) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  const int type = common_type(tensors, NumbersCount::as_numbers);
  std::string body = taken_out("list", tensors, type) +
                     "  zero = Constant <value_ints = [0]> ()\n  one = Constant <value_ints = [1]> ()\n";
  std::string before = "zero";
  for (size_t item = 0; item < tensors.size(); ++item) {
    const int rank = tensors[item].rank;
    if (rank > 2) return Declined{fmt::format("tensor {} of the list has more than two dimensions", item)};
    if (rank == 2) {
      body += fmt::format("  m{0} = Identity (x{0})\n", item);
    } else {
      body += fmt::format("  row{0} = Constant <value_ints = [1, -1]> ()\n  m{0} = Reshape (x{0}, row{0})\n", item);
    }
    body += fmt::format(
        "  s{0} = Shape (m{0})\n  w{0} = Gather <axis = 0> (s{0}, one)\n  b{0} = Identity ({1})\n"
        "  e{0} = Add (b{0}, w{0})\n",
        item, before);
    before = fmt::format("e{}", item);
  }
  for (size_t item = 0; item < tensors.size(); ++item) {
    body += fmt::format(
        "  a{0} = Sub ({1}, e{0})\n  pads{0} = Concat <axis = 0> (zero, b{0}, zero, a{0})\n"
        "  p{0} = Pad (m{0}, pads{0})\n",
        item, before);
  }
  body += fmt::format("  y = Concat <axis = 0> ({})\n", numbered("p", tensors.size()));
  return function_from_text(
      fmt::format("<domain: \"aten\", opset_import: [\"\" : 18]> block_diag (list) => (y) {{\n{}}}", body));
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "block_diag",
    .summary = "The matrices of a list along the diagonal of a larger one; numbers and vectors are rows.",
    .source = "aten::block_diag(Tensor[] tensors) -> Tensor",
    .needed_inputs = 1,
    .most_inputs = 1,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
