// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A function's body, compiled once for each form and model, so that an instance costs little more
// than the bytes of its nodes.
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
  // A value of the body as a number: 0 is the absent value, then come the formal inputs, the formal
  // outputs, and the values in between.
  using Slot = uint32_t;

  // A node of the body. It is small, as a function of the model can have a hundred thousand; what
  // it points to belongs to the template.
  class Node {
   public:
    OperatorId op = 0;
    int line = 0;  // in the rule's file; 0 when not known
    // By the function's imports; null for an operator that ONNX does not define.
    const OperatorVersion* version = nullptr;
    int cast_type = 0;  // the DataType to which a Cast casts by an attribute of its own; else 0
    OperatorRole role = OperatorRole::none;
    // An Identity that the template adds, for an output of the function that is one of its inputs,
    // or another output.
    bool is_copy = false;
    // A Constant whose tensor is derived from a constant of the model (model_file/derivation.h).
    bool is_derived = false;

    std::span<const Slot> inputs() const { return {slots_.first, slots_.inputs}; }
    std::span<const Slot> outputs() const { return {slots_.first + slots_.inputs, slots_.outputs}; }
    // The values that the node's subgraphs capture.
    std::span<const Slot> captured() const { return {slots_.first + slots_.inputs + slots_.outputs, slots_.captured}; }
    // The formal inputs that the node needs, so that they may not be absent.
    std::span<const Slot> required() const { return {slots_.first + slots_.all - slots_.required, slots_.required}; }

    std::string_view name() const { return {text_.begin, text_.name}; }
    // Encoded fields: head() is op_type and the attributes that neither refer to attributes of
    // the function nor hold graphs; tail(), which stands behind all attributes, is doc_string,
    // domain and overload.
    std::string_view head() const { return {text_.begin + text_.name, text_.head}; }
    bool has_fixed_attributes() const { return has_fixed_attributes_; }
    std::string_view tail() const { return {text_.begin + text_.name + text_.head, text_.tail}; }

    // The attributes that refer to attributes of the function; each has a type where the operator's
    // schema or the rule says one.
    std::span<const onnx::AttributeProto> references() const {
      if (rest_ == nullptr) return {};
      return rest_->references;
    }
    std::span<const onnx::AttributeProto> graphs() const {
      if (rest_ == nullptr) return {};
      return rest_->graphs;
    }
    // Whether the value of a reference decides the element type of the node's first output, as that
    // of Cast's `to` does. It does not in a Constant with a number, which is of one type.
    bool makes_type_of_reference() const { return rest_ != nullptr && rest_->makes_type_of_reference; }
    // Whether only the call tells if the node meets the conditions of its
    // operator (see standard_operators/node_conditions.h).
    bool has_open_conditions() const { return rest_ != nullptr && rest_->has_open_conditions; }
    // Why the node cannot be made, whatever the call is; mostly empty.
    std::string_view problem() const {
      if (rest_ == nullptr) return {};
      return rest_->problem;
    }

   private:
    friend BodyTemplate;

    // The part that most nodes do not have.
    struct Rest {
      std::vector<onnx::AttributeProto> references;
      std::vector<onnx::AttributeProto> graphs;
      bool makes_type_of_reference = false;
      bool has_open_conditions = false;
      std::string problem;
    };

    // The slots of the node, one kind after another, and how many there are of each.
    struct Slots {
      const Slot* first = nullptr;
      uint32_t inputs = 0, outputs = 0, captured = 0, required = 0;
      uint32_t all = 0;
    };

    // The text of the node, part after part, and the size of each.
    struct Text {
      const char* begin = nullptr;
      uint32_t name = 0, head = 0, tail = 0;
    };

    Slots slots_;
    Text text_;
    const Rest* rest_ = nullptr;
    bool has_fixed_attributes_ = false;
  };

  // What tells apart two instances of one node of the body, as far as values of attributes do not
  // matter: a byte for each input and each reference.
  struct Signature {
    uint64_t input_types = 0;  // DataTypes; 0 for an absent input
    // AttributeTypes of what the call gives; 0 where it gives nothing.
    uint64_t reference_types = 0;

    bool operator==(const Signature&) const = default;
  };

  // What is remembered of the last instance in which a node of the body was placed as it is.
  struct StoodNode {
    Signature signature;
    // See NodeLegality::destination(); 0 where there was no such instance.
    uint32_t destination = 0;
    int made_type = 0;  // the DataType of the node's first output
  };

  // What became of a node of the body in an instance.
  enum class Became : uint8_t { placed, placed_as_cast, an_input, nothing };

  // What is remembered of the last instance in which the types of inputs and attributes decided all
  // of it.
  struct Course {
    struct Step {
      Became became = Became::nothing;
      uint64_t reference_types = 0;  // as in Signature
      int made_type = 0;             // as in StoodNode
    };
    uint32_t destination = 0;              // as in StoodNode
    std::vector<int8_t> input_types = {};  // DataTypes of the formal inputs; 0 for an absent one
    std::vector<Step> steps = {};          // by node
    int failures = 0;                      // instances in a row of which this was not true
  };

  // `opsets` stands for the function's imports. What is wrong with a node is noted at the node:
  // calls that do not need it can be lowered all the same.
  BodyTemplate(Model& model, OperatorFactsTable& facts, const Form& form, OpsetContext opsets);

  const std::vector<Node>& nodes() const { return nodes_; }
  // What is remembered of the node; it is empty at first.
  StoodNode& stood(const Node& node) const {
    if (stood_.empty()) stood_.resize(nodes_.size());
    return stood_[static_cast<size_t>(&node - nodes_.data())];
  }
  Course& course() const { return course_; }
  // By slot, whether one of the function's outputs that are wanted needs the value.
  std::vector<bool> needed_values(const std::function<bool(size_t output)>& is_wanted) const;
  // The same where all outputs are wanted.
  const std::vector<bool>& needed_values() const { return needed_values_; }
  OpsetContext opsets() const { return opsets_; }
  Model& model() const { return model_; }
  size_t slot_count() const { return slot_names_.size(); }
  std::string_view slot_name(Slot slot) const { return slot_names_[slot]; }
  // The slot of the value with that name; 0 when there is none.
  Slot find(std::string_view name) const;
  size_t input_count() const { return input_count_; }
  size_t output_count() const { return output_count_; }
  Slot input(size_t index) const { return static_cast<Slot>(1 + index); }
  Slot output(size_t index) const { return static_cast<Slot>(1 + input_count_ + index); }
  bool is_formal_input(Slot slot) const { return slot != 0 && slot <= input_count_; }
  bool is_formal(Slot slot) const { return slot != 0 && slot <= input_count_ + output_count_; }
  // The first value that a node reads and nothing makes; mostly empty.
  const std::string& lacking() const { return lacking_; }
  // The DataType of what a Constant of the body makes, where that is known; 0 for all other values.
  int constant_type(Slot slot) const { return constant_types_[slot]; }

 private:
  // The parts of a node while it is compiled.
  struct Parts;

  // Gives the name a number. Names of slots last as long as the template.
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
  std::string lacking_;
  mutable std::vector<StoodNode> stood_;  // by node; empty until stood() is called
  mutable Course course_;
  std::vector<std::unique_ptr<const Node::Rest>> rests_;
  size_t input_count_ = 0;
  size_t output_count_ = 0;
  std::unordered_map<std::string_view, Slot> slots_;

  // For a larger chunk, malloc would look through all memory that is free.
  static constexpr size_t first_chunk = 960;
};

// Writes a Constant's number or list as a tensor, which every runtime reads at every opset:
// OpenVINO refuses value_float below opset 13. False when the attribute is neither, or only
// refers to one.
bool write_as_tensor(const onnx::AttributeProto& attribute, const std::string& name, onnx::AttributeProto& value);

}  // namespace onnx_lower
