// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/tensor_list.h"

namespace onnx_lower::native_rules::aten_block_diag {
namespace {

// Each matrix gets zeros on its left for the columns of those before it and on its right for those
// after it; then they stand one below the other.
Lowering lower(const CallSite& site) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  const int type = common_type(tensors, NumbersCount::as_numbers);
  for (size_t item = 0; item < tensors.size(); ++item) {
    if (tensors[item].rank > 2)
      return Declined{fmt::format("tensor {} of the list has more than two dimensions", item)};
  }
  site.expect_nodes(6 * tensors.size());
  Body body("aten", "block_diag", {"list"}, {"y"}, 18);
  take_out(site, body, tensors, type);
  body.constant("zero", Ints{0});
  body.constant("one", Ints{1});
  std::string before = "zero";
  for (size_t item = 0; item < tensors.size(); ++item) {
    const std::string n = fmt::to_string(item);
    const int rank = tensors[item].rank;
    if (rank == 2) {
      body("m" + n, "Identity", {"x" + n});
    } else {
      body.constant("row" + n, Ints{1, -1});
      body("m" + n, "Reshape", {"x" + n, "row" + n});
    }
    body("s" + n, "Shape", {"m" + n});
    body("w" + n, "Gather", {"s" + n, "one"}, {{"axis", 0}});
    body("b" + n, "Identity", {before});
    body("e" + n, "Add", {"b" + n, "w" + n});
    before = "e" + n;
  }
  for (size_t item = 0; item < tensors.size(); ++item) {
    const std::string n = fmt::to_string(item);
    body("a" + n, "Sub", {before, "e" + n});
    body("pads" + n, "Concat", {"zero", "b" + n, "zero", "a" + n}, {{"axis", 0}});
    body("p" + n, "Pad", {"m" + n, "pads" + n});
  }
  body("y", "Concat", numbered("p", tensors.size()), {{"axis", 0}});
  return std::move(body).function();
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
}  // namespace onnx_lower::native_rules::aten_block_diag
