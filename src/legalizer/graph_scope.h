// A graph while it is legalized: the nodes placed so far, and what is known of the values around the next one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model_file/model.h"
#include "standard_operators/operator_table.h"
#include "types/element_type_source.h"
#include "types/value_scope.h"

namespace onnx_lower {

// Nothing is indexed or parsed before somebody asks.
class GraphScope : public ValueScope {
 public:
  // `holder` is the node of `enclosing` that holds the graph; both are null for the main graph and for functions.
  GraphScope(Model& model, const Graph& graph, const GraphScope* enclosing, const Node* holder)
      : model_(model),
        graph_(graph),
        enclosing_(enclosing),
        holder_(holder),
        tables_(enclosing != nullptr ? enclosing->tables_ : std::make_shared<Tables>()) {}

  // The legal nodes so far, in order.
  const std::vector<const Node*>& placed() const { return placed_; }
  std::vector<const Node*> take() { return std::move(placed_); }
  void reserve(size_t count) { placed_.reserve(count); }
  // The model keeps the node.
  void place(const Node& node) { placed_.push_back(&node); }
  // Takes back all but the first `count` nodes.
  void take_back(size_t count);

  // TensorProto.DataType of a value of this scope or of one around it, as far as declarations and the table of operators tell without
  // parsing a node; 0 when they do not.
  int element_type(ValueId value) const;

  // A constant of this scope or of one around it, through Identity nodes.
  const onnx::TensorProto* visible_constant(std::string_view value) const;

  bool defines(std::string_view value) const override;
  const onnx::TypeProto* declared_type(std::string_view value) const override;
  const onnx::TensorProto* constant(std::string_view value) const override;
  const onnx::NodeProto* producer(std::string_view value) const override;
  const ValueScope* enclosing() const override { return enclosing_; }
  const onnx::NodeProto* holder() const override;
  int graph_input_index(std::string_view value) const override;

 private:
  struct Declaration {
    ValueId value = absent_value;
    Bytes type_holder = {};  // a ValueInfoProto
    Bytes initializer = {};  // a TensorProto
    int input_index = -1;
    bool external = false;
  };

  // What decides the element type of a value of this scope: it is known, or that of another value, or neither.
  struct KnownType {
    int element_type = 0;
    ValueId same_as = absent_value;
  };
  KnownType known_type(ValueId value, std::optional<size_t> maker) const;

  struct KnownOperator {
    const OperatorVersion* version = nullptr;  // that the model's opset has, if it has one
    bool is_cast = false;
    bool is_constant = false;
    ElementTypeSource first_output;
  };

  // Dense tables, shared by the scope of a graph and those inside it.
  struct Tables {
    // By ValueId: the index of the node that makes the value, in the scope that placed it last; what it says holds for a scope only if its node of that
    // index does have the output. At no time do two open scopes make a value of the same name.
    std::vector<uint32_t> makers;
    // By ValueId, of a value that `makers` knows: DataType, 0 when it cannot be told.
    std::vector<int8_t> element_types;
    std::vector<std::optional<KnownOperator>> operators;  // by OperatorId
  };
  static constexpr int8_t not_asked = -1;

  const KnownOperator& known_operator(OperatorId op) const {
    const auto& known = tables_->operators;
    return op < known.size() && known[op] ? *known[op] : learn_operator(op);
  }
  const KnownOperator& learn_operator(OperatorId op) const;

  void index_declarations() const;
  bool is_declared(ValueId value) const {
    if (!declarations_) index_declarations();
    return value < is_declared_.size() && is_declared_[value];
  }
  const Declaration* declaration(ValueId value) const;
  const Declaration* declaration(std::string_view value) const;
  void index_placed() const;
  int8_t type_from_input(const Node& node) const;
  // By a node that is indexed.
  bool is_made(ValueId value) const {
    const std::vector<uint32_t>& makers = tables_->makers;
    if (value >= makers.size() || makers[value] >= makers_indexed_) return false;
    const std::span<const ValueId> outputs = placed_[makers[value]]->outputs();
    if (outputs.size() == 1) return outputs[0] == value;  // so are nearly all
    return std::find(outputs.begin(), outputs.end(), value) != outputs.end();
  }
  std::optional<size_t> placed_index(ValueId value) const;
  std::optional<size_t> placed_index(std::string_view value) const;
  const onnx::TypeProto* declared_type(const Declaration& declared) const;
  const onnx::NodeProto& message(size_t index) const;

  Model& model_;
  const Graph& graph_;
  const GraphScope* enclosing_;
  const Node* holder_;
  std::vector<const Node*> placed_;

  // Made at the first question. Values are found by their names' ids.
  mutable std::optional<std::vector<Declaration>> declarations_;  // by ValueId
  mutable std::vector<bool> is_declared_;                         // by ValueId
  std::shared_ptr<Tables> tables_;
  mutable std::vector<ValueId> same_type_;  // of one question
  mutable size_t makers_indexed_ = 0;       // the placed nodes that are in the tables
  mutable std::unordered_map<ValueId, std::optional<onnx::TypeProto>> types_;
  mutable std::unordered_map<ValueId, onnx::TensorProto> initializers_;
  mutable std::unordered_map<size_t, onnx::NodeProto> messages_;
  mutable std::unordered_map<ValueId, std::optional<onnx::TensorProto>> constants_;
  mutable std::optional<onnx::NodeProto> holder_message_;
};

// The node as a message. Throws InvalidInput when protobuf does not read it (subgraphs nested too deep).
onnx::NodeProto node_message(Model& model, const Node& node);
// The same into a message whose memory is used again.
void read_node_message(Model& model, const Node& node, onnx::NodeProto& message);

}  // namespace onnx_lower
