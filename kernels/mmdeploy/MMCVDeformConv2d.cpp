// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// mmcv's deformable convolution: (image, offset, weight).
// Also: mmcv::MMCVDeformConv2d, ai.onnx::MMCVDeformConv2d, custom::MMCVDeformConv2d
#include "library/deformable_convolution.h"

namespace onnx_lower::kernels {
namespace {

const Registration registration(ONNX_LOWER_KERNEL, plain_deformable_convolution(convolve_on_host, nullptr));

}  // namespace
}  // namespace onnx_lower::kernels
