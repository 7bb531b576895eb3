// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Where the element type of a standard operator's output comes from, by the table of the operators:
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
  int fixed = 0;  // always this one (TensorProto.DataType)
  // otherwise bit N: that of the operator's formal input N
  uint32_t same_inputs = 0;
  // where the node has none of these inputs; 0 when that is not known
  int otherwise = 0;
  const TypeAttribute* attribute = nullptr;  // goes before all of them; null for most operators

  // Whether it is that of the node's input `index`, if the node has that.
  bool is_that_of_input(const OperatorVersion& op, size_t index) const {
    if (same_inputs == 0) return false;
    const size_t formal = std::min(index, op.inputs.size() - 1);
    return formal < 32 && (same_inputs >> formal & 1) != 0;
  }
};

ElementTypeSource element_type_source(const OperatorVersion& op, int output);

// The element type that the attribute of a node says, or the schema's default for it; 0 when
// neither says one.
int element_type_of_attribute(const TypeAttribute& deciding, const OperatorVersion& op, const onnx::NodeProto& node);

}  // namespace onnx_lower
