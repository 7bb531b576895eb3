#include <limits>

#include "body_text.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  if (const auto unknown = site.unknown_attribute({"auto_pad", "kernel_shape", "pads", "storage_order", "strides"})) {
    return Declined{"it does not know the attribute " + *unknown};
  }
  if (site.attribute("kernel_shape") == nullptr) return Declined{"it has no kernel_shape", {"kernel_shape"}};
  BodyText body("com.microsoft", "MaxpoolWithMask", {"X", "M"}, {"Y"}, 15);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  body.line("keep = Cast <to = 9> (M)");
  const std::string lowest = body.scalar_like(std::numeric_limits<float>::lowest(), "X", "lowest");
  body.line("masked = Where (keep, X, {})", lowest);
  body.line("Y = MaxPool (masked)");
  onnx::FunctionProto function = body.function();
  copy_attributes(site, {"auto_pad", "kernel_shape", "pads", "storage_order", "strides"}, "MaxPool", function);
  return function;
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "MaxpoolWithMask",
    .summary =
        "MaxPool over the elements where the mask is not zero; the mask is ones followed by zeros along each row.",
    .source = "ONNX Runtime's contrib operator MaxpoolWithMask",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
