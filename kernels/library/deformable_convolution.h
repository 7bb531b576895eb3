// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Deformable convolution, which has many names. The operators differ in little more than the order
// of their inputs.
#pragma once

#include "library/deformable_geometry.h"
#include "library/operator.h"

namespace onnx_lower::kernels {

// The elements of the tensors, of the operator's type T; null where there is no such tensor.
template <typename T>
struct DeformableOperands {
  const T *image, *weight, *offset, *mask, *bias;
  T* result;

  DeformableOperands(const DeformableConvolutionTensors& tensors, T* result)
      : image(tensors.image.as<T>()),
        weight(tensors.weight.as<T>()),
        offset(tensors.offset.as<T>()),
        mask(tensors.mask ? tensors.mask->as<T>() : nullptr),
        bias(tensors.bias ? tensors.bias->as<T>() : nullptr),
        result(result) {}
};

// Computes output 0, of that shape.
using Convolve = void (*)(Call& call, const DeformableGeometry& geometry, const DeformableConvolutionTensors& tensors,
                          const Shape& shape);

void convolve_on_host(Call& call, const DeformableGeometry& geometry, const DeformableConvolutionTensors& tensors,
                      const Shape& shape);
// Where the library is built with CUDA.
void convolve_on_cuda(Call& call, const DeformableGeometry& geometry, const DeformableConvolutionTensors& tensors,
                      const Shape& shape);

// Inputs: (image, weight, offset[, mask][, bias]), then nine scalars, in torchvision's order.
Operator torchvision_deformable_convolution(Convolve convolve, const char* execution_provider);

// Inputs: (image, offset, mask, weight[, bias]).
Operator modulated_deformable_convolution(Convolve convolve, const char* execution_provider);

// Inputs: (image, offset, weight).
Operator plain_deformable_convolution(Convolve convolve, const char* execution_provider);

}  // namespace onnx_lower::kernels
