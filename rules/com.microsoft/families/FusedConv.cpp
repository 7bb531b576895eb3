// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "fused_conv.h"

namespace onnx_lower::native_rules::com_microsoft_FusedConv {
namespace {

const NativeRule rules[] = {
    {.domain = "com.microsoft",
     .op_type = "FusedConv",
     .summary = "Conv, plus Z, through an activation.",
     .source = "ONNX Runtime's contrib operator FusedConv",
     .attributes = kFusedConvAttributes,
     .inputs = "X, W, B, Z",
     .lower = [](const CallSite& site) { return lower_fused_conv(site, "FusedConv", Layout::channels_first, true); }},
    {.domain = "com.microsoft",
     .op_type = "NhwcFusedConv",
     .summary = "Conv with channels as the last dimension, plus Z, through an activation.",
     .source = "ONNX Runtime's contrib operator NhwcFusedConv",
     .attributes = kFusedConvAttributes,
     .inputs = "X, W, B, Z",
     .lower = [](const CallSite& site) {
       return lower_fused_conv(site, "NhwcFusedConv", Layout::channels_last, true);
     }}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_FusedConv
