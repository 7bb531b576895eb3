// The values that a node can see: those of its graph, and those of the graphs around it.
#pragma once

#include <string_view>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// A graph or the body of a node. What stands before the current node is already lowered. All pointers are non-owning
// and may be nullptr, which means that there is no such thing or that it is not known.
class ValueScope {
 public:
  virtual ~ValueScope() = default;

  // Whether `value` belongs to this scope; if not, it may belong to an enclosing one.
  virtual bool defines(std::string_view value) const = 0;

  // What the scope declares: the type of a graph input, a value_info or an initializer. Its element type or its shape may be missing.
  virtual const onnx::TypeProto* declared_type(std::string_view value) const = 0;

  // The tensor of an initializer that is no graph input, or of a Constant node.
  virtual const onnx::TensorProto* constant(std::string_view value) const = 0;

  // The node of this scope that has this output; none for graph inputs and initializers.
  virtual const onnx::NodeProto* producer(std::string_view value) const = 0;

  // For a body: the scope around it, the node of that scope that holds the body, and which input of the body `value` is (or -1).
  virtual const ValueScope* enclosing() const = 0;
  virtual const onnx::NodeProto* holder() const = 0;
  virtual int graph_input_index(std::string_view value) const = 0;
};

}  // namespace onnx_lower
