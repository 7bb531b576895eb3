// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// mmcv's deformable convolution, in the domains of its exporters.
#include "../custom/deform_conv2d.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  return lower_deformable_convolution(site, {.weight = 2, .offset = 1, .padding_in_pairs = true});
}

constexpr NativeRule in_domain(std::string_view domain) {
  return {.domain = domain,
          .op_type = "MMCVDeformConv2d",
          .summary = "deformable convolution (image, offset, weight)",
          .source = "mmcv.ops.deform_conv2d",
          .lower = lower};
}

const NativeRule mmdeploy = in_domain("mmdeploy"), mmcv = in_domain("mmcv"), standard = in_domain("ai.onnx"),
                 custom = in_domain("custom");
const NativeRule::Registration registrations[] = {NativeRule::Registration(mmdeploy), NativeRule::Registration(mmcv),
                                                  NativeRule::Registration(standard), NativeRule::Registration(custom)};

}  // namespace
}  // namespace onnx_lower
