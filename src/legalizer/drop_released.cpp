// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/drop_released.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "model_file/graph_fields.h"
#include "model_file/onnx_fields.h"

namespace onnx_lower {
namespace {

class Reads {
 public:
  Reads(const Graph& graph, size_t value_count, std::span<const ValueId> also_used)
      : reads_(value_count, 0), makers_(value_count, nullptr) {
    for (const ValueId value : also_used) ++reads_[value];
    add(graph);
  }

  // The nodes that make the values, and what only these read.
  void release(std::span<const ValueId> released, const std::function<bool(const Node&)>& stays) {
    std::vector<ValueId> open(released.begin(), released.end());
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      if (value == absent_value || reads_[value] != 0) continue;
      unread_.insert(value);
      const Node* maker = makers_[value];
      if (maker == nullptr || dead_.contains(maker) || stays(*maker)) continue;
      if (!std::ranges::all_of(maker->outputs(), [this](ValueId output) { return reads_[output] == 0; })) continue;
      take_back(*maker, open);
    }
  }

  bool is_dead(const Node* node) const { return dead_.contains(node); }
  bool is_unread(ValueId value) const { return unread_.contains(value); }
  // The node that made it is dead.
  bool is_gone(ValueId value) const { return makers_[value] != nullptr && is_dead(makers_[value]); }

 private:
  // What the node reads, and all that stands in its bodies, once: what is dead there does not read any more. `open` gets what nothing reads then.
  void take_back(const Node& node, std::vector<ValueId>& open) {
    if (!dead_.insert(&node).second) return;
    const auto drop_read = [&](ValueId value) {
      if (value != absent_value && --reads_[value] == 0) open.push_back(value);
    };
    for (const ValueId input : node.inputs()) drop_read(input);
    for (const Graph& body : node.graphs()) {
      for (const ValueInfo& output : body.outputs) drop_read(output.value);
      for (const GraphPiece& piece : body.pieces) {
        for (const Node* inner : piece.nodes) take_back(*inner, open);
      }
    }
  }

  void add(const Graph& graph) {
    for (const ValueInfo& output : graph.outputs) ++reads_[output.value];
    for (const GraphPiece& piece : graph.pieces) {
      for (const Node* node : piece.nodes) {
        for (const ValueId input : node->inputs()) ++reads_[input];
        for (const ValueId output : node->outputs()) makers_[output] = node;
        for (const Graph& body : node->graphs()) add(body);
      }
    }
    // The empty name is no value.
    reads_[absent_value] = 0;
  }

  std::vector<size_t> reads_;
  std::vector<const Node*> makers_;  // of several nodes in different subgraphs that make values of one name, the last
  std::unordered_set<const Node*> dead_;
  std::unordered_set<ValueId> unread_;  // released, or read by dead nodes only
};

void drop_from(Graph& graph, const Reads& reads, const std::function<void(const Node&)>& dropped) {
  std::unordered_set<ValueId> inputs;
  for (const ValueInfo& input : graph.inputs) inputs.insert(input.value);
  const auto goes = [&](const TensorSkeleton& initializer) {
    return reads.is_unread(initializer.value) && !inputs.contains(initializer.value);
  };
  drop_initializers(graph, goes, [&](ValueId value) { return reads.is_gone(value); });
  for (GraphPiece& piece : graph.pieces) {
    for (const Node* node : piece.nodes) {
      if (reads.is_dead(node)) {
        dropped(*node);
        graph.changed = true;
        continue;
      }
      edit_graphs_of(*node, graph, [&](Graph& inner) { drop_from(inner, reads, dropped); });
    }
    std::erase_if(piece.nodes, [&](const Node* node) { return reads.is_dead(node); });
  }
}

}  // namespace

void drop_released(Graph& graph, size_t value_count, std::span<const ValueId> released,
                   std::span<const ValueId> also_used, const std::function<bool(const Node&)>& stays,
                   const std::function<void(const Node&)>& dropped) {
  Reads reads(graph, value_count, also_used);
  reads.release(released, stays);
  drop_from(graph, reads, dropped);
}

}  // namespace onnx_lower
