// Where the element type of a node's output comes from, by the table of the standard operators: no schema has to be loaded for it.
#pragma once

#include <string_view>
#include <vector>

#include "onnx/onnx_pb.h"
#include "types/schema_inference.h"

namespace onnx_lower {

struct ElementTypeSource {
  int fixed = 0;            // always this one (TensorProto.DataType)
  std::vector<int> inputs;  // that of each of these inputs of the node, the first that is present in front
  bool known() const { return fixed != 0 || !inputs.empty(); }
};

ElementTypeSource element_type_source(const onnx::NodeProto& node, std::string_view output,
                                      const OpsetImports& opset_imports);

}  // namespace onnx_lower
