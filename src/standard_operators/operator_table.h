// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What onnx's schemas say about the standard operators, as a table that is made at build time:
// onnx's own registry takes 14 ms at the first look-up, the table takes no time.
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
  // Bit N: tensors of element type N (TensorProto.DataType) are allowed. Bit 62: optionals are. Bit
  // 63: sequences, and all other types that are no tensors, are.
  uint64_t types;
  // For an output, bit N says that it has the type of input parameter N.
  uint32_t same_type_inputs;
  // Parameters of an operator with the same number have the same type; 0 stands for no number.
  uint8_t type_variable;
};

struct OperatorAttribute {
  std::string_view name;
  int type;  // AttributeProto.AttributeType
  bool required;
  // The default as a serialized AttributeProto; empty if there is none.
  std::string_view default_value;
};

// How the shape of an operator's first output follows from its inputs, whatever its attributes are.
enum class ShapeRule : uint8_t {
  unknown,           // only onnx's shape inference knows
  of_first_input,    // the shape of the first input
  broadcast_inputs,  // the broadcast shape of all inputs
};

// A version of an operator.
struct OperatorVersion {
  std::string_view domain;  // "" or "ai.onnx.ml"
  std::string_view name;
  int since_version;
  bool deprecated;
  bool has_function;  // whether the schema has a function body
  ShapeRule shape_rule;
  int min_inputs;
  int max_inputs;  // INT_MAX where the last input is variadic
  int min_outputs;
  int max_outputs;
  std::span<const OperatorParameter> inputs;
  std::span<const OperatorParameter> outputs;
  std::span<const OperatorAttribute> attributes;  // sorted by name

  // The formal parameter for the node's input `index`; a variadic one stands for all inputs from
  // its position on. nullptr past the end.
  const OperatorParameter* input(int index) const;
  const OperatorParameter* output(int index) const;
  const OperatorAttribute* attribute(std::string_view attribute_name) const;
};

// In all of these functions "ai.onnx" is the same domain as "".

bool is_standard_domain(std::string_view domain);

// The version of the operator that this opset has, which may be a deprecated one; nullptr if the
// operator does not exist in it.
const OperatorVersion* find_operator(std::string_view domain, std::string_view op_type, int64_t opset);

// All versions, oldest first; empty if there is no such operator.
std::span<const OperatorVersion> operator_versions(std::string_view domain, std::string_view op_type);

// onnx's own schema of the version, made at the first question of a thread, as long as which it
// lives. This takes 20 µs, while onnx's registry takes 14 ms at the first question, as it makes all
// schemas.
const onnx::OpSchema& schema_of(const OperatorVersion& version);

// Standard operators of a domain, at any version, for which this name may be a
// misspelling; at most three.
std::vector<std::string_view> similar_operators(std::string_view domain, std::string_view op_type);

// The newest version of the domain that onnx has released; 0 if it is not a standard domain.
int64_t newest_opset(std::string_view domain);

}  // namespace onnx_lower
