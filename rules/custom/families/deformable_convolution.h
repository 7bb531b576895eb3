// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the many names of deformable convolution share: they differ little more than in the order of
// their inputs.
#pragma once

#include "rules/native_rule.h"

namespace onnx_lower {

// Which input of the node is what; `none` where the operator has no such input.
struct DeformableConvolutionInputs {
  static constexpr int none = -1;
  int weight, offset, mask = none, bias = none;
  // The first of nine scalars: strides, paddings and dilations of height and width in turn, groups,
  // offset groups, use_mask.
  int numbers = none;
  // Four paddings stand in pairs, (top, bottom, left, right), and not in the order of ONNX,
  // (top, left, bottom, right).
  bool padding_in_pairs = false;
};

// Lowers the call to one ai.onnx DeformConv.
Lowering lower_deformable_convolution(const CallSite& site, const DeformableConvolutionInputs& inputs);

}  // namespace onnx_lower
