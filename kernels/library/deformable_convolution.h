// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Deformable convolution, which has many names; they differ little more than in the order of their
// inputs.
#pragma once

#include "library/operator.h"

namespace onnx_lower::kernels {

// (image, weight, offset[, mask][, bias]), and after these nine scalars in torchvision's own order.
Operator torchvision_deformable_convolution();

// (image, offset, mask, weight[, bias])
Operator modulated_deformable_convolution();

// (image, offset, weight)
Operator plain_deformable_convolution();

}  // namespace onnx_lower::kernels
