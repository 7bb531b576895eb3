// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What onnx's schemas say of the standard operators, as a table made at build time: onnx's own
// registry costs 14 ms at the first look-up, this costs nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace onnx {
class OpSchema;
}

namespace onnx_lower {

constexpr uint64_t takes_optionals = uint64_t{1} << 62;
constexpr uint64_t takes_sequences = uint64_t{1} << 63;

enum class ParameterKind : uint8_t { single, optional, variadic };

struct OperatorParameter {
  std::string_view name;
  ParameterKind kind;
  // Bit N: tensors of element type N (TensorProto.DataType) are taken. Bit 62: optionals are. Bit
  // 63: sequences, and all other values that are no tensors, are.
  uint64_t types;
  // For an output: bit N says that its type is the same as that of input parameter N.
  uint32_t same_type_inputs;
  // Parameters of one operator with the same number have the same type; 0 stands for none.
  uint8_t type_variable;
};

struct OperatorAttribute {
  std::string_view name;
  int type;  // AttributeProto.AttributeType
  bool required;
  // The default as a serialized AttributeProto; empty if there is none.
  std::string_view default_value;
};

// What the shape of an operator's first output is, whatever its attributes are.
enum class ShapeRule : uint8_t {
  unknown,           // onnx's shape inference knows more
  of_first_input,    // that of the first input
  broadcast_inputs,  // that of all inputs, broadcast
};

// One version of one operator.
struct OperatorVersion {
  std::string_view domain;  // "" or "ai.onnx.ml"
  std::string_view name;
  int since_version;
  bool deprecated;
  bool has_function;  // the schema says in a function body what the operator does
  ShapeRule shape_rule;
  int min_inputs;
  int max_inputs;  // INT_MAX where the last input is variadic
  int min_outputs;
  int max_outputs;
  std::span<const OperatorParameter> inputs;
  std::span<const OperatorParameter> outputs;
  std::span<const OperatorAttribute> attributes;  // sorted by name

  // The parameter that the node's input `index` is for; a variadic one stands for all from its
  // place on. nullptr past the end.
  const OperatorParameter* input(int index) const;
  const OperatorParameter* output(int index) const;
  const OperatorAttribute* attribute(std::string_view attribute_name) const;
};

// In all of these "ai.onnx" is the same domain as "".

bool is_standard_domain(std::string_view domain);

// The version in force at that opset (a deprecated one too); nullptr if the operator does not exist
// there.
const OperatorVersion* find_operator(std::string_view domain, std::string_view op_type, int64_t opset);

// All versions, oldest first; empty if there is no such operator.
std::span<const OperatorVersion> operator_versions(std::string_view domain, std::string_view op_type);

// onnx's own schema of the version, made anew and not yet finalized: 20 µs, where onnx's registry
// makes all of them in 14 ms at the first question.
onnx::OpSchema schema_of(const OperatorVersion& version);

// The standard operators of a domain, at whatever version, that a name may be a misspelling of; at
// most three.
std::vector<std::string_view> similar_operators(std::string_view domain, std::string_view op_type);

// The newest version of the domain that onnx has released; 0 if it is not a standard domain.
int64_t newest_opset(std::string_view domain);

}  // namespace onnx_lower
