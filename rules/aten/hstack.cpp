// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "tensor_list.h"

namespace onnx_lower::native_rules::aten_hstack {
namespace {

// torch.atleast_1d.
std::vector<int64_t> added_axes(int rank) {
  if (rank == 0) return {0};
  return {};
}

Lowering lower(const CallSite& site) { return stacked(site, "hstack", added_axes, 1); }

const NativeRule rule{
    .domain = "aten",
    .op_type = "hstack",
    .summary =
        "The tensors of a list one behind the other, vectors along dimension 0 and all others along dimension 1.",
    .source = "aten::hstack(Tensor[] tensors) -> Tensor",
    .most_inputs = 1,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_hstack
