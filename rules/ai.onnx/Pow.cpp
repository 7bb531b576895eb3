// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>
#include <optional>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Pow {
namespace {

// The exponent, if it is a constant of one whole number above 0.
std::optional<int64_t> known_exponent(const CallSite& site) {
  constexpr double most = std::numeric_limits<int32_t>::max();
  double exponent = 0;
  if (const auto ints = site.constant_ints(1); ints && ints->size() == 1) {
    exponent = static_cast<double>(ints->front());
  } else if (const auto floats = site.constant_floats(1); floats && floats->size() == 1) {
    exponent = floats->front();
  }
  if (!(exponent >= 1 && exponent <= most) || exponent != std::floor(exponent)) return std::nullopt;
  return static_cast<int64_t>(exponent);
}

// X^n as a product of X, X^2, X^4 …: the power of an integer wraps, as products do, and a double
// would hold no more than 53 bits of it.
Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(0);
  if (type != onnx::TensorProto::INT32 && type != onnx::TensorProto::INT64)
    return Declined{"X has no elements of int32 or int64", {}, true};
  const std::optional<int64_t> exponent = known_exponent(site);
  if (!exponent) return Declined{"Y is not one constant whole number above 0"};
  if (site.need_rank(1) > 0 && site.need_rank(0) < site.need_rank(1)) return Declined{"Y has more dimensions than X"};
  Body body("ai.onnx", "Pow", {"X", "Y"}, {"Z"}, 7);
  std::string power = "X", product;
  for (int64_t left = *exponent; left > 0; left /= 2) {
    if (left % 2 == 1) product = product.empty() ? power : body.made("product", "Mul", {product, power});
    if (left > 1) power = body.made("square", "Mul", {power, power});
  }
  body("Z", "Identity", {product});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Pow",
                      .summary = "Whole powers of integers, as products.",
                      .source = "ONNX Pow-12",
                      .turn = RuleTurn::first,
                      .inputs = "X, Y",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Pow
