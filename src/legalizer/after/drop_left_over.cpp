// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/after/drop_left_over.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <vector>

#include "legalizer/knowledge/value_set.h"
#include "legalizer/nodes/node_message.h"
#include "model_file/graph_fields.h"
#include "model_file/onnx_fields.h"
#include "model_file/read_values.h"
#include "model_file/tensor_skeleton.h"
#include "model_file/typed_elements.h"
#include "standard_operators/operator_role.h"

namespace onnx_lower {
namespace {

// Drops nodes from the graph and its subgraphs.
template <typename Goes>
void drop_nodes(Graph& graph, const Goes& goes) {
  for (GraphPiece& piece : graph.pieces) {
    if (std::erase_if(piece.nodes, goes) != 0) graph.changed = true;
    for (const Node* node : piece.nodes) {
      edit_graphs_of(*node, graph, [&](Graph& inner) { drop_nodes(inner, goes); });
    }
  }
}

// Releases constants of the graph and its subgraphs: drop_released() drops them where nothing reads
// them. `goes` is asked for each, with the value and a function that gives its element type.
template <typename Goes>
void release_constants(const Graph& graph, Legalization& all, const Goes& goes) {
  const auto release = [&](ValueId value, const auto& type) {
    if (goes(value, type)) all.left_over.released.push_back(value);
  };
  for (const TensorSkeleton& initializer : graph.initializers)
    release(initializer.value, [&] { return read_tensor_facts(initializer.wire).data_type; });
  if (!all.left_over.has_constant_nodes && all.left_over.made_constants.empty() && !graph.has_bodies) return;
  for_each_own_node(graph, [&](const Node& node) {
    const bool is_constant = !node.is_run() && node.inputs().empty() && node.outputs().size() == 1 &&
                             role_of(all.model.op(node.op).op_type) == OperatorRole::constant;
    if (is_constant) release(node.outputs()[0], [&] { return element_type_of_constant(node.wire); });
    for (const Graph& body : node.graphs()) release_constants(body, all, goes);
  });
}

// Releases constants of element types that a target lacks. Nodes that read such a constant are
// refused, but a runtime also reads tensors that no node reads.
void release_constants_of_lacking_types(const Graph& graph, Legalization& all) {
  uint64_t lacking = 0;
  for (const auto& target : all.options.targets) lacking |= target->lacking_types;
  if (lacking == 0) return;
  release_constants(graph, all, [&](ValueId /*value*/, const auto& type) {
    return is_among(lacking, static_cast<uint64_t>(type()));
  });
}

// Finds the nodes that no output of a graph needs.
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

 private:
  // A name that a body defines may stand for another value in other bodies, or around it.
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

// Counts how often each value is read, and finds what nothing reads any more.
class Reads {
 public:
  Reads(const Graph& graph, const Legalization& all)
      : all_(all), reads_(all.model.values().size(), 0), makers_(all.model.values().size(), nullptr) {
    add(graph);
    if (&graph != &all.model.graph) return;
    for (const Graph& training : all.model.training_graphs) {
      for_each_node(training, [this](const Node& node) { read(node); });
    }
  }

  // Finds the nodes that make these values, if nothing reads them, and then the nodes whose outputs
  // only such nodes read.
  void release(std::vector<ValueId> open) {
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      if (value == absent_value || reads_[value] != 0) continue;
      unread_.insert(value);
      const Node* maker = makers_[value];
      if (maker == nullptr || dead_.contains(maker) || all_.options.keeps(all_.model.op(maker->op))) continue;
      if (!std::ranges::all_of(maker->outputs(), [this](ValueId output) { return reads_[output] == 0; })) continue;
      take_back(*maker, open);
    }
  }

  bool is_dead(const Node* node) const { return dead_.contains(node); }
  bool is_unread(ValueId value) const { return unread_.contains(value); }
  // Whether the node that makes the value is dead.
  bool is_gone(ValueId value) const { return makers_[value] != nullptr && is_dead(makers_[value]); }

 private:
  // Takes back the reads of a dead node and of all nodes in its bodies, once. `open` gets the
  // values that nothing reads then.
  void take_back(const Node& node, std::vector<ValueId>& open) {
    if (!dead_.insert(&node).second) return;
    const auto drop_read = [&](ValueId value) {
      if (value != absent_value && --reads_[value] == 0) open.push_back(value);
    };
    for (const ValueId input : node.inputs()) drop_read(input);
    for (const Graph& body : node.graphs()) {
      for (const ValueInfo& output : body.outputs) drop_read(output.value);
      for_each_own_node(body, [&](const Node& inner) { take_back(inner, open); });
    }
  }

  void read(const Node& node) {
    for (const ValueId input : node.inputs()) ++reads_[input];
  }

  void add(const Graph& graph) {
    for (const ValueInfo& output : graph.outputs) ++reads_[output.value];
    for_each_own_node(graph, [&](const Node& node) {
      read(node);
      for (const ValueId output : node.outputs()) makers_[output] = &node;
      for (const Graph& body : node.graphs()) add(body);
    });
    // absent_value is no value.
    reads_[absent_value] = 0;
  }

