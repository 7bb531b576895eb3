// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A graph while it is legalized: the nodes placed so far, and what is known of the values around the next one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "constant_folding/known_tensor.h"
#include "legalizer/model_functions.h"
#include "legalizer/operator_facts.h"
#include "model_file/model.h"
#include "types/value_scope.h"

namespace onnx_lower {

// What operators mean in nodes that are placed already: these are legal, so it is what the versions say that the written graph imports.
class PlacedMeanings final : public OperatorMeanings {
 public:
  PlacedMeanings(Model& model, OperatorFactsTable& facts, ModelFunctions& functions, OpsetContext target)
      : model_(model), facts_(facts), functions_(functions), target_(target) {}
  OperatorMeaning meaning_of(std::string_view domain, const std::string& op_type,
                             const std::string& overload) const override;

 private:
  Model& model_;
  OperatorFactsTable& facts_;
  ModelFunctions& functions_;
  OpsetContext target_;
};

// Dense tables by ValueId, for all scopes of a model: their entries are good for those that are open.
struct ValueTables {
  // The index of the node that makes the value, in the scope that placed it last, see GraphScope::node_at(); what it says holds for a scope only if its node
  // of that index does have the output. At no time do two open scopes make a value of the same name.
  std::vector<uint32_t> makers;
  // Of a value that `makers` knows: DataType, 0 when it cannot be told.
  std::vector<int8_t> element_types;
  // Of outputs of nodes whose operator does not tell it: what their subgraphs make, what an attached function makes.
  std::unordered_map<ValueId, int> told_types;

  void fit(size_t values) {
    if (makers.size() >= values) return;
    makers.resize(values);
    element_types.resize(values);
  }
};

// What the scopes of one destination (the main graph, a function) have in common. `own` are the versions that its nodes mean as they are read.
struct ScopeSources {
  Model& model;
  OperatorFactsTable& facts;
  ModelFunctions& functions;
  ValueTables& tables;
  PlacedMeanings placed;
  OpsetContext own;
};

// Nothing is indexed or parsed before somebody asks.
class GraphScope final : public ValueScope {
 public:
  // `holder` is the node of `enclosing` that holds the graph; both are null for the main graph and for functions.
  GraphScope(const ScopeSources& sources, const Graph& graph, const GraphScope* enclosing, const Node* holder)
      : sources_(sources), graph_(graph), enclosing_(enclosing), holder_(holder) {}

  // The legal nodes so far, in order.
  const std::vector<const Node*>& placed() const { return placed_; }
  std::vector<const Node*> take() { return std::move(placed_); }
  void reserve(size_t count) { placed_.reserve(count); }
  // The model keeps the node.
  void place(const Node& node) { placed_.push_back(&node); }
  // The same, with the element type of its first output (0: not known).
  void place(const Node& node, int element_type) {
    placed_.push_back(&node);
    if (element_type == 0) return;
    index_placed();
    sources_.tables.element_types[node.outputs()[0]] = static_cast<int8_t>(element_type);
  }
  // Places a run in the place of all but the first `count` nodes. `element_type`: of its output; 0 when not known.
  void place_run(const Node& run, int element_type, size_t count);
  // How many nodes stand in the model for those placed from `begin` on.
  size_t count_since(size_t begin) const;
  // Takes back all but the first `count` nodes.
  void take_back(size_t count);

  // Whether the graph is the body of a function, which has no initializers.
  bool is_function() const { return graph_.is_function; }
  // How many graphs are around this one.
  int depth() const;
  // Not own_opsets.
  OpsetContext context(const Node& node) const { return node.opsets == own_opsets ? sources_.own : node.opsets; }
  const OperatorFacts& facts(const Node& node) const { return sources_.facts.of(node.op, context(node)); }

  // The placed node of this scope that makes the value; nullptr when there is none.
  const Node* maker(ValueId value) const {
    const Node* node = maker_or_run(value);
    if (node == nullptr || !node->is_run()) return node;
    open(*node);
    return maker_or_run(value);
  }
  // The same, or the run that ends with that node.
  const Node* maker_or_run(ValueId value) const {
    const std::optional<size_t> index = placed_index(value);
    return index ? &node_at(*index) : nullptr;
  }
  // What the node is that holds the graph.
  OperatorRole holder_role() const {
    return holder_ == nullptr ? OperatorRole::none : enclosing_->facts(*holder_).role;
  }

  // The element type of a node's output that its operator does not tell.
  void tell_element_type(ValueId value, int type) const {
    if (type != 0) sources_.tables.told_types[value] = type;
  }

  // An initializer that the graph gets while it is legalized: a TensorProto that the model keeps.
  void add_initializer(const TensorSkeleton& initializer) {
    added_.emplace(
        initializer.value,
        Declaration{.value = initializer.value, .initializer = initializer.wire, .external = initializer.external});
    added_initializers_.push_back(initializer);
  }
  const std::vector<TensorSkeleton>& added_initializers() const { return added_initializers_; }
  // Takes back all but the first `count` of these.
  void take_back_initializers(size_t count);

  // The values of this scope that are known before the model runs (see known_tensors.h), remembered once they were asked for; nothing for a value of which nothing
  // is known.
  using KnownByValue = std::unordered_map<ValueId, std::optional<KnownTensor>>;
  KnownByValue& known_tensors() const { return known_tensors_; }

  // constant() of what takes no more bytes in the model; nullptr for all else, which is not read.
  const onnx::TensorProto* constant_up_to(ValueId value, size_t most_bytes) const;

  // What a declaration says of a value's element type (DataType); 0 when it says nothing.
  int declared_element_type(ValueId value) const;

