// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Deformable convolution: (image, weight, offset[, mask][, bias]), its numbers as attributes or, in
// torchvision's own order, as inputs.
// Also: torchvision::deform_conv2d
#include "library/deformable_convolution.h"

namespace onnx_lower::kernels {
namespace {

const Registration registration(ONNX_LOWER_KERNEL, torchvision_deformable_convolution(convolve_on_host, nullptr));

}  // namespace
}  // namespace onnx_lower::kernels
