// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/element_type_source.h"

#include <bit>

#include "standard_operators/default_value.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {

int element_type_in(const onnx::AttributeProto& attribute) {
  if (is_open(attribute)) return 0;
  const int64_t type = attribute.has_t() ? attribute.t().data_type() : attribute.i();
  const bool is_type = type > 0 && type < 62 && onnx::TensorProto::DataType_IsValid(static_cast<int>(type));
  return is_type ? static_cast<int>(type) : 0;
}

ElementTypeSource element_type_source(const OperatorVersion& op, int output) {
  const OperatorParameter* parameter = op.output(output);
  if (parameter == nullptr) return {};
  const TypeAttribute* attribute = output == 0 && op.domain.empty() ? type_attribute_of(op.name) : nullptr;
  const int otherwise = attribute == nullptr ? 0 : attribute->otherwise_type;
  // Versions before the one that introduced the attribute have only the input.
  if (attribute != nullptr && op.attribute(attribute->attribute) == nullptr) attribute = nullptr;
  if (std::has_single_bit(parameter->types) && (parameter->types & (takes_optionals | takes_sequences)) == 0)
    return {.fixed = std::countr_zero(parameter->types), .attribute = attribute};
  return {.same_inputs = op.inputs.empty() ? 0 : parameter->same_type_inputs,
          .otherwise = otherwise,
          .attribute = attribute};
}

int element_type_of_attribute(const TypeAttribute& deciding, const OperatorVersion& op, const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == deciding.attribute) return element_type_in(attribute);
  }
  const OperatorAttribute* declared = op.attribute(deciding.attribute);
  return declared == nullptr || declared->default_value.empty() ? 0 : element_type_in(default_value(*declared));
}

}  // namespace onnx_lower
