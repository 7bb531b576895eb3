#include "fused_conv.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) { return lower_fused_conv(site, "NhwcConv", Layout::channels_last, false); }

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "NhwcConv",
                      .summary = "Conv with channels as the last dimension.",
                      .source = "ONNX Runtime's contrib operator NhwcConv",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
