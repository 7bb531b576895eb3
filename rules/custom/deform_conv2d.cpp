// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "deformable_convolution.h"

namespace onnx_lower::native_rules::custom_deform_conv2d {
namespace {

// torchvision's operator has the weight before the offset, its function in Python the offset before
// the weight; which is meant is told by the shapes.
Lowering lower_torchvision_order(const CallSite& site) {
  Lowering lowering =
      lower_deformable_convolution(site, {.weight = 1, .offset = 2, .mask = 3, .bias = 4, .numbers = 5});
  const auto has_size = [&](int input) {
    bool is_known = site.rank(input) == 4;
    for (int axis = 0; is_known && axis < 4; ++axis) is_known = site.dim(input, axis).has_value();
    return is_known;
  };
  if (std::holds_alternative<Declined>(lowering) && has_size(2) && site.dim(1, 1)) {
    Lowering other = lower_deformable_convolution(site, {.weight = 2, .offset = 1, .mask = 3, .bias = 4, .numbers = 5});
    if (std::holds_alternative<onnx::FunctionProto>(other)) return other;
  }
  return lowering;
}

const NativeRule rule{.domain = "custom",
                      .op_type = "deform_conv2d",
                      .summary = "deformable convolution (image, weight, offset[, mask][, bias])",
                      .source = "torchvision.ops.deform_conv2d",
                      .also = "torchvision::deform_conv2d, ai.onnx::deform_conv2d",
                      .takes_any_attribute = true,
                      .lower = lower_torchvision_order};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::custom_deform_conv2d
