// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A function's body as a template, made once for each form and model, so that an instance costs
// little more than its bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "legalizer/knowledge/operator_facts.h"
#include "model_file/arena.h"
#include "model_file/model.h"
#include "rules/text/form.h"
#include "standard_operators/operator_role.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

class BodyTemplate {
 public:
  // Names of the body, numbered: 0 is absent, then come the formal inputs, the formal outputs, and
  // what is in between.
  using Slot = uint32_t;

  // A few words: what it refers to belongs to the template. A function of the model can have a
  // hundred thousand.
  class Node {
   public:
    OperatorId op = 0;
    int line = 0;                              // in the rule's file; 0 when it has none
    const OperatorVersion* version = nullptr;  // of a standard operator, by the function's imports
    int cast_type = 0;                         // TensorProto.DataType, where a Cast says it itself
    OperatorRole role = OperatorRole::none;
    // an Identity for an output of the function that is one of its inputs, or another output
    bool is_copy = false;

    std::span<const Slot> inputs() const { return {slots_.first, slots_.inputs}; }
    std::span<const Slot> outputs() const { return {slots_.first + slots_.inputs, slots_.outputs}; }
    // By its subgraphs.
    std::span<const Slot> captured() const { return {slots_.first + slots_.inputs + slots_.outputs, slots_.captured}; }
    // Formal inputs of the body that may not be absent.
    std::span<const Slot> required() const { return {slots_.first + slots_.all - slots_.required, slots_.required}; }

    std::string_view name() const { return {text_.begin, text_.name}; }
    // Encoded: op_type, and the attributes that are neither reference nor graph; then, behind all
    // attributes, doc_string, domain and overload.
    std::string_view head() const { return {text_.begin + text_.name, text_.head}; }
    bool has_fixed_attributes() const { return has_fixed_attributes_; }
    std::string_view tail() const { return {text_.begin + text_.name + text_.head, text_.tail}; }

    // Attributes that refer to attributes of the function; with a type where the operator's schema
    // or the rule says one.
    std::span<const onnx::AttributeProto> references() const {
      if (rest_ == nullptr) return {};
      return rest_->references;
    }
    std::span<const onnx::AttributeProto> graphs() const {
      if (rest_ == nullptr) return {};
      return rest_->graphs;
    }
    // Whether a reference's value tells the element type of what the node makes, as that of Cast's
    // `to` does; a number of a Constant is of one type.
    bool makes_type_of_reference() const { return rest_ != nullptr && rest_->makes_type_of_reference; }
    // Whether the conditions of its operator (standard_operators/node_conditions.h) hold, only the
    // call tells.
    bool has_open_conditions() const { return rest_ != nullptr && rest_->has_open_conditions; }
    // Why no such node can be made, whatever the call is; mostly empty.
    std::string_view problem() const {
      if (rest_ == nullptr) return {};
      return rest_->problem;
    }

   private:
    friend BodyTemplate;

    // What most nodes do not have.
    struct Rest {
      std::vector<onnx::AttributeProto> references;
      std::vector<onnx::AttributeProto> graphs;
      bool makes_type_of_reference = false;
      bool has_open_conditions = false;
      std::string problem;
    };

    // How many there are of each, one kind after the other.
    struct Slots {
      const Slot* first = nullptr;
      uint32_t inputs = 0, outputs = 0, captured = 0, required = 0;
      uint32_t all = 0;
    };

    // The sizes of its parts, which lie one after the other.
    struct Text {
      const char* begin = nullptr;
      uint32_t name = 0, head = 0, tail = 0;
    };

    Slots slots_;
    Text text_;
    const Rest* rest_ = nullptr;
    bool has_fixed_attributes_ = false;
  };

  // What tells two instances of one node of the body apart, where values of attributes do not
  // matter. A byte for each input and each reference.
  struct Signature {
    uint64_t input_types = 0;  // TensorProto.DataType; 0 for an absent input
    // AttributeProto.AttributeType of what the call says; 0 where it says nothing
    uint64_t reference_types = 0;

