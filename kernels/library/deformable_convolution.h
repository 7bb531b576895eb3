// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Deformable convolution, which has many names. The operators differ in little more than the order
// of their inputs.
#pragma once

#include "library/operator.h"

namespace onnx_lower::kernels {

// Inputs: (image, weight, offset[, mask][, bias]), then nine scalars, in torchvision's order.
Operator torchvision_deformable_convolution();

// Inputs: (image, offset, mask, weight[, bias]).
Operator modulated_deformable_convolution();

// Inputs: (image, offset, weight).
Operator plain_deformable_convolution();

}  // namespace onnx_lower::kernels
