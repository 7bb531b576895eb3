// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// mmcv's modulated deformable convolution, in the domains of its exporters.
#include "../custom/deform_conv2d.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  return lower_deformable_convolution(site, {.weight = 3, .offset = 1, .mask = 2, .bias = 4});
}

constexpr NativeRule in_domain(std::string_view domain) {
  return {.domain = domain,
          .op_type = "MMCVModulatedDeformConv2d",
          .summary = "deformable convolution (image, offset, mask, weight[, bias])",
          .source = "mmcv.ops.modulated_deform_conv2d",
          .lower = lower};
}

const NativeRule mmdeploy = in_domain("mmdeploy"), mmcv = in_domain("mmcv"), standard = in_domain("ai.onnx"),
                 custom = in_domain("custom");
const NativeRule::Registration registrations[] = {NativeRule::Registration(mmdeploy), NativeRule::Registration(mmcv),
                                                  NativeRule::Registration(standard), NativeRule::Registration(custom)};

}  // namespace
}  // namespace onnx_lower
