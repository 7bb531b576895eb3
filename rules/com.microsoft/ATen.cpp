// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../aten/operator_call.h"

namespace onnx_lower {
namespace {

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "ATen",
                      .summary = "The ATen operator that the attribute 'operator' names.",
                      .source = "ONNX Runtime's contrib operator ATen",
                      .lower = lower_aten_node};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
