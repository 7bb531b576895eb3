// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of a deformable convolution: what the node says of them, and what follows from the
// shapes.
#pragma once

#include <array>
#include <optional>

#include "library/call.h"
#include "library/node.h"

namespace onnx_lower::kernels {

// Which input is what; `none` where the operator has no such input. The image is input 0.
struct DeformableConvolutionInputs {
  static constexpr size_t none = SIZE_MAX;
  size_t weight, offset, mask = none, bias = none;
  // The first of nine scalars: strides, paddings and dilations of height and width in turn, groups,
  // offset groups, use_mask.
  size_t numbers = none;
  // Four paddings stand in pairs (top, bottom, left, right), and not as in ONNX (top, left, bottom,
  // right).
  bool padding_in_pairs = false;
};

// What is given, by attributes or inputs; exporters lose some of it.
struct GivenNumbers {
  struct Axis {
    std::optional<int64_t> stride, begin, end, dilation, kernel;
  };
  std::array<Axis, 2> axes;  // height, width
  std::optional<int64_t> groups, offset_groups, use_mask, has_bias, outputs;

  // Throws BadInput where they contradict one another.
  static GivenNumbers from_attributes(const Node& node, bool padding_in_pairs);
  // With those of the scalar inputs from `first` on that are there.
  GivenNumbers with_inputs(const Call& call, size_t first) const;
};

struct DeformableConvolutionTensors {
  Tensor image, weight, offset;
  std::optional<Tensor> mask, bias;
};

// The inputs, whatever their order, with the right ranks; dummies count as absent. Throws BadInput
// otherwise.
DeformableConvolutionTensors read_tensors(const Call& call, const DeformableConvolutionInputs& inputs,
                                          std::optional<int64_t> use_mask);

struct DeformableGeometry {
  struct Axis {
    int64_t stride, begin, dilation, kernel, input, output;
  };
  std::array<Axis, 2> axes;
  int64_t batch, channels, outputs, groups, offset_groups;

  int64_t cells() const { return axes[0].kernel * axes[1].kernel; }
  int64_t positions() const { return axes[0].output * axes[1].output; }
};

// Completes what is lost: groups follow from the shapes; a stride, padding or dilation is the
// default (1, 0, 1) where that agrees with the shapes, else the one value that does, if only one
// number is lost along the axis and only one value fits. Throws BadInput where nothing fits, or
// shapes contradict.
DeformableGeometry complete(const GivenNumbers& given, const DeformableConvolutionTensors& tensors,
                            const DeformableConvolutionInputs& inputs);

}  // namespace onnx_lower::kernels
