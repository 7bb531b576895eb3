// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Convolutions along one axis whose results are outputs of the model, for a runtime that gives
// these one more dimension: with an Identity behind the convolution it does not.

#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_signals_as_outputs {
namespace {

Lowering lower(const CallSite& site) {
  // A runtime that refuses other ranks has another reason.
  if (site.rank(0) != 3) return Declined{"its input does not have three dimensions", {}, true};
  const std::string_view op_type = site.node().op_type();
  const int inputs = site.node().input_size();
  Body body("ai.onnx", op_type, first_names({"X", "W", "B"}, inputs), {"Y"}, 11);
  body("made", op_type, first_names({"X", "W", "B"}, inputs));
  body.copy_attributes(
      site, {"auto_pad", "dilations", "group", "kernel_shape", "output_padding", "output_shape", "pads", "strides"},
      op_type);
  body("Y", "Identity", {"made"});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view attributes, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Before an Identity, for a runtime that gives an output of the model a dimension more.",
          .source = source,
          .attributes = attributes,
          .turn = RuleTurn::last_resort,
          .makes_it_anew = true,
          .lower = lower};
}

const NativeRule rules[] = {
    rule_for("Conv", "auto_pad, dilations, group, kernel_shape, pads, strides", "ONNX Conv-11"),
    rule_for("ConvTranspose", "auto_pad, dilations, group, kernel_shape, output_padding, output_shape, pads, strides",
             "ONNX ConvTranspose-11")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_signals_as_outputs