    bool operator==(const Signature&) const = default;
  };

  // Where and with which signature a node of the body stood as it is, and of which type was what it
  // made first.
  struct StoodNode {
    Signature signature;
    uint32_t destination = 0;  // see NodeLegality::destination(); 0: nowhere yet
    int made_type = 0;         // TensorProto.DataType
  };

  // `opsets` is the number of the function's imports. What is wrong with a node is noted at the
  // node, for calls that need the node; others can be lowered.
  BodyTemplate(Model& model, OperatorFactsTable& facts, const Form& form, OpsetContext opsets);

  const std::vector<Node>& nodes() const { return nodes_; }
  // How a node of the body stood in an instance before; the same for each node that has not stood
  // yet.
  StoodNode& stood(const Node& node) const {
    if (stood_.empty()) stood_.resize(nodes_.size());
    return stood_[static_cast<size_t>(&node - nodes_.data())];
  }
  // By slot, whether one of the outputs that are wanted needs the value.
  std::vector<bool> needed_values(const std::function<bool(size_t output)>& is_wanted) const;
  // The same, where all are wanted.
  const std::vector<bool>& needed_values() const { return needed_values_; }
  OpsetContext opsets() const { return opsets_; }
  Model& model() const { return model_; }
  size_t slot_count() const { return slot_names_.size(); }
  std::string_view slot_name(Slot slot) const { return slot_names_[slot]; }
  // 0 when the body has no value of that name.
  Slot find(std::string_view name) const;
  size_t input_count() const { return input_count_; }
  size_t output_count() const { return output_count_; }
  Slot input(size_t index) const { return static_cast<Slot>(1 + index); }
  Slot output(size_t index) const { return static_cast<Slot>(1 + input_count_ + index); }
  bool is_formal_input(Slot slot) const { return slot != 0 && slot <= input_count_; }
  bool is_formal(Slot slot) const { return slot != 0 && slot <= input_count_ + output_count_; }
  // TensorProto.DataType of what a Constant of the body makes, where it tells; 0 for all else.
  int constant_type(Slot slot) const { return constant_types_[slot]; }

 private:
  // What a node gets while it is made.
  struct Parts;

  // The numbered name lasts as long as the template.
  Slot add_slot(std::string_view name);
  Slot slot(std::string_view name);
  std::vector<std::pair<std::string, std::string>> add_formal_values(const onnx::FunctionProto& function);
  void add_node(const onnx::NodeProto& node, int line, OperatorFactsTable& facts);
  void check_conditions(const onnx::NodeProto& node, const OperatorVersion& version, Parts& parts) const;
  void add_inputs(const onnx::NodeProto& node, const Node& made, Parts& parts);
  void keep_slots(Node& made, const Parts& parts);
  void keep_text(Node& made, const onnx::NodeProto& node, const std::string& head);
  void add_attribute(const Node& node, const onnx::AttributeProto& attribute, Parts& parts);

  Model& model_;
  OpsetContext opsets_;
  Arena arena_{first_chunk};
  std::vector<std::string_view> slot_names_;
  std::vector<int> constant_types_;  // by slot
  std::vector<Node> nodes_;
  std::vector<bool> needed_values_;
  mutable std::vector<StoodNode> stood_;  // by node, once the first stood
  std::vector<std::unique_ptr<const Node::Rest>> rests_;
  size_t input_count_ = 0;
  size_t output_count_ = 0;
  std::unordered_map<std::string_view, Slot> slots_;

  // Before it gives more than this, malloc looks through all that is free.
  static constexpr size_t first_chunk = 960;
};

// Makes a Constant's number or list a tensor, which is how every runtime reads it at every opset:
// OpenVINO refuses value_float below opset 13.
// False when it is neither, or only a reference.
bool write_as_tensor(const onnx::AttributeProto& attribute, const std::string& name, onnx::AttributeProto& value);

}  // namespace onnx_lower
