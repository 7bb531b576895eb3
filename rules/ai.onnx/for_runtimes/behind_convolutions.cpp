// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// c - y and c / y, where y is the result of a convolution and c a number for each channel, for
// tract, which fuses the two operators and then swaps the operands. A Neg between them prevents
// that, and changes no result:
//
//     c - y = c + (-y), c / y = (-c) / (-y)

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_behind_convolutions {
namespace {

// Declines for other calls, which the runtime refuses for another reason.
void need_numbers_of_channels(const CallSite& site) {
  const int type = site.need_dtype(0);
  if (type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::FLOAT16)
    decline("its elements are not of float or float16");
  if (site.need_rank(0) < 2 || site.need_dim(0, -1) != 1) decline("its first input is not a number for each channel");
}

Lowering lower_sub(const CallSite& site) {
  need_numbers_of_channels(site);
  Body body("ai.onnx", "Sub", {"A", "B"}, {"C"}, 13);
  body("negative", "Neg", {"B"});
  body("C", "Add", {"A", "negative"});
  return body.function();
}

Lowering lower_div(const CallSite& site) {
  need_numbers_of_channels(site);
  Body body("ai.onnx", "Div", {"A", "B"}, {"C"}, 13);
  body("negative", "Neg", {"B"});
  body("other_negative", "Neg", {"A"});
  body("C", "Div", {"other_negative", "negative"});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source, Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "With the negative of the second input, for a runtime that joins it wrongly with a convolution.",
          .source = source,
          .turn = RuleTurn::last_resort,
          .makes_it_anew = true,
          .needed_inputs = 2,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("Sub", "ONNX Sub-14", lower_sub), rule_for("Div", "ONNX Div-14", lower_div)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_behind_convolutions
