// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a graph declares of its values: of inputs, initializers, value_infos and outputs.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "model_file/model.h"
#include "model_file/tensor_skeleton.h"
#include "onnx/onnx_pb.h"
#include "standard_operators/onnx_releases.h"

namespace onnx_lower {

// The element type (DataType) of a declared tensor; 0 where the declaration says none.
int declared_element_type(const ValueInfo& declaration);

// Nothing is indexed or parsed before the first question.
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

  // The declaration of the value; nullptr when the graph has none.
  const Declaration* find(ValueId value) const;

  // The declared type of the value, or else that of its initializer; nullptr when there is neither.
  const onnx::TypeProto* type(ValueId value) const;
  // The DataType of that; 0 when it is not declared.
  int element_type(ValueId value) const;

  // Whether a caller of the model may replace the initializer, so that it is no constant: it is an
  // input, too. Below IR version 4, where every initializer had to be an input, no runtime lets
  // callers replace it.
  bool is_replaceable(const Declaration& initializer) const {
    return initializer.input_index >= 0 && model_.ir_version >= first_ir_version::with_free_initializers;
  }
  // The initializer as a message; nullptr where a caller may replace it, where it lies in another
  // file, and where it takes more than `most_bytes` in the model.
  const onnx::TensorProto* constant(const Declaration& initializer, size_t most_bytes) const;

  // Adds an initializer that the graph gets while it is legalized; the model keeps its bytes.
  void add(const TensorSkeleton& initializer);
  const std::vector<TensorSkeleton>& added() const { return added_; }
  // Takes back all added initializers but the first `count`.
  void take_back(size_t count);

 private:
  void index() const;

  const Model& model_;
  const Graph& graph_;

  // Sorted by value; made at the first question.
  mutable std::optional<std::vector<Declaration>> declarations_;
  mutable std::unordered_map<ValueId, onnx::TypeProto> types_;
  mutable std::unordered_map<ValueId, onnx::TensorProto> initializers_;

  std::unordered_map<ValueId, Declaration> declarations_of_added_;
  std::vector<TensorSkeleton> added_;
};

}  // namespace onnx_lower
