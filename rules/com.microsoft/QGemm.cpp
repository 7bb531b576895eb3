// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

namespace onnx_lower::native_rules::com_microsoft_QGemm {
namespace {

// y = alpha * a_scale * b_scale * ((A' - a_zero_point) * (B' - b_zero_point) + C), where A' and B'
// may be transposed; Y is y, or quantized y
Lowering lower(const CallSite& site) {
  if (site.has_input(7) != site.has_input(8)) return Declined{"it has one of y_scale and y_zero_point only"};
  Body body(
      "com.microsoft", "QGemm",
      first_names({"A", "a_scale", "a_zero_point", "B", "b_scale", "b_zero_point", "C", "y_scale", "y_zero_point"},
                  site.input_count()),
      {"Y"}, 15);
  const std::string a = site.attribute_int("transA", 0) != 0 ? body.transpose("A", {1, 0}, "a") : "A";
  const std::string b = site.attribute_int("transB", 0) != 0 ? body.transpose("B", {1, 0}, "b") : "B";
  body("product", "MatMulInteger", {a, b, "a_zero_point", "b_zero_point"});
  std::string sum = "product";
  if (site.has_input(6)) {
    body("sum", "Add", {"product", "C"});
    sum = "sum";
  }
  body("sum_float", "CastLike", {sum, "a_scale"});
  body("scale", "Mul", {"a_scale", "b_scale"});
  std::string scale = "scale";
  if (const float alpha = site.attribute_float("alpha", 1.0f); alpha != 1.0f) {
    body("alpha_scale", "Mul", {"scale", body.scalar_like(alpha, "scale", "alpha")});
    scale = "alpha_scale";
  }
  const bool quantized = site.has_input(7);
  body(quantized ? "y" : "Y", "Mul", {"sum_float", scale});
  if (quantized) body("Y", "QuantizeLinear", {"y", "y_scale", "y_zero_point"});
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "QGemm",
                      .summary = "alpha * A * B + C of quantized matrices, to float or quantized.",
                      .source = "ONNX Runtime's contrib operator QGemm",
                      .attributes = "alpha, transA, transB",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_QGemm
