// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Types of values on demand. Most element types are free; a shape that must be inferred makes the
// schemas of the operators that it goes through (20 µs each), so that only runs whose rules ask for
// one pay for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model_file/value_id.h"
#include "onnx/onnx_pb.h"
#include "types/detail.h"
#include "types/schema_inference.h"
#include "types/value_scope.h"

namespace onnx_lower {

class TypeInference {
 public:
  // `calls` is shared by all inferences of a run, and must outlive this.
  explicit TypeInference(InferredCalls& calls);
  ~TypeInference();

  // What is known of a value that a node of `scope` may use, which can be less than `detail` asks
  // for (an element type 0, no shape, dimensions without number); nullptr when nothing is. What is
  // inferred goes before what a value_info says. The pointer stays valid until the value or its
  // scope is forgotten; a later question may fill in what it points to.
  const onnx::TypeProto* type_of(const ValueScope& scope, ValueId value, Detail detail = Detail::shape);

  // TensorProto.DataType of the elements of a tensor, as type_of() tells it; 0 where it is not
  // known, or the value is no tensor.
  int element_type(const ValueScope& scope, ValueId value);

  // What onnx's inference function of its operator has against the inputs of the node that makes
  // the value, as a clause: an axis that they do not have, ranks or sizes that do not go together.
  // Empty where it has nothing, or where an input's type would take the inference of more than
  // `most_nodes` nodes.
  std::string problem_of_maker(const ValueScope& scope, ValueId value, size_t most_nodes);

  // What is known of the outputs of a node that need not stand in the scope yet.
  std::vector<onnx::TypeProto> types_made(const ValueScope& scope, const NodeView& node);

  // To be called when another node defines the value from now on.
  void forget(const ValueScope& scope, ValueId value);
  // Gives memory back: what is asked for again is inferred again. Contradictions are not forgotten.
  void forget_inferred(const ValueScope& scope);
  // To be called before a scope object ends: another one may come to live at its address.
  void forget(const ValueScope& scope);

  // The values of the scope of which its declaration says something else than was inferred, as far
  // as somebody asked for them; in the order of their ids.
  std::vector<ValueId> contradicted(const ValueScope& scope) const;

 private:
  class Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace onnx_lower
