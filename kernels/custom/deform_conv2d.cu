// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "library/cuda_device.cuh"
#include "library/deformable_convolution.h"

namespace onnx_lower::kernels {
namespace {

const Registration registration(ONNX_LOWER_KERNEL, torchvision_deformable_convolution(convolve_on_cuda, kCudaProvider));

}  // namespace
}  // namespace onnx_lower::kernels
