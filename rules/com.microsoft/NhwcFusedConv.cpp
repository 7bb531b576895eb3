// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "fused_conv.h"

namespace onnx_lower::native_rules::com_microsoft_NhwcFusedConv {
namespace {

Lowering lower(const CallSite& site) { return lower_fused_conv(site, "NhwcFusedConv", Layout::channels_last, true); }

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "NhwcFusedConv",
                      .summary = "Conv with channels as the last dimension, plus Z, through an activation.",
                      .source = "ONNX Runtime's contrib operator NhwcFusedConv",
                      .attributes = kFusedConvAttributes,
                      .inputs = "X, W, B, Z",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_NhwcFusedConv
