// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// mmcv's deformable convolution.
#include "../custom/families/deformable_convolution.h"

namespace onnx_lower::native_rules::mmdeploy_MMCVDeformConv2d {
namespace {

Lowering lower(const CallSite& site) {
  return lower_deformable_convolution(site, {.weight = 2, .offset = 1, .padding_in_pairs = true});
}

const NativeRule rule{.domain = "mmdeploy",
                      .op_type = "MMCVDeformConv2d",
                      .summary = "deformable convolution (image, offset, weight)",
                      .source = "mmcv.ops.deform_conv2d",
                      .also = "mmcv::MMCVDeformConv2d, custom::MMCVDeformConv2d, ai.onnx::MMCVDeformConv2d",
                      .takes_any_attribute = true,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::mmdeploy_MMCVDeformConv2d
