// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Modulated deformable convolution: (image, offset, mask, weight[, bias]), as mmcv has it, and
// operators of CenterNet and TensorRT that are the same.
// Also: mmcv::MMCVModulatedDeformConv2d, ai.onnx::MMCVModulatedDeformConv2d
// Also: custom::MMCVModulatedDeformConv2d
// Also: ai.onnx::_DCNv2, custom::_DCNv2, mmcv::_DCNv2, mmdeploy::_DCNv2, TRT::_DCNv2, trt::_DCNv2
// Also: ai.onnx::DCNv2, custom::DCNv2, mmcv::DCNv2, mmdeploy::DCNv2, TRT::DCNv2, trt::DCNv2
// Also: ai.onnx::DCNv2_TRT, custom::DCNv2_TRT, mmcv::DCNv2_TRT, mmdeploy::DCNv2_TRT
// Also: TRT::DCNv2_TRT, trt::DCNv2_TRT
#include "library/deformable_convolution.h"

namespace onnx_lower::kernels {
namespace {

const Registration registration(ONNX_LOWER_KERNEL, modulated_deformable_convolution(convolve_on_host, nullptr));

}  // namespace
}  // namespace onnx_lower::kernels
