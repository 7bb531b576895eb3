// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/drop_unneeded.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace onnx_lower {
namespace {

class Unneeded {
 public:
  explicit Unneeded(size_t value_count) : needed_(value_count, false) {}

  void find(const Graph& graph) {
    for (const ValueInfo& output : graph.outputs) needed_[output.value] = true;
    for (auto piece = graph.pieces.rbegin(); piece != graph.pieces.rend(); ++piece) {
      for (auto at = piece->nodes.rbegin(); at != piece->nodes.rend(); ++at) {
        const Node& node = **at;
        const bool is_needed = std::ranges::any_of(
            node.outputs(), [&](ValueId output) { return output != absent_value && needed_[output]; });
        if (!is_needed) {
          nodes_.insert(&node);
          continue;
        }
        for (const ValueId input : node.inputs()) needed_[input] = true;
        for (const Graph& body : node.graphs()) find_in_body(body);
      }
    }
  }

  bool contains(const Node* node) const { return nodes_.contains(node); }
  bool empty() const { return nodes_.empty(); }

 private:
  // What a body defines says nothing of values of the same names in other bodies, or around it.
  void find_in_body(const Graph& body) {
    std::vector<ValueId> defined;
    for (const ValueInfo& input : body.inputs) defined.push_back(input.value);
    for (const TensorSkeleton& initializer : body.initializers) defined.push_back(initializer.value);
    for (const GraphPiece& piece : body.pieces) {
      for (const Node* node : piece.nodes)
        defined.insert(defined.end(), node->outputs().begin(), node->outputs().end());
    }
    std::vector<ValueId> needed_around;
    std::ranges::copy_if(defined, std::back_inserter(needed_around), [&](ValueId value) { return needed_[value]; });
    find(body);
    for (const ValueId value : defined) needed_[value] = false;
    for (const ValueId value : needed_around) needed_[value] = true;
  }

  std::vector<bool> needed_;
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
