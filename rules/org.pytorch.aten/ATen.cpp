// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../aten/families/operator_call.h"

namespace onnx_lower::native_rules::org_pytorch_aten_ATen {
namespace {

const NativeRule rule{.domain = "org.pytorch.aten",
                      .op_type = "ATen",
                      .summary = "The ATen operator that the attribute 'operator' names.",
                      .source =
                          "torch.onnx with ONNX_ATEN or ONNX_ATEN_FALLBACK, up to 1.10 in the default domain; "
                          "ONNX Runtime's contrib operator ATen",
                      .also = "aten::ATen, com.microsoft::ATen, ai.onnx::ATen",
                      .takes_any_attribute = true,
                      .lower = lower_aten_node};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::org_pytorch_aten_ATen
