// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Tensors of a list put one behind the other, those of few dimensions with more of size 1.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tensor_list.h"

namespace onnx_lower::native_rules::aten_stacked {
namespace {

// The axes, as of the result, where a tensor of this rank gets dimensions of size 1.
using AddedAxes = std::vector<int64_t> (*)(int rank);

// Numbers and vectors become columns.
std::vector<int64_t> columns(int rank) {
  if (rank == 0) return {0, 1};
  if (rank == 1) return {1};
  return {};
}

std::vector<int64_t> atleast_1d(int rank) {
  if (rank == 0) return {0};
  return {};
}

std::vector<int64_t> atleast_2d(int rank) {
  if (rank == 0) return {0, 1};
  if (rank == 1) return {0};
  return {};
}

std::vector<int64_t> atleast_3d(int rank) {
  if (rank == 0) return {0, 1, 2};
  if (rank == 1) return {0, 2};
  if (rank == 2) return {2};
  return {};
}

// Concatenates the tensors along `axis`, or along their last dimension if they have no `axis`.
Lowering stacked(const CallSite& site, AddedAxes added_axes, int axis) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  const auto new_rank = [&](const ListedTensor& tensor) {
    return tensor.rank + static_cast<int>(added_axes(tensor.rank).size());
  };
  const int rank = new_rank(tensors.front());
  size_t added = 0;
  for (size_t item = 0; item < tensors.size(); ++item) {
    if (new_rank(tensors[item]) != rank)
      return Declined{fmt::format("tensors 0 and {} of the list do not fit by their ranks", item)};
    added += rank == tensors[item].rank ? 0 : 2;
  }
  site.expect_nodes(added);
  Body body("aten", site.node().op_type(), {"list"}, {"y"}, 18);
  take_out(site, body, tensors, common_type(tensors, NumbersCount::as_tensors));
  std::vector<std::string> parts;
  for (size_t item = 0; item < tensors.size(); ++item) {
    const Ints axes = added_axes(tensors[item].rank);
    const std::string n = fmt::to_string(item);
    if (!axes.empty()) {
      body.constant("a" + n, axes);
      body("p" + n, "Unsqueeze", {"x" + n, "a" + n});
    }
    parts.push_back((axes.empty() ? "x" : "p") + n);
  }
  body("y", "Concat", std::move(parts), {{"axis", std::min(axis, rank - 1)}});
  return std::move(body).function();
}

template <AddedAxes added_axes, int axis>
NativeRule rule_for(std::string_view op_type, std::string_view summary, std::string_view source) {
  return {.domain = "aten",
          .op_type = op_type,
          .summary = summary,
          .source = source,
          .most_inputs = 1,
          .lower = [](const CallSite& site) { return stacked(site, added_axes, axis); }};
}

const NativeRule rules[] = {
    rule_for<columns, 1>("column_stack", "The tensors of a list side by side, along dimension 1; vectors are columns.",
                         "aten::column_stack(Tensor[] tensors) -> Tensor"),
    rule_for<atleast_3d, 2>("dstack", "The tensors of a list one behind the other along dimension 2.",
                            "aten::dstack(Tensor[] tensors) -> Tensor"),
    rule_for<atleast_1d, 1>(
        "hstack",
        "The tensors of a list one behind the other, vectors along dimension 0 and all others along dimension 1.",
        "aten::hstack(Tensor[] tensors) -> Tensor"),
    rule_for<atleast_2d, 0>("vstack", "The tensors of a list one below the other, along dimension 0; vectors are rows.",
                            "aten::vstack(Tensor[] tensors) -> Tensor")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_stacked
