// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The operators that mean something to the engine itself: it reads what they make, passes through
// them, or follows what goes into their subgraphs.
#pragma once

#include <cstdint>
#include <string_view>

namespace onnx_lower {

enum class OperatorRole : uint8_t {
  none,                // as nearly all: what they mean is told by their schema
  constant,            // its value is one of its attributes
  identity,            // its output is its input
  cast,                // changes the element type, to that of an attribute
  cast_like,           // changes the element type, to that of another value
  sequence_construct,  // makes a sequence of its inputs
  sequence_at,         // takes one out of a sequence
  conditional,         // If: its outputs are those of its subgraphs
  loop,                // its subgraph's outputs, after the condition, are its own
  scan,
  sequence_map,
  shape,  // its output follows from the shape of its input
  // of elements along axes; of none it is the least number of the element type
  greatest,
  least,                // the same the other way around
  greatest_of_windows,  // MaxPool
  transpose,            // permutes the axes of its input
  reshape,              // has the elements of its first input, in the shape that is its second one
  logical_and,          // of truth values
  greater,              // whether its first input is above the second one
  less,                 // whether it is below
};

// The role of an operator of ai.onnx.
OperatorRole role_of(std::string_view op_type);

// What decides the element type of an ai.onnx operator's first output where its schema does not say
// it by the types of inputs.
struct TypeAttribute {
  std::string_view op_type;
  std::string_view attribute;  // a TensorProto.DataType (0: not said), or a tensor of that type
  // without it, and without the input below: this one; 0 when that is not known
  int otherwise_type = 0;
  int otherwise_input = -1;  // without it: that of the node's input at this index
};

// nullptr for most operators.
const TypeAttribute* type_attribute_of(std::string_view op_type);

}  // namespace onnx_lower
