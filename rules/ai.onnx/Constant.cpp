// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"
#include "standard_operators/node_attribute.h"
#include "types/constants.h"

namespace onnx_lower::native_rules::ai_onnx_Constant {
namespace {

Lowering lower(const CallSite& site) {
  if (site.node().attribute_size() != 1) return Declined{"it does not have exactly one attribute"};
  const onnx::AttributeProto& value = site.node().attribute(0);
  if (is_open(value)) return Declined{open_attribute_reason(value.name())};
  const bool is_text = value.name() == "value" && value.type() == onnx::AttributeProto::STRING;
  onnx::TensorProto tensor;
  if (!fill_constant_tensor(value, is_text ? "value_string" : value.name(), tensor))
    return Declined{fmt::format("attribute '{}' has no tensor that says the same", value.name())};

  Body body("ai.onnx", "Constant", {}, {"output"}, 9);
  body.constant("output", std::move(tensor));
  return body.function();
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "Constant",
    .summary = "Numbers, strings and lists of them as a tensor, which is all that Constant knows below 12.",
    .source = "ONNX Constant-9, Constant-12; and torch 2.2's Constant <value: string>, which is in no version",
    .takes_any_attribute = true,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Constant
