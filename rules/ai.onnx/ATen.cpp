// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../aten/operator_call.h"

namespace onnx_lower {
namespace {

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "ATen",
                      .summary = "The ATen operator that the attribute 'operator' names.",
                      .source = "torch.onnx up to 1.10 with ONNX_ATEN or ONNX_ATEN_FALLBACK",
                      .lower = lower_aten_node};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
