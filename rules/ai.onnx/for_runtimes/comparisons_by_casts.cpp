// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Greater and Not for runtimes that compare nothing, and cast: a number is true unless it is 0, and
// the difference of two numbers is 0 only if they are equal.

#include <string_view>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_comparisons_by_casts {
namespace {

using onnx::TensorProto;

// a > b = (max(a - b, 0) != 0)
Lowering lower_greater(const CallSite& site) {
  if (site.need_dtype(0) != TensorProto::FLOAT) return Declined{"its elements are not of float", {}, true};
  Body body("ai.onnx", "Greater", {"A", "B"}, {"C"}, 13);
  body("distance", "Sub", {"A", "B"});
  body("above", "Relu", {"distance"});
  body("C", "Cast", {"above"}, {{"to", TensorProto::BOOL}});
  onnx::FunctionProto function = std::move(body).function();
  add_assumption(function, "none of the numbers that are compared is NaN, and no two are the same infinity",
                 "for these the comparison says that the first one is greater");
  return function;
}

Lowering lower_not(const CallSite&) {
  Body body("ai.onnx", "Not", {"X"}, {"Y"}, 13);
  body("number", "Cast", {"X"}, {{"to", TensorProto::FLOAT}});
  body("rest", "Sub", {body.float_scalar(1, "one"), "number"});
  body("Y", "Cast", {"rest"}, {{"to", TensorProto::BOOL}});
  return std::move(body).function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source, int inputs,
                              Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "By a Cast, for runtimes without comparisons.",
          .source = source,
          .turn = RuleTurn::last_resort,
          .not_within = "IsNaN",
          .needed_inputs = inputs,
          .most_inputs = inputs,
          .lower = lower};
}

constexpr NativeRule rules[] = {rule_for("Greater", "ONNX Greater-13", 2, lower_greater),
                                rule_for("Not", "ONNX Not-1", 1, lower_not)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_comparisons_by_casts