  const Legalization& all_;
  std::vector<size_t> reads_;
  // By value. Of several nodes in different subgraphs that make values of one name, the last one.
  std::vector<const Node*> makers_;
  std::unordered_set<const Node*> dead_;
  std::unordered_set<ValueId> unread_;  // released, or only read by dead nodes
};

void tell_dropped(const Node& node, Legalization& all) {
  if (all.left_over.made_constants.contains(&node)) return;  // it is reported as a folded node
  const auto tell = [&](std::string_view name, std::string_view domain, std::string_view op_type) {
    all.result.folded.push_back({name, domain, op_type, FoldedNode::Into::nothing});
  };
  if (!node.is_run()) {
    const Operator& op = all.model.op(node.op);
    tell(display_name(all.model, node), op.domain, op.op_type);
    return;
  }
  WireField made;
  for (WireReader reader(node.wire); reader.next(made);) {
    const Bytes name = last_field(made.content, delimited_tag(field::Node::name));
    tell(name.empty() ? last_field(made.content, delimited_tag(field::Node::output)) : name, {},
         last_field(made.content, delimited_tag(field::Node::op_type)));
  }
}

void drop_dead(Graph& graph, const Reads& reads, Legalization& all) {
  std::unordered_set<ValueId> inputs;
  for (const ValueInfo& input : graph.inputs) inputs.insert(input.value);
  const auto goes = [&](const TensorSkeleton& initializer) {
    return reads.is_unread(initializer.value) && !inputs.contains(initializer.value);
  };
  drop_initializers(graph, goes, [&](ValueId value) { return reads.is_gone(value); });
  for (GraphPiece& piece : graph.pieces) {
    for (const Node* node : piece.nodes) {
      if (reads.is_dead(node)) {
        tell_dropped(*node, all);
        graph.changed = true;
        continue;
      }
      edit_graphs_of(*node, graph, [&](Graph& inner) { drop_dead(inner, reads, all); });
    }
    std::erase_if(piece.nodes, [&](const Node* node) { return reads.is_dead(node); });
  }
}

}  // namespace

void drop_unneeded(Graph& graph, Legalization& all) {
  if (all.options.targets.empty() || !all.model.training_graphs.empty() || !graph.has_bodies) return;
  Unneeded unneeded(all.model.values().size());
  unneeded.find(graph);
  std::unordered_set<ValueId> made, read;  // the outputs and inputs of the dropped nodes
  drop_nodes(graph, [&](const Node* node) {
    if (!unneeded.contains(node)) return false;
    const bool reads_dropped = std::ranges::any_of(node->inputs(), [&](ValueId input) { return made.contains(input); });
    if (node->graphs().empty() && !reads_dropped) return false;
    made.insert(node->outputs().begin(), node->outputs().end());
    made.erase(absent_value);
    read.insert(node->inputs().begin(), node->inputs().end());
    return true;
  });
  if (read.empty()) return;
  // Constants that only dropped nodes read are released.
  release_constants(graph, all, [&](ValueId value, const auto& /*type*/) { return read.contains(value); });
}

void drop_released(Graph& graph, Legalization& all) {
  release_constants_of_lacking_types(graph, all);
  if (all.left_over.released.empty()) return;
  Reads reads(graph, all);
  reads.release(std::exchange(all.left_over.released, {}));
  drop_dead(graph, reads, all);
}

void drop_bypassed(Legalization& all) {
  std::vector<RefusedIfRead>& refused_if_read = all.left_over.refused_if_read;
  if (all.left_over.bypassed.empty() && refused_if_read.empty()) return;
  const std::unordered_set<ValueId> bypassed(all.left_over.bypassed.begin(), all.left_over.bypassed.end());
  // Lists and constants that the target lacks, under all names that Identity nodes give them.
  std::unordered_set<ValueId> refused;
  for (const RefusedIfRead& each : refused_if_read) refused.insert(each.node->outputs()[0]);
  // A name in a function says nothing of the same name in the graph, or in another function.
  const auto drop_in = [&](Graph& graph) {
    std::unordered_set<ValueId> used;
    add_read_values(graph, used);
    bool dropped = false;
    drop_nodes(graph, [&](const Node* node) {
      if (node->outputs().size() != 1) return false;
      const ValueId output = node->outputs()[0];
      if (!node->is_run() && node->inputs().size() == 1 && refused.contains(node->inputs()[0]) &&
          role_of(all.model.op(node->op).op_type) == OperatorRole::identity)
        refused.insert(output);
      const bool goes = (bypassed.contains(output) || refused.contains(output)) && !used.contains(output);
      dropped |= goes;
      return goes;
    });
    return dropped;
  };
  // What an Identity reads is read no more when it is dropped.
  const auto drop_all_in = [&](Graph& graph) {
    while (drop_in(graph) && !refused.empty()) {
    }
  };
  drop_all_in(all.model.graph);
  for (Function& function : all.model.functions) drop_all_in(function.body);
  if (refused_if_read.empty()) return;
  std::unordered_set<ValueId> left;  // of these; others went with the bodies that made them
  const auto find_left = [&](const Node& node) {
    for (const ValueId output : node.outputs()) {
      if (refused.contains(output)) left.insert(output);
    }
  };
  for_each_node(all.model.graph, find_left);
  for (const Function& function : all.model.functions) for_each_node(function.body, find_left);
  for (RefusedIfRead& each : refused_if_read) {
    if (left.contains(each.node->outputs()[0])) all.result.unlowered.push_back(std::move(each.refused));
  }
}

}  // namespace onnx_lower
