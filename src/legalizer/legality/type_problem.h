// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether the element types of a node's inputs are what its operator takes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "model_file/value_id.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// The clauses for an input of a type that the version does not take, and for two inputs whose types
// differ though they are of one type variable.
std::string describe_type_problem(const OperatorVersion& version, size_t input, int type);
std::string describe_type_problem(const OperatorVersion& version, size_t input, size_t other, int type, int other_type);
// What speaks against elements of that type (DataType) in the first output; empty when nothing
// does, or the type is 0.
std::string made_type_problem(const OperatorVersion& version, int type);

// The type variables of `version`, as bits, whose inputs belong to several type variables at
// `before`, where they may differ in type.
uint32_t joined_variables(size_t inputs, const OperatorVersion& version, const OperatorVersion& before);

constexpr size_t most_type_variables = 32;

inline bool has_variable(const OperatorParameter& parameter) {
  return parameter.type_variable != 0 && parameter.type_variable < most_type_variables;
}

// Checks that inputs of one type variable have one element type.
class TypesOfVariables {
 public:
  // What speaks against this type of an input beside the types that were noted before; empty
  // when nothing does.
  std::string note(const OperatorVersion& version, const OperatorParameter& parameter, size_t index, int type) {
    Known& same = known_[parameter.type_variable];
    if ((seen_ >> parameter.type_variable & 1) == 0) same = {static_cast<uint32_t>(index), type};
    seen_ |= uint32_t{1} << parameter.type_variable;
    return same.type == type ? std::string() : describe_type_problem(version, same.input, index, same.type, type);
  }

 private:
  struct Known {
    uint32_t input;
    int type;
  };
  // By type variable; valid where `seen_` has its bit.
  std::array<Known, most_type_variables> known_;
  uint32_t seen_ = 0;
};

// What speaks against the element types of a node's inputs at a version of its operator, as far as
// they are known; empty when nothing does. `type_of` gives DataTypes by ValueId, 0 for what is not
// known. Where `before` is not null, only what the node could have at that version is looked at.
template <typename TypeOf>
std::string type_problem(std::span<const ValueId> inputs, const OperatorVersion& version, const OperatorVersion* before,
                         const TypeOf& type_of) {
  TypesOfVariables known;
  const uint32_t compared = before == nullptr ? ~uint32_t{0} : joined_variables(inputs.size(), version, *before);
  for (size_t index = 0; index < inputs.size(); ++index) {
    const OperatorParameter* parameter = version.input(static_cast<int>(index));
    if (inputs[index] == absent_value || parameter == nullptr) continue;
    const bool compares = has_variable(*parameter) && (compared >> parameter->type_variable & 1) != 0;
    const OperatorParameter* taken = before == nullptr ? nullptr : before->input(static_cast<int>(index));
    if (before != nullptr && (taken == nullptr || ((taken->types & ~parameter->types) == 0 && !compares))) continue;
    const int type = type_of(inputs[index]);
    if (type == 0) continue;
    const bool takes = (parameter->types >> type & 1) != 0;
    if (!takes && (taken == nullptr || (taken->types >> type & 1) != 0))
      return describe_type_problem(version, index, type);
    if (!compares) continue;
    if (std::string problem = known.note(version, *parameter, index, type); !problem.empty()) return problem;
  }
  return {};
}

// The problem of inputs of one type variable whose elements are of several types, as far as these
// are known; empty where they are of one type.
template <typename TypeOf>
std::string mixed_types_problem(std::span<const ValueId> inputs, const OperatorVersion& version,
                                const TypeOf& type_of) {
  TypesOfVariables known;
  for (size_t index = 0; index < inputs.size(); ++index) {
    const OperatorParameter* parameter = version.input(static_cast<int>(index));
    if (inputs[index] == absent_value || parameter == nullptr || !has_variable(*parameter)) continue;
    const int type = type_of(inputs[index]);
    if (type == 0) continue;
    if (std::string problem = known.note(version, *parameter, index, type); !problem.empty()) return problem;
  }
  return {};
}

}  // namespace onnx_lower
