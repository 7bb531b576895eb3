// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a graph declares of its values: its inputs, initializers, value_infos and outputs.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "legalizer/after/ir_version.h"
#include "model_file/model.h"
#include "model_file/tensor_skeleton.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The element type (DataType) of a tensor that a declaration says; 0 where it says none.
int declared_element_type(const ValueInfo& declaration);

// Nothing is indexed or parsed before somebody asks.
class GraphDeclarations {
 public:
  struct Declaration {
    ValueId value = absent_value;
    Bytes type_holder = {};  // a ValueInfoProto
    Bytes initializer = {};  // a TensorProto
    int input_index = -1;
    bool external = false;

    bool has_initializer() const { return initializer.data() != nullptr; }
  };

  GraphDeclarations(const Model& model, const Graph& graph) : model_(model), graph_(graph) {}

  const Graph& graph() const { return graph_; }

  // nullptr when the graph declares nothing of the value.
  const Declaration* find(ValueId value) const;

  // As it is written down, or as the initializer has it; nullptr when there is none.
  const onnx::TypeProto* type(ValueId value) const;
  // DataType; 0 when nothing is said of it.
  int element_type(ValueId value) const;

  // What a caller may replace is no constant; below IR version 4, where every initializer had to be
  // an input too, no runtime lets them.
  bool is_replaceable(const Declaration& initializer) const {
    return initializer.input_index >= 0 && model_.ir_version >= first_ir_version::with_free_initializers;
  }
  // Its initializer as a message; nullptr where a caller may replace it, where it lies in another
  // file, and where it takes more bytes in the model.
  const onnx::TensorProto* constant(const Declaration& initializer, size_t most_bytes) const;

  // An initializer that the graph gets while it is legalized: a TensorProto that the model keeps.
  void add(const TensorSkeleton& initializer);
  const std::vector<TensorSkeleton>& added() const { return added_; }
  // Takes back all but the first `count` of these.
  void take_back(size_t count);

 private:
  void index() const;

  const Model& model_;
  const Graph& graph_;

  // Made at the first question.
  mutable std::optional<std::vector<Declaration>> declarations_;  // by ValueId
  mutable std::unordered_map<ValueId, onnx::TypeProto> types_;
  mutable std::unordered_map<ValueId, onnx::TensorProto> initializers_;

  std::unordered_map<ValueId, Declaration> declarations_of_added_;
  std::vector<TensorSkeleton> added_;
};

}  // namespace onnx_lower
