// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Operators that a runtime fuses with the one before them, and then computes wrongly: with an
// Identity between the two it does not fuse them.

#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_behind_identity {
namespace {

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  // A quotient of attention's scores: a runtime that refuses another Div has another reason.
  const std::string weights[] = {"Softmax"}, masked_weights[] = {"Add", "Softmax"};
  if (op_type == "Div" && !site.is_read_by(0, weights) && !site.is_read_by(0, masked_weights))
    return Declined{"no Softmax reads what it makes", {}, true};
  if (op_type == "Reshape" && site.attribute_int("allowzero", 0) != 0) decline("a zero in the shape may mean zero");
  // A runtime that refuses a constant refuses it for its type.
  if (op_type == "Reshape" && site.constant(0) != nullptr) return Declined{"data is a constant", {}, true};
  const int inputs = site.node().input_size();
  Body body("ai.onnx", op_type, first_names({"input", "second", "third"}, inputs), {"output"}, 13);
  body("same", "Identity", {"input"});
  body("output", op_type, first_names({"same", "second", "third"}, inputs));
  body.copy_attributes(site, {"epsilon", "to"}, op_type);
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view attributes, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Behind an Identity, for a runtime that joins it wrongly with the operator before it.",
          .source = source,
          .attributes = attributes,
          .turn = RuleTurn::last_resort,
          .makes_it_anew = true,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("Cast", "to", "ONNX Cast-13"),
                            rule_for("Div", "", "ONNX Div-13"),
                            rule_for("Erf", "", "ONNX Erf-13"),
                            rule_for("InstanceNormalization", "epsilon", "ONNX InstanceNormalization-6"),
                            rule_for("Reshape", "allowzero", "ONNX Reshape-13"),
                            rule_for("Tanh", "", "ONNX Tanh-13")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_behind_identity