  // The value that Identity nodes of this scope make the value of, one after the other; the value itself where none does.
  ValueId behind_identities(ValueId value) const;

  // A constant of this scope or of one around it, through Identity nodes.
  const onnx::TensorProto* visible_constant(ValueId value) const;

  bool defines(ValueId value) const override;
  const onnx::TypeProto* declared_type(ValueId value) const override;
  const onnx::TypeProto* constant_type(ValueId value) const override;
  int element_type(ValueId value) const override;
  const onnx::TensorProto* constant(ValueId value) const override;
  NodeView producer(ValueId value) const override;
  bool has_producer(ValueId value) const override { return placed_index(value).has_value(); }
  std::vector<ValueId> shape_sources(ValueId value) const override;
  const GraphScope* enclosing() const override { return enclosing_; }
  NodeView holder() const override;
  int graph_input_index(ValueId value) const override;
  const onnx::NodeProto& message(const NodeView& node) const override {
    return message(*static_cast<const Node*>(node.node));
  }
  const OperatorMeanings& meanings() const override { return sources_.placed; }
  ValueId value_of(std::string_view name) const override {
    return sources_.model.values().find(name).value_or(absent_value);
  }

 private:
  struct Declaration {
    ValueId value = absent_value;
    Bytes type_holder = {};  // a ValueInfoProto
    Bytes initializer = {};  // a TensorProto
    int input_index = -1;
    bool external = false;
  };

  // What decides the element type of a value that a node makes: it is known, or that of inputs (of all of these if `op` is null), or neither.
  struct TypeSource {
    int element_type = 0;
    std::span<const ValueId> inputs = {};
    const OperatorVersion* op = nullptr;
    ElementTypeSource same = {};
  };

  static constexpr int8_t not_asked = -1;
  // A node can have a hundred thousand outputs, and each of them be asked for: those of a node with more than this are indexed.
  static constexpr size_t most_outputs_searched = 16;
  static constexpr uint32_t first_of_runs = uint32_t{1} << 31;

  void index_declarations() const;
  bool is_replaceable(const Declaration& initializer) const;
  const Declaration* declaration(ValueId value) const;
  int type_from_outside(ValueId value) const;
  void index_placed() const;
  int8_t type_from_input(const Node& node) const;
  TypeSource type_source(ValueId value, const Node& maker) const;
  int find_element_type(ValueId value, size_t maker) const;
  // Of what `makers` says: a placed node, or one of a run that somebody asked for.
  const Node& node_at(size_t index) const {
    return index < first_of_runs ? *placed_[index] : *opened_[index - first_of_runs];
  }
  // Reads the nodes of a run.
  void open(const Node& run) const;
  // By a node that is indexed.
  bool is_made(ValueId value) const {
    const std::vector<uint32_t>& makers = sources_.tables.makers;
    if (value >= makers.size()) return false;
    const size_t maker = makers[value];
    if (maker >= makers_indexed_ && (maker < first_of_runs || maker - first_of_runs >= opened_.size())) return false;
    const std::span<const ValueId> outputs = node_at(maker).outputs();
    if (outputs.size() == 1) return outputs[0] == value;  // so are nearly all
    if (outputs.size() > most_outputs_searched) return output_index(node_at(maker), value).has_value();
    return std::find(outputs.begin(), outputs.end(), value) != outputs.end();
  }
  std::optional<size_t> placed_index(ValueId value) const;
  // Which output of the node the value is.
  std::optional<size_t> output_index(const Node& node, ValueId value) const;
  const onnx::NodeProto& message(const Node& node) const;
  NodeView view(const Node& node) const;

  const ScopeSources& sources_;
  const Graph& graph_;
  const GraphScope* enclosing_;
  const Node* holder_;
  std::vector<const Node*> placed_;

  // Made at the first question.
  mutable std::optional<std::vector<Declaration>> declarations_;  // by ValueId
  mutable size_t makers_indexed_ = 0;                             // the placed nodes that are in the tables
  mutable std::vector<const Node*> opened_;                       // nodes of runs that somebody asked for
  mutable std::unordered_map<const Node*, std::unordered_map<ValueId, size_t>> wide_nodes_;  // indices of outputs
  mutable std::unordered_map<ValueId, onnx::TypeProto> types_;                               // as they are declared
  mutable std::unordered_map<ValueId, std::optional<onnx::TypeProto>> constant_types_;  // of what Constant nodes make
  mutable std::unordered_map<ValueId, onnx::TensorProto> initializers_;
  mutable std::unordered_map<const Node*, onnx::NodeProto> messages_;  // of placed nodes, and of the holder
  mutable std::unordered_map<ValueId, std::optional<onnx::TensorProto>> constants_;
  mutable std::unordered_map<ValueId, ValueId> behind_identities_;  // of what many of them follow one another to
  mutable KnownByValue known_tensors_;

  std::unordered_map<ValueId, Declaration> added_;
  std::vector<TensorSkeleton> added_initializers_;
};

// The SequenceConstruct that makes a list which nodes of the scope may use, also where Identity gives it further names; no node where there is none.
NodeView maker_of_list(const GraphScope& scope, ValueId list);

// What a node is called in messages: its name, or its first output where it has none. Lasts as long as the model.
std::string_view display_name(const Model& model, const Node& node);

// The node as a message. Throws InvalidInput when protobuf does not read it (subgraphs nested too deep).
onnx::NodeProto node_message(Model& model, const Node& node);
// The same into a message whose memory is used again.
void read_node_message(Model& model, const Node& node, onnx::NodeProto& message);
// A node of the model that says what the message says.
const Node& keep_node(Model& model, const onnx::NodeProto& message, OpsetContext opsets);

}  // namespace onnx_lower
