#include "fused_conv.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  if (const auto unknown =
          site.unknown_attribute({"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides"})) {
    return Declined{"it does not know the attribute " + *unknown};
  }
  const std::optional<int> rank = image_rank(site, 0, -1);
  if (!rank) return Declined{"the rank of x is not known"};
  BodyText body("com.microsoft", "NhwcMaxPool", {"x"}, {"y"}, 12);
  std::string image = "x";
  // MaxPool takes integers from opset 12 on; a float holds every one of 8 bits.
  const bool in_float = site.opset() < 12;
  if (in_float) {
    body.line("x_float = Cast <to = 1> (x)");
    image = "x_float";
  }
  image = body.transpose(image, channels_first_order(*rank), "channels_first");
  body.line("pooled = MaxPool ({})", image);
  std::string pooled = "pooled";
  if (in_float) {
    body.line("number = CastLike (pooled, x)");
    pooled = "number";
  }
  body.line("y = Transpose <perm = [{}]> ({})", fmt::join(channels_last_order(*rank), ", "), pooled);
  onnx::FunctionProto function = body.function();
  copy_attributes(site, {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides"}, "MaxPool", function);
  return function;
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "NhwcMaxPool",
                      .summary = "MaxPool with channels as the last dimension.",
                      .source = "ONNX Runtime's contrib operator NhwcMaxPool",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
