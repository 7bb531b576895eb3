// Where the element type of a standard operator's output comes from, by the table of the operators: no schema has to be loaded for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

struct ElementTypeSource {
  int fixed = 0;             // always this one (TensorProto.DataType)
  uint32_t same_inputs = 0;  // otherwise bit N: that of the operator's formal input N

  // Whether it is that of the node's input `index`, if the node has that.
  bool is_that_of_input(const OperatorVersion& op, size_t index) const {
    if (same_inputs == 0) return false;
    const size_t formal = std::min(index, op.inputs.size() - 1);
    return formal < 32 && (same_inputs >> formal & 1) != 0;
  }
};

ElementTypeSource element_type_source(const OperatorVersion& op, int output);

// Cast is the one common operator whose attribute decides. 0 when the node does not say a type.
int element_type_that_cast_makes(const onnx::NodeProto& cast);

}  // namespace onnx_lower
