// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Deformable convolution with a mask (DCNv2), in the domains in which the exporters of mmcv,
// CenterNet and TensorRT leave it.
#include "../custom/families/deformable_convolution.h"

namespace onnx_lower::native_rules::mmdeploy_MMCVModulatedDeformConv2d {
namespace {

Lowering lower(const CallSite& site) {
  return lower_deformable_convolution(site, {.weight = 3, .offset = 1, .mask = 2, .bias = 4});
}

const NativeRule rule{
    .domain = "mmdeploy",
    .op_type = "MMCVModulatedDeformConv2d",
    .summary = "deformable convolution (image, offset, mask, weight[, bias])",
    .source = "mmcv.ops.modulated_deform_conv2d; _DCNv2 of CharlesShang/DCNv2; ModulatedDeformConv2d of TensorRT",
    .also =
        "mmcv::MMCVModulatedDeformConv2d, custom::MMCVModulatedDeformConv2d, ai.onnx::MMCVModulatedDeformConv2d, "
        "TRT::ModulatedDeformConv2d, ai.onnx::ModulatedDeformConv2d, custom::_DCNv2, mmcv::_DCNv2, mmdeploy::_DCNv2, "
        "TRT::_DCNv2, trt::_DCNv2, ai.onnx::_DCNv2, "
        "custom::DCNv2, mmcv::DCNv2, mmdeploy::DCNv2, TRT::DCNv2, trt::DCNv2, ai.onnx::DCNv2, "
        "custom::DCNv2_TRT, mmcv::DCNv2_TRT, mmdeploy::DCNv2_TRT, TRT::DCNv2_TRT, trt::DCNv2_TRT, ai.onnx::DCNv2_TRT",
    .takes_any_attribute = true,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::mmdeploy_MMCVModulatedDeformConv2d
