// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Logarithms of sums of exponentials, for runtimes in which the exponential of a number above 88
// becomes infinite (OpenCV, tract) or stays that of 87 (MNN):
//
//     Softplus (x) = log(1 + exp(x)) = max(x, 0) + Softplus (-|x|)
//     ReduceLogSumExp (x) = m + log(sum(exp(x - m))), with m = max(x)
//
// And Tanh, of which OpenCV makes NaN above 44: beyond 20 it is 1 or -1 in float.

#include <string>
#include <string_view>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_without_overflow {
namespace {

Lowering lower_softplus(const CallSite& site) {
  const int type = site.need_dtype(0);
  if (type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::FLOAT16)
    return Declined{"its elements are not of float or float16", {}, true};
  if (site.is_made_by(0, "Neg")) return Declined{"its input is made by a Neg already", {}, true};
  Body body("ai.onnx", "Softplus", {"X"}, {"Y"}, 13);
  body("size", "Abs", {"X"});
  body("below_zero", "Neg", {"size"});
  body("rest", "Softplus", {"below_zero"});
  body("above_zero", "Relu", {"X"});
  body("Y", "Add", {"above_zero", "rest"});
  return body.function();
}

Lowering lower_tanh(const CallSite& site) {
  constexpr double bound = 20;
  const int type = site.need_dtype(0);
  if (type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::FLOAT16)
    return Declined{"its elements are not of float or float16", {}, true};
  if (site.is_made_by(0, "Clip")) return Declined{"its input is bounded already", {}, true};
  Body body("ai.onnx", "Tanh", {"input"}, {"output"}, 13);
  const std::string least = body.scalar_like(-bound, "input", "least");
  body("bounded", "Clip", {"input", least, body.scalar_like(bound, "input", "greatest")});
  body("output", "Tanh", {"bounded"});
  return body.function();
}

// Below opset 18, where the axes are an attribute. From 18 on the rule in text says the same.
Lowering lower_sum(const CallSite& site) {
  if (site.attribute("axes") == nullptr) return Declined{"it has no attribute axes", {}, true};
  const int type = site.need_dtype(0);
  if (type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::DOUBLE)
    return Declined{"its elements are not of float or double", {}, true};
  const Ints axes = site.attribute_ints("axes", {});
  Body body("ai.onnx", "ReduceLogSumExp", {"data"}, {"reduced"}, 12);
  body("greatest", "ReduceMax", {"data"}, {{"axes", axes}, {"keepdims", 1}});
  // Where the greatest is infinite, nothing is subtracted.
  body("is_infinite", "IsInf", {"greatest"});
  body("shift", "Where", {"is_infinite", body.scalar_like(0.0, "data", "zero"), "greatest"});
  body("shifted", "Sub", {"data", "shift"});
  body("terms", "Exp", {"shifted"});
  body("sum", "ReduceSum", {"terms"}, {{"axes", axes}, {"keepdims", 1}});
  body("logarithm", "Log", {"sum"});
  body("whole", "Add", {"logarithm", "shift"});
  body("reduced", "ReduceSum", {"whole"}, {{"axes", axes}, {"keepdims", site.attribute_int("keepdims", 1)}});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source, std::string_view attributes,
                              RuleTurn turn, Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Without exponentials of large numbers.",
          .source = source,
          .attributes = attributes,
          .turn = turn,
          .needed_inputs = 1,
          .most_inputs = 1,
          .lower = lower};
}

// The function of Softplus's own schema has the exponential of its input: it comes behind the rule.
const NativeRule rules[] = {
    rule_for("ReduceLogSumExp", "ONNX ReduceLogSumExp-13", "axes, keepdims", RuleTurn::last_resort, lower_sum),
    rule_for("Softplus", "ONNX Softplus-22", "", RuleTurn::first, lower_softplus),
    rule_for("Tanh", "ONNX Tanh-13", "", RuleTurn::first, lower_tanh)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_without_overflow
