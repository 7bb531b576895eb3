// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "tensor_list.h"

namespace onnx_lower::native_rules::aten_vstack {
namespace {

// torch.atleast_2d.
std::vector<int64_t> added_axes(int rank) {
  if (rank == 0) return {0, 1};
  if (rank == 1) return {0};
  return {};
}

Lowering lower(const CallSite& site) { return stacked(site, "vstack", added_axes, 0); }

const NativeRule rule{.domain = "aten",
                      .op_type = "vstack",
                      .summary = "The tensors of a list one below the other, along dimension 0; vectors are rows.",
                      .source = "aten::vstack(Tensor[] tensors) -> Tensor",
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_vstack
