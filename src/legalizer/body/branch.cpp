// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/body/branch.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "legalizer/body/body_instance.h"
#include "legalizer/nodes/node_body.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/nodes/value_renaming.h"
#include "legalizer/scope/graph_scope.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "rules/body.h"

namespace onnx_lower {
namespace {

using NewNames = std::unordered_map<ValueId, ValueId>;

// Renames values in the nodes of a branch, in whose graphs no other value has one of these names.
class Renaming final : public ValueRenaming {
 public:
  Renaming(Model& model, const NewNames& names) : model_(model), names_(names) {}

 private:
  void define(std::string& name) override { use(name); }
  void use(std::string& name) override {
    const std::optional<ValueId> value = model_.values().find(name);
    const auto found = value ? names_.find(*value) : names_.end();
    if (found != names_.end()) name = model_.value_name(found->second);
  }

  Model& model_;
  const NewNames& names_;
};

bool uses_any(const Node& node, const NewNames& names) {
  bool found = false;
  const auto look = [&](ValueId value) { found |= names.contains(value); };
  for_each_used(node, look);
  for_each_node_of(node, [&](const Node& inner) { std::ranges::for_each(inner.outputs(), look); });
  return found;
}

// Whether a graph inside the branch defines a name that is replaced, or the name that replaces one:
// there the name would mean a value of that graph.
bool is_hidden(const Graph& branch, const NewNames& names) {
  if (names.empty() || !branch.has_bodies) return false;
  std::unordered_set<ValueId> changing;
  for (const auto& [from, to] : names) changing.insert({from, to});
  bool hidden = false;
  for_each_graph(branch, [&](const Graph& graph) {
    if (&graph == &branch) return;
    for_each_defined(graph, [&](ValueId value) { hidden |= changing.contains(value); });
  });
  return hidden;
}

// Makes a branch of an If ready to stand in the place of the If, see open_branch().
class Opening {
 public:
  Opening(Model& model, const Node& conditional, const Graph& graph, const SharedNames* shared, Bytes metadata,
          bool in_function, FreshNames& names)
      : model_(model),
        conditional_(conditional),
        graph_(graph),
        shared_(shared),
        metadata_(metadata),
        in_function_(in_function),
        names_(names) {}

  std::optional<Branch> branch() && {
    name_outputs();
    if (shared_ != nullptr) name_shared();
    if (is_hidden(graph_, new_names_)) return std::nullopt;
    for (Branch::Copy& copy : branch_.copies) copy.value = current(copy.value);
    if (!move_initializers()) return std::nullopt;
    move_nodes();
    return std::move(branch_);
  }

 private:
  ValueId current(ValueId value) const {
    const auto found = new_names_.find(value);
    return found == new_names_.end() ? value : found->second;
  }
  ValueId fresh(std::string_view name) { return names_.make(name_prefix(model_, conditional_), name); }

  // Gives the outputs of the branch the If's names, but for values that are there already:
  // those are copied.
  void name_outputs() {
    std::unordered_set<ValueId> made;
    for_each_own_node(graph_, [&](const Node& node) { made.insert(node.outputs().begin(), node.outputs().end()); });
    made.erase(absent_value);
    for (size_t index = 0; index < conditional_.outputs().size(); ++index) {
      const ValueId output = conditional_.outputs()[index];
      const ValueId value = graph_.outputs[index].value;
      if (output == absent_value) continue;
      if (!made.contains(value) || !new_names_.try_emplace(value, output).second)
        branch_.copies.push_back({output, value});
    }
  }

  void name_shared() {
    for_each_defined(graph_, [&](ValueId value) {
      if (value != absent_value && shared_->has_value(value) && !new_names_.contains(value))
        new_names_.emplace(value, fresh(model_.value_name(value)));
    });
  }

  // False where there is no place for an initializer outside of the branch.
  bool move_initializers() {
    for (const TensorSkeleton& initializer : graph_.initializers) {
      const ValueId value = current(initializer.value);
      const std::string_view name = model_.value_name(value);
      if (!in_function_ && value == initializer.value) {
        branch_.initializers.push_back(initializer);
        continue;
      }
      onnx::TensorProto tensor;
      if ((in_function_ && initializer.external) || !parse_message(tensor, initializer.wire)) return false;
      if (in_function_) {
        tensor.clear_name();
        const onnx::NodeProto constant = node_of("Constant", {}, {name}, {{"value", std::move(tensor)}});
        branch_.nodes.push_back(&keep_node(model_, constant, conditional_.opsets));
      } else {
        tensor.set_name(std::string(name));
        branch_.initializers.push_back({value, model_.keep(tensor.SerializeAsString()), initializer.external});
      }
    }
    return true;
  }

  void move_nodes() {
    Renaming renaming(model_, new_names_);
    for_each_own_node(graph_, [&](const Node& node) {
      const bool loses_name = shared_ != nullptr && shared_->has_node(node.name);
      if (!loses_name && metadata_.empty() && !uses_any(node, new_names_)) {
        branch_.nodes.push_back(&node);
        return;
      }
      onnx::NodeProto message = node_message(model_, node);
      renaming.rename(message);
      if (loses_name) message.set_name(std::string(model_.value_name(fresh(node.name))));
      if (!metadata_.empty()) message.MergeFromString(std::string(metadata_));
      branch_.nodes.push_back(&keep_node(model_, message, node.opsets));
    });
  }

  Model& model_;
  const Node& conditional_;
  const Graph& graph_;
  const SharedNames* shared_;
  Bytes metadata_;
  bool in_function_;
  FreshNames& names_;
  NewNames new_names_;
  Branch branch_;
};

}  // namespace

std::optional<Branch> open_branch(Model& model, const Node& conditional, bool condition, const SharedNames* shared,
                                  Bytes metadata, bool in_function, FreshNames& names) {
  const Graph* graph = body_of(conditional, condition ? "then_branch" : "else_branch");
  if (graph == nullptr || !graph->inputs.empty() || !graph->sparse_initializers.empty() ||
      graph->outputs.size() < conditional.outputs().size())
    return std::nullopt;
  return Opening(model, conditional, *graph, shared, metadata, in_function, names).branch();
}

}  // namespace onnx_lower
