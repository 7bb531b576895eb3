// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "check/node_order.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model_file/encode_model.h"

namespace onnx_lower {
namespace {

using Nodes = std::vector<const Node*>;

// Sorts nodes depth first, with a stack of its own, since a chain of nodes may be as
// long as the model.
class Ordering {
 public:
  explicit Ordering(const Nodes& nodes) : nodes_(nodes), states_(nodes.size(), State::waits) {
    for (size_t index = 0; index < nodes.size(); ++index) {
      for (const ValueId output : nodes[index]->outputs()) {
        if (output != absent_value) makers_.emplace(output, index);
      }
    }
  }

  std::optional<Nodes> ordered() {
    for (size_t index = 0; index < nodes_.size(); ++index) {
      if (!place(index)) return std::nullopt;
    }
    return std::move(placed_);
  }

 private:
  enum class State : uint8_t { waits, is_entered, is_placed };
  struct Entered {
    size_t node;
    std::vector<size_t> before;  // the nodes that make what it uses, the last one first
  };

  // Returns false where the node depends on itself.
  bool enter(size_t index) {
    if (states_[index] == State::is_placed) return true;
    if (states_[index] == State::is_entered) return false;
    states_[index] = State::is_entered;
    Entered entered{index, {}};
    for_each_used(*nodes_[index], [&](ValueId value) {
      const auto maker = makers_.find(value);
      // A node may be found as the maker of a value that it uses: a name within a subgraph of the
      // node may also be the name of a value in an outer scope, such as one that is defined later.
      if (maker != makers_.end() && maker->second != index) entered.before.push_back(maker->second);
    });
    std::ranges::reverse(entered.before);
    stack_.push_back(std::move(entered));
    return true;
  }

  bool place(size_t index) {
    if (!enter(index)) return false;
    while (!stack_.empty()) {
      if (stack_.back().before.empty()) {
        const size_t done = stack_.back().node;
        stack_.pop_back();
        states_[done] = State::is_placed;
        placed_.push_back(nodes_[done]);
        continue;
      }
      const size_t next = stack_.back().before.back();
      stack_.back().before.pop_back();
      if (!enter(next)) return false;
    }
    return true;
  }

  const Nodes& nodes_;
  std::vector<State> states_;
  std::unordered_map<ValueId, size_t> makers_;
  std::vector<Entered> stack_;
  Nodes placed_;
};

bool put_in_order(Graph& graph) {
  Nodes nodes;
  for (const GraphPiece& piece : graph.pieces) nodes.insert(nodes.end(), piece.nodes.begin(), piece.nodes.end());
  for (const Node* node : nodes) {
    for (Graph& body : node->graphs()) {
      if (!put_in_order(body)) return false;
      if (!body.changed) continue;
      node->bodies->changed = true;
      graph.changed = true;
    }
  }
  const std::optional<Nodes> ordered = Ordering(nodes).ordered();
  if (!ordered) return false;
  if (*ordered == nodes) return true;
  graph.changed = true;
  auto next = ordered->begin();
  for (GraphPiece& piece : graph.pieces) {
    for (const Node*& node : piece.nodes) node = *next++;
  }
  return true;
}

}  // namespace

bool put_in_order(Model& model) {
  if (!put_in_order(model.graph)) return false;
  for (Function& function : model.functions) {
    if (!put_in_order(function.body)) return false;
    // The body is normally read from these bytes.
    if (function.body.changed) function.body.wire = model.keep(encode_graph(model, function.body));
  }
  return true;
}

}  // namespace onnx_lower
