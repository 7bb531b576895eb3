// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A graph while it is legalized: its nodes so far, and what is known of the values that the next
// node can see.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "constant_folding/known_tensor.h"
#include "legalizer/knowledge/constant_elements.h"
#include "legalizer/scope/element_types.h"
#include "legalizer/scope/graph_declarations.h"
#include "legalizer/scope/placed_nodes.h"
#include "legalizer/scope/scope_sources.h"
#include "model_file/model.h"
#include "types/value_scope.h"

namespace onnx_lower {

class GraphScope final : public ValueScope {
 public:
  // `holder` is the node of `enclosing` that holds the graph; both are null for the main graph
  // and for functions.
  GraphScope(const ScopeSources& sources, const Graph& graph, const GraphScope* enclosing, const Node* holder)
      : sources_(sources),
        declarations_(sources.model, graph),
        nodes_(sources),
        enclosing_(enclosing),
        holder_(holder) {}

  GraphScope(const GraphScope&) = delete;

  const ScopeSources& sources() const { return sources_; }
  const GraphDeclarations& declarations() const { return declarations_; }

  // The nodes that are placed so far.
  const PlacedNodes& nodes() const { return nodes_; }
  PlacedNodes& nodes() { return nodes_; }
  const std::vector<const Node*>& placed() const { return nodes_.all(); }
  // Places a run in the place of all but the first `count` nodes. `element_type`: of its output; 0
  // when not known.
  void place_run(const Node& run, int element_type, size_t count) {
    forget_made_since(count);
    nodes_.place_run(run, element_type, count);
  }
  // Takes back all but the first `count` nodes.
  void take_back(size_t count) {
    forget_made_since(count);
    nodes_.take_back(count);
  }

  // Whether the graph is the body of a function, which has no initializers.
  bool is_function() const { return declarations_.graph().is_function; }
  // How many graphs are around this one.
  int depth() const;
  // The opsets by which the node means its operator. Never own_opsets, which stands for those of
  // the graph that the node was read in.
  OpsetContext context(const Node& node) const { return nodes_.context(node); }
  const OperatorFacts& facts(const Node& node) const { return nodes_.facts(node); }

  // The placed node of this scope that makes the value; nullptr when there is none.
  const Node* maker(ValueId value) const { return nodes_.maker(value); }
  // The same, but the run for a value that the last node of a run makes.
  const Node* maker_or_run(ValueId value) const { return nodes_.maker_or_run(value); }
  // To be called for each question that ValueTables::asked_beyond_calls counts.
  void note_asked_beyond_call() const { ++sources_.tables.asked_beyond_calls; }
  // Whether a node of that operator of ai.onnx makes a value of this scope or of one around it.
  bool is_made_by(ValueId value, std::string_view op_type) const;
  // The node of the enclosing scope that holds the graph; null where there is none.
  const Node* holder_node() const { return holder_; }
  // The role of that node.
  OperatorRole holder_role() const {
    return holder_ == nullptr ? OperatorRole::none : enclosing_->facts(*holder_).role;
  }

  // The condition of the If whose then_branch this graph is: a value of the enclosing scope, which
  // is true whenever this graph runs. absent_value for all other graphs.
  ValueId condition() const;

  // What is known of the element types of values of this scope.
  ElementTypes& element_types() const { return element_types_; }

  // Adds an initializer that the graph gets while it is legalized; the model keeps its bytes.
  void add_initializer(const TensorSkeleton& initializer) { declarations_.add(initializer); }
  const std::vector<TensorSkeleton>& added_initializers() const { return declarations_.added(); }
  // Takes back all added initializers but the first `count`.
  void take_back_initializers(size_t count);

  // The values of this scope that KnownTensors has been asked for: what is known of each before the
  // model runs, or nullopt where nothing is.
  using KnownByValue = std::unordered_map<ValueId, std::optional<KnownTensor>>;
  KnownByValue& known_tensors() const { return remembered().known_tensors; }

  // By list that a node of this scope took: whether its tensors are of several element types.
  std::unordered_map<ValueId, bool>& lists_of_several_types() const { return remembered().lists_of_several_types; }

  // The values of this scope of which is known that the elements of an input of a graph make them.
  std::unordered_set<ValueId>& values_of_inputs() const { return remembered().values_of_inputs; }

