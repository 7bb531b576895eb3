// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/drop_unneeded.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "legalizer/value_set.h"
#include "model_file/read_values.h"

namespace onnx_lower {
namespace {

class Unneeded {
 public:
  explicit Unneeded(size_t value_count) { needed_.clear(value_count); }

  void find(const Graph& graph) {
    const auto on_needed = [this](const Node& node) {
      for (const Graph& body : node.graphs()) find_in_body(body);
    };
    for_each_by_need(graph, needed_, on_needed, [this](const Node& node) { nodes_.insert(&node); });
  }

  bool contains(const Node* node) const { return nodes_.contains(node); }
  bool empty() const { return nodes_.empty(); }

 private:
  // What a body defines says nothing of values of the same names in other bodies, or around it.
  void find_in_body(const Graph& body) {
    std::vector<ValueId> defined;
    for_each_defined(body, [&](ValueId value) { defined.push_back(value); });
    std::vector<ValueId> needed_around;
    std::ranges::copy_if(defined, std::back_inserter(needed_around),
                         [this](ValueId value) { return needed_.contains(value); });
    find(body);
    for (const ValueId value : defined) needed_.erase(value);
    for (const ValueId value : needed_around) needed_.insert(value);
  }

  ValueSet needed_;
  std::unordered_set<const Node*> nodes_;
};

class Dropping {
 public:
  explicit Dropping(const Unneeded& unneeded) : unneeded_(unneeded) {}

  void drop_from(Graph& graph) {
    const auto goes = [&](const Node* node) {
      if (!unneeded_.contains(node)) return false;
      const bool reads_dropped =
          std::ranges::any_of(node->inputs(), [&](ValueId input) { return dropped_.contains(input); });
      if (node->graphs().empty() && !reads_dropped) return false;
      for (const ValueId output : node->outputs()) {
        if (output != absent_value) dropped_.insert(output);
      }
      inputs_.insert(inputs_.end(), node->inputs().begin(), node->inputs().end());
      return true;
    };
    for (GraphPiece& piece : graph.pieces) {
      if (std::erase_if(piece.nodes, goes) != 0) graph.changed = true;
      for (const Node* node : piece.nodes) {
        edit_graphs_of(*node, graph, [&](Graph& inner) { drop_from(inner); });
      }
    }
  }

  std::vector<ValueId> inputs() && { return std::move(inputs_); }

 private:
  const Unneeded& unneeded_;
  std::unordered_set<ValueId> dropped_;  // what they made
  std::vector<ValueId> inputs_;
};

}  // namespace

std::vector<ValueId> drop_unneeded(Graph& graph, size_t value_count) {
  if (!graph.has_bodies) return {};
  Unneeded unneeded(value_count);
  unneeded.find(graph);
  if (unneeded.empty()) return {};
  Dropping dropping(unneeded);
  dropping.drop_from(graph);
  return std::move(dropping).inputs();
}

}  // namespace onnx_lower
