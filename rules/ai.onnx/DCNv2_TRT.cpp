// The second deformable convolution of CenterNet's and TensorRT's exporters, in the domains in which they leave it.
#include "../custom/deform_conv2d.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  return lower_deformable_convolution(site, {.weight = 3, .offset = 1, .mask = 2, .bias = 4});
}

constexpr NativeRule in_domain(std::string_view domain) {
  return {.domain = domain,
          .op_type = "DCNv2_TRT",
          .summary = "deformable convolution (image, offset, mask, weight[, bias])",
          .source = "_DCNv2 of CharlesShang/DCNv2",
          .lower = lower};
}

const NativeRule standard = in_domain("ai.onnx"), custom = in_domain("custom"), mmcv = in_domain("mmcv"),
                 tensorrt = in_domain("TRT");
const NativeRule::Registration registrations[] = {NativeRule::Registration(standard), NativeRule::Registration(custom),
                                                  NativeRule::Registration(mmcv), NativeRule::Registration(tensorrt)};

}  // namespace
}  // namespace onnx_lower
