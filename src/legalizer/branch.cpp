// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/branch.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "legalizer/body_instance.h"
#include "legalizer/graph_scope.h"
#include "legalizer/node_message.h"
#include "legalizer/value_renaming.h"
#include "model_file/attribute_head.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "rules/body.h"

namespace onnx_lower {
namespace {

using NewNames = std::unordered_map<ValueId, ValueId>;

// Of the nodes of a branch, in whose graphs no other value has one of these names.
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

// Whether a graph inside the branch defines one of the names that are changed, or one that is given: there the name would mean that graph's own value.
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

const Node* constant_node(Model& model, const TensorSkeleton& initializer, std::string_view name, OpsetContext opsets) {
  onnx::TensorProto tensor;
  if (!parse_message(tensor, initializer.wire)) return nullptr;
  tensor.clear_name();
  return &keep_node(model, node_of("Constant", {}, {name}, {{"value", std::move(tensor)}}), opsets);
}

std::optional<TensorSkeleton> renamed(Model& model, const TensorSkeleton& initializer, ValueId name) {
  onnx::TensorProto tensor;
  if (!parse_message(tensor, initializer.wire)) return std::nullopt;
  tensor.set_name(std::string(model.value_name(name)));
  return TensorSkeleton{name, model.keep(tensor.SerializeAsString()), initializer.external};
}

}  // namespace

const Graph* body_of(const Node& node, std::string_view attribute_name) {
  if (!node.bodies) return nullptr;
  size_t next = 0;
  WireField field;
  for (WireReader reader(node.wire); reader.next(field);) {
    if (field.tag != delimited_tag(field::Node::attribute)) continue;
    const AttributeHead attribute = read_attribute_head(field.content);
    // An attribute that is a list of graphs has several bodies, so that attributes can no longer be counted to find a body.
    if ((attribute.values >> field::Attribute::graphs & 1) != 0) return nullptr;
    if ((attribute.values >> field::Attribute::g & 1) == 0) continue;
    if (attribute.name == attribute_name) return &node.bodies->graphs[next];
    ++next;
  }
  return nullptr;
}

SharedNames::SharedNames(const Model& model) {
  std::unordered_set<ValueId> values;
  std::unordered_set<std::string_view> nodes;
  const auto look = [&](const Graph& graph) {
    // An initializer that is an input, too, is one value.
    std::unordered_set<ValueId> own;
    for_each_defined(graph, [&](ValueId value) {
      if (value != absent_value && own.insert(value).second && !values.insert(value).second) values_.insert(value);
    });
    for (const GraphPiece& piece : graph.pieces) {
      for (const Node* node : piece.nodes) {
        if (!node->name.empty() && !nodes.insert(node->name).second) nodes_.insert(node->name);
      }
    }
  };
  for_each_graph(model.graph, look);
  for (const Function& function : model.functions) for_each_graph(function.body, look);
}

std::optional<Branch> open_branch(Model& model, const Node& conditional, bool condition, const SharedNames* shared,
                                  Bytes metadata, bool in_function, FreshNames& names) {
  const Graph* graph = body_of(conditional, condition ? "then_branch" : "else_branch");
  const std::span<const ValueId> outputs = conditional.outputs();
  if (graph == nullptr || !graph->inputs.empty() || !graph->sparse_initializers.empty() ||
      graph->outputs.size() < outputs.size())
    return std::nullopt;

  std::unordered_set<ValueId> made;
  for (const GraphPiece& piece : graph->pieces) {
    for (const Node* node : piece.nodes) made.insert(node->outputs().begin(), node->outputs().end());
  }
  made.erase(absent_value);
  Branch branch;
  NewNames new_names;
  const auto current = [&](ValueId value) {
    const auto found = new_names.find(value);
    return found == new_names.end() ? value : found->second;
  };
  // An output is made under the If's name, but for what is there already.
  std::vector<std::pair<ValueId, ValueId>> copied;
  for (size_t index = 0; index < outputs.size(); ++index) {
    const ValueId value = graph->outputs[index].value;
    if (outputs[index] == absent_value) continue;
    if (made.contains(value) && new_names.try_emplace(value, outputs[index]).second) continue;
    copied.emplace_back(outputs[index], value);
  }
  if (shared != nullptr) {
    const std::string_view prefix = name_prefix(model, conditional);
    for_each_defined(*graph, [&](ValueId value) {
      if (value != absent_value && shared->has_value(value) && !new_names.contains(value))
        new_names.emplace(value, names.make(prefix, model.value_name(value)));
    });
  }
  if (is_hidden(*graph, new_names)) return std::nullopt;
  for (const auto& [output, value] : copied) branch.copies.push_back({output, current(value)});

  for (const TensorSkeleton& initializer : graph->initializers) {
    const ValueId name = current(initializer.value);
    if (in_function) {
      const Node* constant = initializer.external
                                 ? nullptr
                                 : constant_node(model, initializer, model.value_name(name), conditional.opsets);
      if (constant == nullptr) return std::nullopt;
      branch.nodes.push_back(constant);
      continue;
    }
    const auto moved = name == initializer.value ? std::optional(initializer) : renamed(model, initializer, name);
    if (!moved) return std::nullopt;
    branch.initializers.push_back(*moved);
  }
  Renaming renaming(model, new_names);
  for (const GraphPiece& piece : graph->pieces) {
    for (const Node* node : piece.nodes) {
      const bool loses_name = shared != nullptr && shared->has_node(node->name);
      if (!loses_name && metadata.empty() && !uses_any(*node, new_names)) {
        branch.nodes.push_back(node);
        continue;
      }
      onnx::NodeProto message = node_message(model, *node);
      renaming.rename(message);
      if (loses_name)
        message.set_name(std::string(model.value_name(names.make(name_prefix(model, conditional), node->name))));
      if (!metadata.empty()) message.MergeFromString(std::string(metadata));
      branch.nodes.push_back(&keep_node(model, message, node->opsets));
    }
  }
  return branch;
}

}  // namespace onnx_lower