  // constant() of a value that takes at most so many bytes in the model; nullptr for all other
  // values, which are not read.
  const onnx::TensorProto* constant_up_to(ValueId value, size_t most_bytes) const;
  // What is known of the elements of a constant of this scope; nullptr for a large one, which is a
  // weight, and for a value that is none.
  const ConstantElements* constant_elements(ValueId value) const;

  // The element type (DataType) that a declaration gives the value; 0 when none does.
  int declared_element_type(ValueId value) const { return declarations_.element_type(value); }

  // The value of which a chain of Identity nodes of this scope makes this one; the value itself
  // where no Identity makes it.
  ValueId behind_identities(ValueId value) const;

  // A constant of this scope or of one around it, also where Identity nodes give it further names;
  // nullptr for all other values.
  const onnx::TensorProto* visible_constant(ValueId value) const;

  // The TensorProto of such a constant, wherever its elements lie; empty for all other values.
  Bytes wire_of_visible_constant(ValueId value) const;

  bool defines(ValueId value) const override;
  const onnx::TypeProto* declared_type(ValueId value) const override { return declarations_.type(value); }
  const onnx::TypeProto* constant_type(ValueId value) const override;
  int element_type(ValueId value) const override { return element_types_.of(value); }
  const onnx::TensorProto* constant(ValueId value) const override;
  NodeView producer(ValueId value) const override;
  bool has_producer(ValueId value) const override { return nodes_.maker_index(value).has_value(); }
  std::vector<ValueId> shape_sources(ValueId value) const override;
  const GraphScope* enclosing() const override { return enclosing_; }
  NodeView holder() const override;
  NodeView view(const Node& node) const;
  int graph_input_index(ValueId value) const override;
  const onnx::NodeProto& message(const NodeView& node) const override {
    return nodes_.message(*static_cast<const Node*>(node.node));
  }
  // Placed nodes are legal: they mean their operators at the versions that the
  // written graph imports.
  OperatorMeaning meaning_of(std::string_view domain, const std::string& op_type,
                             const std::string& overload) const override {
    const OperatorId op = sources_.model.intern_operator({domain, op_type, overload});
    return {.version = sources_.facts.of(op, sources_.written).version, .function = sources_.functions.message(op)};
  }
  ValueId value_of(std::string_view name) const override {
    return sources_.model.values().find(name).value_or(absent_value);
  }

 private:
  void forget_made_since(size_t count);

  const ScopeSources& sources_;
  GraphDeclarations declarations_;
  PlacedNodes nodes_;
  const GraphScope* enclosing_;
  const Node* holder_;

  mutable ElementTypes element_types_{*this};

  // Answers to questions that few graphs are asked, as a model may have a hundred thousand graphs.
  struct Remembered {
    // Types of the outputs of Constant nodes.
    std::unordered_map<ValueId, std::optional<onnx::TypeProto>> constant_types;
    std::unordered_map<ValueId, std::optional<onnx::TensorProto>> constants;
    // Of values behind long chains of Identity nodes.
    std::unordered_map<ValueId, ValueId> behind_identities;
    KnownByValue known_tensors;
    std::unordered_map<ValueId, ConstantElements> constant_elements;
    std::unordered_map<ValueId, bool> lists_of_several_types;
    std::unordered_set<ValueId> values_of_inputs;
  };
  Remembered& remembered() const {
    if (!remembered_) remembered_ = std::make_unique<Remembered>();
    return *remembered_;
  }
  mutable std::unique_ptr<Remembered> remembered_;  // made at the first question
};

// The innermost scope, of this one and those around it, that has the value; null when none does, or
// the value is absent.
template <typename Scope>
const Scope* defining_scope(const Scope* scope, ValueId value) {
  if (value == absent_value) return nullptr;
  while (scope != nullptr && !scope->defines(value)) scope = scope->enclosing();
  return scope;
}

// The node that makes a value, also where Identity nodes give the value further names; an empty
// view where there is none.
NodeView maker_behind_identities(const GraphScope& scope, ValueId value);

// The SequenceConstruct that makes a list, also where Identity nodes give the list further names;
// an empty view where there is none.
NodeView maker_of_list(const GraphScope& scope, ValueId list);

}  // namespace onnx_lower
