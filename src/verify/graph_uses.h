// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Who makes and who reads the values of a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model_file/model.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

struct ValueUse {
  const Node* node = nullptr;
  size_t input = 0;
};

// The values of the main graph, or of a function, with the graphs that its nodes hold.
class GraphUses {
 public:
  GraphUses(const Model& model, const Graph& graph);

  const std::vector<ValueUse>& uses_of(ValueId value) const;
  // The node that makes a value; null for inputs and initializers.
  const Node* maker_of(ValueId value) const;
  const TensorSkeleton* initializer(ValueId value) const;
  // The dimensions of a value as far as they are declared or follow from a constant: those that are
  // open are -1. Nothing where not even their number is known.
  std::optional<std::vector<int64_t>> dims_of(ValueId value) const;
  // The elements of an integer constant; nothing for other values.
  std::optional<std::vector<int64_t>> integers_of(ValueId value) const;

  // The lengths of the first dimensions of initializers that have several, each once: what numbers
  // the last dimension of an input may have.
  std::vector<int64_t> rows_of_initializers() const;

  // The nodes of the graph itself, in its order.
  const std::vector<const Node*>& nodes() const { return nodes_; }
  const Graph& graph() const { return graph_; }

 private:
  void note(const Graph& graph);

  const Model& model_;
  const Graph& graph_;
  std::vector<const Node*> nodes_;
  std::unordered_map<ValueId, std::vector<ValueUse>> uses_;
  std::unordered_map<ValueId, const Node*> makers_;
  std::unordered_map<ValueId, const TensorSkeleton*> initializers_;
  std::unordered_map<ValueId, Bytes> declarations_;
};

onnx::NodeProto message_of(const Node& node);
int64_t integer_attribute(const Node& node, std::string_view name, int64_t otherwise);

// The dimensions that a declaration has; see GraphUses::dims_of().
std::optional<std::vector<int64_t>> dims_in(const onnx::TypeProto& type);

// The name of a node for messages: its own, or that of its first output.
std::string_view shown_name(const Model& model, const Node& node);

}  // namespace onnx_lower
