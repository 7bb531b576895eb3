// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

// A variable of a function, because registrations run before main(), in any order.
std::vector<RegisteredOperator>& registry() {
  static std::vector<RegisteredOperator> operators;
  return operators;
}

}  // namespace

Registration::Registration(std::string_view file, Operator definition) {
  registry().push_back({file, std::move(definition)});
}

std::span<const RegisteredOperator> registered_operators() { return registry(); }

std::vector<Form> same_type_forms(size_t inputs, size_t outputs, const std::vector<ElementType>& types) {
  std::vector<Form> forms;
  for (ElementType type : types) forms.push_back({std::vector(inputs, type), std::vector(outputs, type)});
  return forms;
}

}  // namespace onnx_lower::kernels
