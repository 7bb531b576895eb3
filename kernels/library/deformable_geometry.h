// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The parameters of a deformable convolution: those that the node gives, and those that
// follow from the shapes.
#pragma once

#include <array>
#include <optional>

#include "library/call.h"
#include "library/node.h"

namespace onnx_lower::kernels {

// Which input has which role; `none` where the operator has no such input. The image is input 0.
struct DeformableConvolutionInputs {
  static constexpr size_t none = SIZE_MAX;
  size_t weight, offset, mask = none, bias = none;
  // The first of nine scalar inputs: strides, paddings and dilations, each of height and width,
  // then groups, offset groups, use_mask.
  size_t numbers = none;
  // Four paddings are given in pairs (top, bottom, left, right), and not as in ONNX
  // (top, left, bottom, right).
  bool padding_in_pairs = false;
};

// The parameters that attributes or inputs give; exporters lose some of them.
struct GivenNumbers {
  struct Axis {
    std::optional<int64_t> stride, begin, end, dilation, kernel;
  };
  std::array<Axis, 2> axes;  // height, width
  std::optional<int64_t> groups, offset_groups, use_mask, has_bias, outputs;

  // Throws BadInput where attributes contradict one another.
  static GivenNumbers from_attributes(const Node& node, bool padding_in_pairs);
  // Adds the parameters in those scalar inputs, from input `first` on, that are present.
  GivenNumbers with_inputs(const Call& call, size_t first) const;
};

struct DeformableConvolutionTensors {
  Tensor image, weight, offset;
  std::optional<Tensor> mask, bias;
};

// The inputs by role, whatever their order, with ranks checked. Inputs that exporters add as
// dummies count as absent. Throws BadInput where a rank is wrong.
DeformableConvolutionTensors read_tensors(const Call& call, const DeformableConvolutionInputs& inputs,
                                          std::optional<int64_t> use_mask);

struct DeformableGeometry {
  struct Axis {
    int64_t stride, begin, dilation, kernel, input, output;
  };
  Axis axes[2];  // height, width
  int64_t batch, channels, outputs, groups, offset_groups;

  int64_t cells() const { return axes[0].kernel * axes[1].kernel; }
  int64_t positions() const { return axes[0].output * axes[1].output; }
};

// Completes parameters that are missing: groups follow from the shapes; a stride, padding or
// dilation has the default (1, 0, 1) if that agrees with the shapes, else the one value that does,
// if it is the only parameter that is missing along the axis and only one value agrees. Throws
// BadInput where no value agrees, or where shapes contradict one another.
DeformableGeometry complete(const GivenNumbers& given, const DeformableConvolutionTensors& tensors,
                            const DeformableConvolutionInputs& inputs);

}  // namespace onnx_lower::kernels
