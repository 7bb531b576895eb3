// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The nodes of a graph that are placed so far while it is legalized, and which of them
// makes a value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "legalizer/scope/scope_sources.h"
#include "model_file/model.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// Nothing is indexed or parsed before the first question.
class PlacedNodes {
 public:
  explicit PlacedNodes(const ScopeSources& sources) : sources_(sources) {
    std::vector<NodeList>& spare = sources_.tables.spare_lists;
    if (spare.capacity() == 0) spare.reserve(most_spared);
    if (spare.empty()) return;
    placed_ = std::move(spare.back());
    spare.pop_back();
  }
  PlacedNodes(const PlacedNodes&) = delete;
  PlacedNodes& operator=(const PlacedNodes&) = delete;
  ~PlacedNodes() {
    std::vector<NodeList>& spare = sources_.tables.spare_lists;
    if (spare.size() == most_spared || placed_.nodes.capacity() == 0 || placed_.nodes.capacity() > largest_spared)
      return;
    placed_.nodes.clear();
    placed_.types.clear();
    spare.push_back(std::move(placed_));
  }

  // All placed nodes in order; a run stands for all its nodes.
  const std::vector<const Node*>& all() const { return placed_.nodes; }
  std::vector<const Node*> take() { return std::move(placed_.nodes); }
  void reserve(size_t count) {
    placed_.nodes.reserve(count);
    placed_.types.reserve(count);
  }
  // Places a node, which the model keeps. `element_type`: of its first output; 0 when not known.
  void place(const Node& node, int element_type = 0) {
    placed_.nodes.push_back(&node);
    placed_.types.push_back(static_cast<int8_t>(element_type));
  }
  // Places a run in the place of all but the first `count` nodes. `element_type`: of its output; 0
  // when not known.
  void place_run(const Node& run, int element_type, size_t count);
  // The element type with which the node of that index was placed.
  int placed_type(size_t index) const { return placed_.types[index]; }
  // The element type of the value, if it is the first output of the newest node and the node was
  // placed with its type; else 0. Rules mostly ask for this value next.
  int type_of_newest(ValueId value) const {
    if (placed_.types.empty() || placed_.types.back() <= 0 || placed_.nodes.back()->outputs()[0] != value) return 0;
    return placed_.types.back();
  }
  // Whether the node is the only one that was placed behind the first `count`.
  bool is_only_since(size_t count, const Node& node) const {
    return placed_.nodes.size() == count + 1 && placed_.nodes[count] == &node;
  }
  // How many nodes were placed from `begin` on, where each node of a run counts.
  size_t count_since(size_t begin) const;
  // Takes back all but the first `count` nodes.
  void take_back(size_t count);

  // The opsets by which the node means its operator. Never own_opsets, which stands for those of
  // the graph that the node was read in.
  OpsetContext context(const Node& node) const { return node.opsets == own_opsets ? sources_.own : node.opsets; }
  const OperatorFacts& facts(const Node& node) const { return sources_.facts.of(node.op, context(node)); }

  // The index, for at(), of the node or the run that makes the value; nullopt when there is none.
  std::optional<size_t> maker_index(ValueId value) const;
  // The node of that index: a placed one, or one of a run that was read.
  const Node& at(size_t index) const {
    return index < first_of_runs ? *placed_.nodes[index] : *opened_[index - first_of_runs];
  }
  // The node that makes the value, which is read where it is in a run; nullptr when there is none.
  const Node* maker(ValueId value) const;
  // The same, but the run for a value that the last node of a run makes.
  const Node* maker_or_run(ValueId value) const {
    const std::optional<size_t> index = maker_index(value);
    return index ? &at(*index) : nullptr;
  }
  // Which output of the node the value is.
  std::optional<size_t> output_index(const Node& node, ValueId value) const;
  // A node as a message: a placed one, or the one that holds the graph.
  const onnx::NodeProto& message(const Node& node) const;

 private:
  // How many outputs of a node are searched one after another. Those of a node with more are
  // indexed: a node can have a hundred thousand, and each of them be asked for.
  static constexpr size_t most_outputs_searched = 16;
  static constexpr uint32_t first_of_runs = uint32_t{1} << 31;
  // How many lists of nodes are kept for the next graphs to use again, and how many nodes each of
  // them may hold.
  static constexpr size_t most_spared = 8, largest_spared = 256;

  void index() const;
  int8_t type_from_input(const Node& node) const;
  // Reads the nodes of a run.
  void open(const Node& run) const;
  // Whether a node that is indexed makes the value.
  bool is_made(ValueId value) const {
    const std::vector<uint32_t>& makers = sources_.tables.makers;
    if (value >= makers.size()) return false;
    const size_t maker = makers[value];
    if (maker >= indexed_ && (maker < first_of_runs || maker - first_of_runs >= opened_.size())) return false;
    const std::span<const ValueId> outputs = at(maker).outputs();
    if (outputs.size() == 1) return outputs[0] == value;  // nearly all nodes are of this kind
    return output_index(at(maker), value).has_value();
  }

  const ScopeSources& sources_;
  NodeList placed_;

  mutable size_t indexed_ = 0;               // how many of the placed nodes are in the tables
  mutable std::vector<const Node*> opened_;  // nodes of runs that were read
  // Of nodes that were asked for, which in most graphs none is.
  struct Remembered {
    // The indices of the outputs of nodes with many.
    std::unordered_map<const Node*, std::unordered_map<ValueId, size_t>> wide_nodes;
    std::unordered_map<const Node*, onnx::NodeProto> messages;
  };
  Remembered& remembered() const {
    if (!remembered_) remembered_ = std::make_unique<Remembered>();
    return *remembered_;
  }
  mutable std::unique_ptr<Remembered> remembered_;
};

// The nodes that a run stands for, which the model keeps.
std::vector<const Node*> nodes_of_run(Model& model, const Node& run);

}  // namespace onnx_lower
