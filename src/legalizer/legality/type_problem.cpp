// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legality/type_problem.h"

#include <fmt/format.h>

#include "onnx/onnx_pb.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

std::string input_name(const OperatorVersion& version, size_t input) {
  const OperatorParameter& parameter = *version.input(static_cast<int>(input));
  return parameter.kind == ParameterKind::variadic
             ? fmt::format("{}[{}]", parameter.name, input - (version.inputs.size() - 1))
             : std::string(parameter.name);
}

}  // namespace

std::string describe_type_problem(const OperatorVersion& version, size_t input, int type) {
  return fmt::format("input '{}' cannot have elements of type {} in version {} of the operator",
                     input_name(version, input), element_type_text(type), version.since_version);
}

std::string describe_type_problem(const OperatorVersion& version, size_t input, size_t other, int type,
                                  int other_type) {
  return fmt::format("inputs '{}' and '{}' must have elements of one type, and have {} and {}",
                     input_name(version, input), input_name(version, other), element_type_text(type),
                     element_type_text(other_type));
}

uint32_t joined_variables(size_t inputs, const OperatorVersion& version, const OperatorVersion& before) {
  if (version.since_version == before.since_version) return 0;
  // By type variable of `version`: the type variable of its first input at `before`.
  std::array<uint8_t, most_type_variables> former{};
  uint32_t joined = 0;
  for (size_t index = 0; index < inputs; ++index) {
    const OperatorParameter* parameter = version.input(static_cast<int>(index));
    const OperatorParameter* taken = before.input(static_cast<int>(index));
    if (parameter == nullptr || taken == nullptr || !has_variable(*parameter)) continue;
    uint8_t& first = former[parameter->type_variable];
    if (first == 0) first = taken->type_variable;
    if (first != taken->type_variable) joined |= uint32_t{1} << parameter->type_variable;
  }
  return joined;
}

std::string made_type_problem(const OperatorVersion& version, int type) {
  if (type == 0 || (version.outputs[0].types >> type & 1) != 0) return {};
  return fmt::format("output '{}' cannot have elements of type {} in version {} of the operator",
                     version.outputs[0].name, element_type_text(type), version.since_version);
}

}  // namespace onnx_lower
