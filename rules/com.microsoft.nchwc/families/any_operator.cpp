// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/native_rule.h"

namespace onnx_lower::native_rules::com_microsoft_nchwc_any_operator {
namespace {

Lowering lower(const CallSite&) {
  return Declined{
      "its tensors are in blocks of channels, of a size that only the processor knows on which ONNX Runtime optimized "
      "the model; "
      "save the model at ORT_ENABLE_EXTENDED or below"};
}

const NativeRule rule{.domain = "com.microsoft.nchwc",
                      .op_type = "*",
                      .summary = "Says why the block layout of one kind of processor cannot be lowered.",
                      .source = "ONNX Runtime's NCHWc graph transformer",
                      .takes_any_attribute = true,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_nchwc_any_operator
