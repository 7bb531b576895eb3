// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/element_types.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::aten_with_common_type {
namespace {

void append_cast(Body& body, std::string_view output, std::string_view input, int from, int to) {
  if (from == to) {
    body(output, "Identity", {input});
  } else {
    body(output, "Cast", {input}, {{"to", to}});
  }
}

Lowering lower(const CallSite& site) {
  TypedOperand operands[2];
  for (int input = 0; input < 2; ++input) {
    const int type = site.need_dtype(input);
    const auto rank = site.rank(input);
    if (!category_of(type)) return Declined{fmt::format("PyTorch does not promote the type of input {}", input)};
    if (!rank)
      return Declined{
          fmt::format("the rank of input {} is not known, and with rank 0 it would not decide the type", input)};
    operands[input] = {type, *rank == 0};
  }
  // A Python number is exported as a constant in double or int64. Beside a tensor, even one of rank
  // 0, it decides no more than the category of the type, and in double it stands for the default
  // type.
  TypedOperand meant[2] = {operands[0], operands[1]};
  for (int input = 0; input < 2; ++input) {
    const int other = 1 - input, type = operands[input].element_type;
    const bool is_double = type == onnx::TensorProto::DOUBLE;
    if (!operands[input].is_number) continue;
    if (operands[other].is_number) {
      const bool is_of_python = (is_double || type == onnx::TensorProto::INT64) && site.constant(input) != nullptr;
      if (!is_of_python || site.constant(other) != nullptr) continue;
      meant[other].is_number = false;
    }
    if (is_double) meant[input].element_type = onnx::TensorProto::FLOAT;
  }
  int result = common_type(meant[0], meant[1]).element_type;
  const bool is_floating = category_of(result) == TypeCategory::floating;
  if (site.attribute_int("floating", 0) != 0 && !is_floating) result = onnx::TensorProto::FLOAT;
  Body body("aten", "with_common_type", {"a", "b"}, {"p", "q"}, 18);
  append_cast(body, "p", "a", operands[0].element_type, result);
  append_cast(body, "q", "b", operands[1].element_type, result);
  return body.function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "with_common_type",
                      .summary = "Both inputs in the type that PyTorch computes an operator of two tensors in.",
                      .source =
                          "PyTorch's type promotion: categories, and ranks above numbers; with `floating`, "
                          "TensorIteratorConfig::promote_integer_inputs_to_float",
                      .attributes = "floating",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_with_common_type
