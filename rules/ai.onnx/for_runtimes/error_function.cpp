// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Erf for runtimes that have none.

#include <array>
#include <span>
#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_error_function {
namespace {

// erf(x) / x - 1 by the powers of x * x, for |x| <= 1: a minimax fit, off by 1.2e-9 at most.
constexpr std::array near_factors = {0.12837916612625122,   -0.3761262595653534,  0.11283600330352783,
                                     -0.026854444295167923, 0.005189535208046436, -0.0008020841050893068,
                                     7.889119297033176e-05};
// log(1 - erf(t)) by the powers of t, for 1 <= t <= 4: a minimax fit by which 1 - erf(t) is off by
// 1e-9 at most. From 4 on the function is 1 in float.
constexpr std::array far_factors = {-0.00035370892146602273, -1.1270400285720825,  -0.6382256150245667,
                                    -0.10303743183612823,    0.021805351600050926, -0.0029396156314760447,
                                    0.0001855748996604234};

std::string polynomial(Body& body, std::span<const double> factors, const std::string& of) {
  std::string sum = body.float_scalar(factors.back(), "factor");
  for (size_t power = factors.size() - 1; power-- > 0;) {
    const std::string product = body.made("product", "Mul", {sum, of});
    sum = body.made("sum", "Add", {product, body.float_scalar(factors[power], "factor")});
  }
  return sum;
}

// In float the result is off by 8e-8 at most, which is what rounding the sums makes.
Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(0);
  Body body("ai.onnx", "Erf", {"input"}, {"output"}, 13);
  if (type == onnx::TensorProto::FLOAT16 || type == onnx::TensorProto::BFLOAT16) {
    body("wide", "Cast", {"input"}, {{"to", onnx::TensorProto::FLOAT}});
    body("result", "Erf", {"wide"});
    body("output", "Cast", {"result"}, {{"to", type}});
    return std::move(body).function();
  }
  if (type != onnx::TensorProto::FLOAT) return Declined{"its polynomials are for float and what is narrower"};
  const std::string one = body.float_scalar(1);
  body("magnitude", "Abs", {"input"});
  body("is_far", "Less", {one, "magnitude"});
  body("square", "Mul", {"input", "input"});
  body("excess", "Mul", {"input", polynomial(body, near_factors, "square")});
  body("near", "Add", {"input", "excess"});
  body("bounded", "Min", {"magnitude", body.float_scalar(4)});
  body("rest", "Exp", {polynomial(body, far_factors, "bounded")});
  body("height", "Sub", {one, "rest"});
  body("sign", "Sign", {"input"});
  body("far", "Mul", {"sign", "height"});
  body("output", "Where", {"is_far", "far", "near"});
  return std::move(body).function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Erf",
                      .summary = "Polynomials, for a runtime that has no Erf: in float off by 8e-8 at most.",
                      .source = "ONNX Erf-13",
                      .turn = RuleTurn::last_resort,
                      .needed_inputs = 1,
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_error_function
