#include <fmt/format.h>

#include "operator_call.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  const std::string& op_type = site.node().op_type();
  const std::string name = rule_name_of(op_type);
  if (name == op_type) return Declined{fmt::format("aten::{} is not another name of an operator", op_type)};
  return call_of(site, name, site.node().overload());
}

const NativeRule rule{.domain = "aten",
                      .op_type = "*",
                      .summary = "The operator that computes the same: logit for special_logit, threshold for threshold_.",
                      .source = "PyTorch's aliases and in-place operators",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
