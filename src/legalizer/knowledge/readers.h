// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What reads a value: what comes behind a node, that a runtime joins to it or that suffers from it.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "legalizer/knowledge/value_set.h"
#include "model_file/model.h"

namespace onnx_lower {

// Of a graph and the graphs in it, the nodes that none of its outputs needs, nor anything in a body
// that one needs.
std::unordered_set<const Node*> nodes_without_need(const Graph& graph);

class Readers {
 public:
  explicit Readers(const Model& model) : model_(model), values_(model.values().size()) {}

  // Whether a node of the model of the first operator of ONNX has the value as an input, one of the
  // second its first output, and so on; without operators, whether any node has it. Nodes that no
  // output of the model needs do not count, as runtimes leave them out. Of what rules make nothing
  // is known: their bodies come node by node.
  bool has(ValueId value, std::span<const std::string> op_types) const;
  // Whether anything else than a node of one of these operators of ONNX has the value, an output of
  // a graph, too. Of what rules make that is taken for granted.
  bool has_other_than(ValueId value, std::initializer_list<std::string_view> op_types) const;
  // Whether the value is an output of the model.
  bool is_model_output(ValueId value) const;
  // Whether an output of the model, or anything in a body that one needs, needs the node. Of those
  // that rules make that is taken for granted.
  bool need(const Node& node) const;
  // The same of a value of the model's graph, or of a graph within it.
  bool need(ValueId value) const;

 private:
  struct Need {
    ValueSet values;  // of the model's graph: a function's of the same name are others
    std::unordered_set<const Node*> nodes_without;
  };

  const Need& needs() const;
  void find_all() const;
  std::span<const Node* const> of(ValueId value) const;
  bool is_any(std::span<const Node* const> readers, std::span<const std::string> op_types) const;

  const Model& model_;
  size_t values_;  // that the model itself names
  // Found at the first question: the nodes that read a value are those from its number among
  // begins_ to the next one's.
  mutable std::vector<size_t> begins_;
  mutable std::vector<const Node*> nodes_;
  mutable std::optional<std::unordered_set<ValueId>> outputs_;  // of all graphs, the same
  // of the model's graph, the same
  mutable std::optional<std::unordered_set<ValueId>> model_outputs_;
  mutable std::optional<Need> need_;
  // What has() said of values that many nodes read: a hundred thousand may be read by one node, and
  // what that makes by as many.
  mutable std::map<std::pair<ValueId, std::vector<std::string>>, bool> answers_;
};

}  // namespace onnx_lower
