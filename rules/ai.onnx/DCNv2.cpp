// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The second deformable convolution of CenterNet's and TensorRT's exporters, in the domains in which they leave it.
#include "../custom/deform_conv2d.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  return lower_deformable_convolution(site, {.weight = 3, .offset = 1, .mask = 2, .bias = 4});
}

constexpr NativeRule in_domain(std::string_view domain) {
  return {.domain = domain,
          .op_type = "DCNv2",
          .summary = "deformable convolution (image, offset, mask, weight[, bias])",
          .source = "_DCNv2 of CharlesShang/DCNv2",
          .lower = lower};
}

const NativeRule rules[] = {in_domain("ai.onnx"),  in_domain("custom"), in_domain("mmcv"),
                            in_domain("mmdeploy"), in_domain("TRT"),    in_domain("trt")};
const NativeRule::Registration registrations[] = {
    NativeRule::Registration(rules[0]), NativeRule::Registration(rules[1]), NativeRule::Registration(rules[2]),
    NativeRule::Registration(rules[3]), NativeRule::Registration(rules[4]), NativeRule::Registration(rules[5])};

}  // namespace
}  // namespace onnx_lower
