// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "tensor_list.h"

namespace onnx_lower::native_rules::aten_column_stack {
namespace {

// Numbers and vectors become columns.
std::vector<int64_t> added_axes(int rank) {
  if (rank == 0) return {0, 1};
  if (rank == 1) return {1};
  return {};
}

Lowering lower(const CallSite& site) { return stacked(site, "column_stack", added_axes, 1); }

const NativeRule rule{.domain = "aten",
                      .op_type = "column_stack",
                      .summary = "The tensors of a list side by side, along dimension 1; vectors are columns.",
                      .source = "aten::column_stack(Tensor[] tensors) -> Tensor",
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_column_stack
