// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The operators that the engine itself understands: it reads their outputs as constants, passes
// through them, or follows values into their subgraphs.
#pragma once

#include <cstdint>
#include <string_view>

namespace onnx_lower {

enum class OperatorRole : uint8_t {
  none,                // nearly all operators: their schema says what is needed
  constant,            // its value is one of its attributes
  identity,            // its output is its input
  cast,                // changes the element type, to that of an attribute
  cast_like,           // changes the element type, to that of another value
  sequence_construct,  // makes a sequence from its inputs
  sequence_empty,      // makes a sequence of nothing
  sequence_at,         // takes one element out of a sequence
  conditional,         // If: its outputs are those of its subgraphs
  loop,                // its subgraph's outputs, after the condition, are its own
  scan,
  sequence_map,
  shape,  // its output follows from the shape of its input
  // The greatest element along axes; if there are none, the least number of the element type.
  greatest,
  least,                // the least element likewise
  greatest_of_windows,  // MaxPool
  transpose,            // permutes the axes of its input
  reshape,              // has the elements of its first input; the second input is the shape
  logical_and,          // And
  greater,              // whether its first input is above the second one
  less,                 // whether it is below
  recurrent,            // takes sequences step by step, with lengths and initial states of each
};

// Whether the output is a sequence of what the inputs are: of a sequence that such a node makes, a
// body may take the tensors.
constexpr bool is_list_maker(OperatorRole role) {
  return role == OperatorRole::sequence_construct || role == OperatorRole::sequence_empty;
}

// The role of an operator of ai.onnx.
OperatorRole role_of(std::string_view op_type);

// What decides the element type of the first output of an ai.onnx operator whose schema does not
// derive it from the types of inputs.
struct TypeAttribute {
  std::string_view op_type;
  std::string_view attribute;  // a TensorProto.DataType (0: none), or a tensor of that type
  // The type if the node has neither the attribute nor the input below; 0 when that is not known.
  int otherwise_type = 0;
  int otherwise_input = -1;  // without the attribute, the type of this input
};

// nullptr for most operators, which need none.
const TypeAttribute* type_attribute_of(std::string_view op_type);

}  // namespace onnx_lower
