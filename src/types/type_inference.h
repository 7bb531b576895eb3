// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Infers the types of values when they are asked for. Most element types are known without
// inference; a shape that must be inferred creates the schemas of the operators on the way (20 µs
// each), so that only runs whose rules ask for one take that time.
#pragma once

#include <limits>
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
  // `calls` is shared by all inferences of a run, and must outlive this object.
  explicit TypeInference(InferredCalls& calls);
  ~TypeInference();

  // What is known of a value that a node of `scope` may use; nullptr when nothing is. It can be
  // less than `detail` asks for: an element type of 0, no shape, dimensions without a number. What
  // is inferred takes precedence over a value_info. The pointer stays valid until the value or its
  // scope is forgotten; a later question may complete the type that it points to.
  const onnx::TypeProto* type_of(const ValueScope& scope, ValueId value, Detail detail = Detail::shape);

  // TensorProto.DataType of a tensor's elements, as in type_of(); 0 where it is not known, or the
  // value is no tensor.
  int element_type(const ValueScope& scope, ValueId value);

  static constexpr size_t any_number = std::numeric_limits<size_t>::max();

  // The problem that onnx's inference function reports about the inputs of the node that makes
  // the value, as a clause: an axis that they do not have, ranks or sizes that do not go
  // together. Empty where it reports none, or where an input's type would take the inference of
  // more than `most_nodes` nodes, or of one that holds graphs or calls a function; with any_number,
  // it takes all that.
  std::string problem_of_maker(const ValueScope& scope, ValueId value, size_t most_nodes);

  // What is known of the outputs of a node, which need not be in the scope yet.
  std::vector<onnx::TypeProto> types_made(const ValueScope& scope, const NodeView& node);

  // To be called when another node defines the value from now on.
  void forget(const ValueScope& scope, ValueId value);
  // Frees memory: types are inferred again if they are asked for again. Contradictions are kept.
  void forget_inferred(const ValueScope& scope);
  // To be called before a scope object is destroyed: another one may get its address.
  void forget(const ValueScope& scope);

  // The values of the scope whose declared types contradict the inferred ones, among those that
  // were asked for; in the order of their ids.
  std::vector<ValueId> contradicted(const ValueScope& scope) const;

 private:
  class Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace onnx_lower
