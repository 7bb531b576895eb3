// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/group_norm.h"

namespace onnx_lower::native_rules::com_microsoft_GroupNorm {
namespace {

Lowering lower(const CallSite& site) {
  Body body("com.microsoft", "GroupNorm", {"X", "gamma", "beta"}, {"Y"}, 18);
  append_group_norm(site, body, "X");
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "GroupNorm",
                      .summary = "Group normalization of images, channels last or first, perhaps through SiLU.",
                      .source = "ONNX Runtime's contrib operator GroupNorm",
                      .attributes = "activation, channels_last, epsilon, groups",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_GroupNorm
