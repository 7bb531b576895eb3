// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/knowledge/readers.h"

#include <algorithm>

#include "model_file/read_values.h"

namespace onnx_lower {
namespace {

// Visits the nodes of a graph that its outputs need, and all such nodes of the bodies that these
// hold. The last ones come first.
template <typename Visit>
void for_each_needed(const Graph& graph, ValueSet& needed, const Visit& visit) {
  const auto on_needed = [&](const Node& node) {
    visit(node);
    for (const Graph& body : node.graphs()) for_each_needed(body, needed, visit);
  };
  for_each_by_need(graph, needed, on_needed, [](const Node&) {});
}

template <typename Visit>
void for_each_read(const Model& model, const Visit& visit) {
  ValueSet needed;
  needed.clear(model.values().size());
  const auto visit_inputs = [&](const Node& node) {
    for (const ValueId input : node.inputs()) {
      if (input != absent_value) visit(input, node);
    }
  };
  for_each_needed(model.graph, needed, visit_inputs);
  for (const Function& function : model.functions) for_each_needed(function.body, needed, visit_inputs);
}

std::unordered_set<ValueId> outputs_of_graphs(const Model& model) {
  std::unordered_set<ValueId> outputs;
  const auto add = [&](const Graph& graph) {
    for (const ValueInfo& output : graph.outputs) outputs.insert(output.value);
  };
  for_each_graph(model.graph, add);
  for (const Function& function : model.functions) for_each_graph(function.body, add);
  return outputs;
}

// Adds the nodes that nothing needs. A needed body may become part of a node that a rule makes, as
// it is: so all that anything in the body reads is needed, whether an output of the body depends on
// it or not.
template <typename Values>
void add_without_need(const Graph& graph, Values& needed, std::unordered_set<const Node*>& nodes) {
  const auto on_needed = [&](const Node& node) {
    for (const Graph& body : node.graphs()) add_read_values(body, needed);
    for (const Graph& body : node.graphs()) add_without_need(body, needed, nodes);
  };
  for_each_by_need(graph, needed, on_needed, [&](const Node& node) { nodes.insert(&node); });
}

}  // namespace

std::unordered_set<const Node*> nodes_without_need(const Graph& graph) {
  std::unordered_set<const Node*> nodes;
  std::unordered_set<ValueId> needed;
  add_without_need(graph, needed, nodes);
  return nodes;
}

const Readers::Need& Readers::needs() const {
  if (need_) return *need_;
  const size_t values = model_.values().size();  // including those that rules made so far
  Need& need = need_.emplace();
  need.values.clear(values);
  for (const Graph& training : model_.training_graphs) add_read_values(training, need.values);
  add_without_need(model_.graph, need.values, need.nodes_without);
  ValueSet of_function;
  for (const Function& function : model_.functions) {
    of_function.clear(values);
    add_without_need(function.body, of_function, need.nodes_without);
  }
  return need;
}

void Readers::find_all() const {
  begins_.assign(2, 0);
  for_each_read(model_, [&](ValueId value, const Node&) {
    if (value + size_t{2} >= begins_.size()) begins_.resize(value + size_t{3});
    ++begins_[value + size_t{2}];
  });
  for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  nodes_.resize(begins_.back());
  for_each_read(model_, [&](ValueId value, const Node& node) { nodes_[begins_[value + size_t{1}]++] = &node; });
}

std::span<const Node* const> Readers::of(ValueId value) const {
  if (begins_.empty()) find_all();
  if (value + size_t{1} >= begins_.size()) return {};
  return std::span(nodes_).subspan(begins_[value], begins_[value + size_t{1}] - begins_[value]);
}

bool Readers::has(ValueId value, std::span<const std::string> op_types) const {
  if (value == absent_value) return false;
  constexpr size_t most_looked_at_again = 16;
  const std::span<const Node* const> readers = of(value);
  if (op_types.empty()) return !readers.empty();
  if (readers.size() <= most_looked_at_again) return is_any(readers, op_types);
  std::pair question(value, std::vector<std::string>(op_types.begin(), op_types.end()));
  if (const auto known = answers_.find(question); known != answers_.end()) return known->second;
  return answers_[std::move(question)] = is_any(readers, op_types);
}

bool Readers::is_any(std::span<const Node* const> readers, std::span<const std::string> op_types) const {
  return std::ranges::any_of(readers, [&](const Node* reader) {
    const Operator& op = model_.op(reader->op);
    if (!op.domain.empty() || op.op_type != op_types.front() || reader->outputs().empty()) return false;
    return op_types.size() == 1 || has(reader->outputs()[0], op_types.subspan(1));
  });
}

bool Readers::has_other_than(ValueId value, std::initializer_list<std::string_view> op_types) const {
  if (value == absent_value || value >= values_) return true;
  if (!outputs_) outputs_ = outputs_of_graphs(model_);
  return outputs_->contains(value) || std::ranges::any_of(of(value), [&](const Node* reader) {
           const Operator& op = model_.op(reader->op);
           return !op.domain.empty() || std::ranges::find(op_types, op.op_type) == op_types.end();
         });
}

bool Readers::is_model_output(ValueId value) const {
  if (!model_outputs_) {
    model_outputs_.emplace();
    for (const ValueInfo& output : model_.graph.outputs) model_outputs_->insert(output.value);
  }
  return model_outputs_->contains(value);
}

bool Readers::need(const Node& node) const { return !needs().nodes_without.contains(&node); }
bool Readers::need(ValueId value) const { return value >= values_ || needs().values.contains(value); }

}  // namespace onnx_lower
