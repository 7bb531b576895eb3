// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "tensor_list.h"

namespace onnx_lower::native_rules::aten_dstack {
namespace {

// torch.atleast_3d.
std::vector<int64_t> added_axes(int rank) {
  if (rank == 0) return {0, 1, 2};
  if (rank == 1) return {0, 2};
  if (rank == 2) return {2};
  return {};
}

Lowering lower(const CallSite& site) { return stacked(site, "dstack", added_axes, 2); }

const NativeRule rule{.domain = "aten",
                      .op_type = "dstack",
                      .summary = "The tensors of a list one behind the other along dimension 2.",
                      .source = "aten::dstack(Tensor[] tensors) -> Tensor",
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_dstack
