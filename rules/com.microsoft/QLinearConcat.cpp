// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::com_microsoft_QLinearConcat {
namespace {

// Y = quantize(concat(dequantize(x) for each input x))
Lowering lower(const CallSite& site) {
  if (site.attribute("axis") == nullptr) return Declined{"it has no axis", {"axis"}};
  const int count = (site.input_count() - 2) / 3;
  if (count < 1 || site.input_count() != 2 + 3 * count)
    return Declined{"its inputs are not a scale, a zero point, and triples"};
  std::vector<std::string> inputs{"Y_scale", "Y_zero_point"};
  std::vector<std::string> parts;
  for (int part = 0; part < count; ++part) {
    for (const char* stem : {"x", "scale", "zero"}) inputs.push_back(fmt::format("{}_{}", stem, part));
    parts.push_back(fmt::format("part_{}", part));
  }
  Body body("com.microsoft", "QLinearConcat", inputs, {"Y"}, 14);
  for (int part = 0; part < count; ++part) {
    body(fmt::format("part_{}", part), "DequantizeLinear",
         {fmt::format("x_{}", part), fmt::format("scale_{}", part),
          site.has_input(4 + 3 * part) ? fmt::format("zero_{}", part) : ""});
  }
  body("y", "Concat", parts, {{"axis", site.attribute_int("axis", 0)}});
  body("Y", "QuantizeLinear", {"y", "Y_scale", "Y_zero_point"});
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "QLinearConcat",
                      .summary = "Concatenation of quantized tensors, each with a scale and a zero point of its own.",
                      .source = "ONNX Runtime's contrib operator QLinearConcat",
                      .attributes = "axis",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_QLinearConcat
