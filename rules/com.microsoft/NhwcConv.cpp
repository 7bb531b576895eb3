// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/fused_conv.h"

namespace onnx_lower::native_rules::com_microsoft_NhwcConv {
namespace {

// ONNX Runtime's optimizer makes this operator of a Conv, for its GPU kernels, and writes W as
// (O, kH, kW, I), where the operator's documentation says (O, I, kH, kW).
Lowering lower(const CallSite& site) {
  const int rank = image_rank(site, 0, 1).value_or(0);
  const LayoutEvidence evidence = evidence_of_layout(site, FilterLayout::channels_last, rank);
  if (rank >= 3 && !evidence.is_shown && evidence.contradiction.empty()) {
    return Declined{"neither kernel_shape nor the channels of X show that W is (O, kH, kW, I)"};
  }
  return lower_fused_conv(site, "NhwcConv", Layout::channels_last, false, FilterLayout::channels_last);
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "NhwcConv",
    .summary = "Conv with channels as the last dimension of the image and of the filter.",
    .source = "ONNX Runtime's contrib operator NhwcConv, as its transformer optimizer's fusion writes it",
    .attributes = kFusedConvAttributes,
    .inputs = "X, W, B, Z",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_NhwcConv
