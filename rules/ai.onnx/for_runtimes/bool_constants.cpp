// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Constants of bool, for runtimes that have such values and load no constants of them: each is a
// comparison of two constants of float, which the run computes.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_bool_constants {
namespace {

constexpr size_t most_elements = size_t{1} << 20;

// Ones and zeros of the tensor's shape, and a half that has as many dimensions.
std::string compared(Body& body, const onnx::TensorProto& tensor, const std::vector<int64_t>& elements,
                     const std::string& stem) {
  const Ints dims(tensor.dims().begin(), tensor.dims().end());
  const auto floats = [&](std::string_view name, const Ints& shape, const std::vector<double>& numbers) {
    return body.constant(stem + std::string(name), tensor_of(onnx::TensorProto::FLOAT, shape, numbers));
  };
  const std::string numbers = floats("_numbers", dims, std::vector<double>(elements.begin(), elements.end()));
  const std::string half = floats("_half", Ints(dims.size(), 1), {0.5});
  return body.made(stem + "_holds", "Greater", {numbers, half});
}

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  std::vector<std::string> names, inputs;
  for (int input = 0; input < site.input_count(); ++input) names.push_back(fmt::format("x{}", input));
  Body body("ai.onnx", op_type, names, {"y"}, site.own_opset());
  bool any = false;
  for (int input = 0; input < site.input_count(); ++input) {
    const onnx::TensorProto* tensor = site.constant(input);
    const auto elements =
        tensor != nullptr && tensor->data_type() == onnx::TensorProto::BOOL ? site.constant_ints(input) : std::nullopt;
    if (!elements || elements->empty() || elements->size() > most_elements) {
      inputs.push_back(site.has_input(input) ? names[static_cast<size_t>(input)] : "");
      continue;
    }
    any = true;
    inputs.push_back(compared(body, *tensor, *elements, fmt::format("c{}", input)));
  }
  if (!any) return Declined{.reason = "it has no constants of bool", .is_of_signature = true};
  body("y", op_type, inputs);
  body.copy_attributes(site, {"axis", "to"}, op_type);
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view attributes = {}) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Constants of bool as comparisons of numbers, for a runtime that loads no others.",
          .source = "ONNX Greater-13",
          .attributes = attributes,
          .turn = RuleTurn::last_resort,
          .makes_it_anew = true,
          .lower = lower};
}

const NativeRule rules[] = {
    rule_for("Where"),     rule_for("And"),     rule_for("Or"),        rule_for("Xor"),
    rule_for("Expand"),    rule_for("Reshape"), rule_for("Unsqueeze"), rule_for("Gather", "axis"),
    rule_for("Cast", "to")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_bool_constants
