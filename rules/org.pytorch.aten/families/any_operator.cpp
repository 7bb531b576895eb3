// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../../aten/families/operator_call.h"

namespace onnx_lower::native_rules::org_pytorch_aten_any_operator {
namespace {

Lowering lower(const CallSite& site) {
  if (site.node().op_type() == "ATen")
    return Declined{.reason = "ATen is the operator that its attribute names", .is_of_signature = true};
  return call_of(site, rule_name_of(site.node().op_type()), site.node().overload());
}

const NativeRule rule{.domain = "org.pytorch.aten",
                      .op_type = "*",
                      .summary = "The operator of the same name in the domain aten.",
                      .source = "torch.onnx with ONNX_FALLTHROUGH or ONNX_ATEN_FALLBACK",
                      .takes_any_attribute = true,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::org_pytorch_aten_any_operator
