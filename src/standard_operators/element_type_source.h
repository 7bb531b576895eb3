// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Tells where the element type of a standard operator's output comes from, by the operator table:
// no schema has to be loaded for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_role.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

struct ElementTypeSource {
  int fixed = 0;  // TensorProto.DataType, if it is always the same
  // Otherwise bit N: it is the type of the operator's formal input N.
  uint32_t same_inputs = 0;
  // The type if the node has none of these inputs; 0 when that is not known.
  int otherwise = 0;
  const TypeAttribute* attribute = nullptr;  // if set, this decides first; null for most operators

  // Whether it is the type of the node's input `index`, if the node has that input.
  bool is_that_of_input(const OperatorVersion& op, size_t index) const {
    if (same_inputs == 0) return false;
    const size_t formal = std::min(index, op.inputs.size() - 1);
    return formal < 32 && (same_inputs >> formal & 1) != 0;
  }
};

ElementTypeSource element_type_source(const OperatorVersion& op, int output);

// The element type that an attribute of the node gives, or the schema's default for the attribute;
// 0 when neither gives one.
int element_type_of_attribute(const TypeAttribute& deciding, const OperatorVersion& op, const onnx::NodeProto& node);

// The TensorProto.DataType that the attribute is, or that its tensor has; 0 for another attribute.
int element_type_in(const onnx::AttributeProto& attribute);

}  // namespace onnx_lower
