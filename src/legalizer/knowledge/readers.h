// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What reads a value. Conditions ask for it, where a runtime computes a node wrongly because of the
// nodes behind it.
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

// The nodes of a graph, and of the graphs in it, that neither an output of the graph needs, nor
// anything in a body that an output needs.
std::unordered_set<const Node*> nodes_without_need(const Graph& graph);

class Readers {
 public:
  explicit Readers(const Model& model) : model_(model), values_(model.values().size()) {}

  // Whether a node of the model of the first of these operators of ai.onnx reads the value, a node
  // of the second reads the first output of that one, and so on; where there are no operators,
  // whether any node reads it. Nodes that no output of the model needs do not count, as runtimes
  // leave them out. Nodes that rules make are not known here, as they are made one by one, and do
  // not count either.
  bool has(ValueId value, std::span<const std::string> op_types) const;
  // Whether anything reads the value but nodes of these operators of ai.onnx, or it is an output of
  // a graph. True for values that rules make.
  bool has_other_than(ValueId value, std::initializer_list<std::string_view> op_types) const;
  // Whether the value is an output of the model.
  bool is_model_output(ValueId value) const;
  // Whether an output of the model needs the node, or anything in a body that an output needs. True
  // for nodes that rules make.
  bool need(const Node& node) const;
  // The same for a value of the model's graph, or of a graph in it.
  bool need(ValueId value) const;

 private:
  struct Need {
    ValueSet values;  // of the model's graph; values of functions are not among them
    std::unordered_set<const Node*> nodes_without;
  };

  const Need& needs() const;
  void find_all() const;
  std::span<const Node* const> of(ValueId value) const;
  bool is_any(std::span<const Node* const> readers, std::span<const std::string> op_types) const;

  const Model& model_;
  size_t values_;  // how many values the model itself names
  // Filled at the first question. The nodes that read a value stand in nodes_ from the index that
  // begins_ has for the value up to the one that it has for the next value.
  mutable std::vector<size_t> begins_;
  mutable std::vector<const Node*> nodes_;
  // Of all graphs; filled at the first question.
  mutable std::optional<std::unordered_set<ValueId>> outputs_;
  // Of the model's graph; filled at the first question.
  mutable std::optional<std::unordered_set<ValueId>> model_outputs_;
  mutable std::optional<Need> need_;
  // Answers of has() for values that many nodes read: one node may read a hundred thousand such
  // values, and as many nodes its output.
  mutable std::map<std::pair<ValueId, std::vector<std::string>>, bool> answers_;
};

}  // namespace onnx_lower
