// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A function's body as a template, made once for each form and model, so that an instance costs little more than its bytes.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "legalizer/operator_facts.h"
#include "model_file/model.h"
#include "rules/form.h"
#include "standard_operators/operator_role.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

inline bool holds_graph(const onnx::AttributeProto& attribute) {
  return attribute.has_g() || attribute.graphs_size() > 0;
}

class BodyTemplate {
 public:
  // Names of the body, numbered: 0 is absent, then come the formal inputs, the formal outputs, and what is in between.
  using Slot = uint32_t;

  struct Node {
    OperatorId op = 0;
    OperatorRole role = OperatorRole::none;
    const OperatorVersion* version = nullptr;  // of a standard operator, by the function's imports
    std::vector<Slot> inputs;
    std::vector<Slot> outputs;
    std::vector<Slot> captured;  // by its subgraphs
    std::vector<Slot> required;  // inputs that may not be absent
    std::string name;
    std::string head;              // op_type, encoded
    std::string fixed_attributes;  // encoded, neither reference nor graph
    int cast_type = 0;             // TensorProto.DataType, where a Cast says it itself
    // Attributes that refer to attributes of the function; with a type where the operator's schema or the rule says one.
    std::vector<onnx::AttributeProto> references;
    std::vector<onnx::AttributeProto> graphs;
    std::string tail;      // doc_string, domain, overload, encoded
    std::string problem;   // why no such node can be made, whatever the call is; mostly empty
    int line = 0;          // in the rule's file; 0 when it has none
    bool is_copy = false;  // an Identity for an output of the function that is one of its inputs, or another output
  };

  // `opsets` is the number of the function's imports. What is wrong with a node is noted at the node, for calls that need the node; others can be lowered.
  BodyTemplate(Model& model, OperatorFactsTable& facts, const Form& form, OpsetContext opsets);

  const std::vector<Node>& nodes() const { return nodes_; }
  OpsetContext opsets() const { return opsets_; }
  Model& model() const { return model_; }
  size_t slot_count() const { return slot_names_.size(); }
  const std::string& slot_name(Slot slot) const { return slot_names_[slot]; }
  // 0 when the body has no value of that name.
  Slot find(const std::string& name) const;
  size_t input_count() const { return input_count_; }
  size_t output_count() const { return output_count_; }
  Slot input(size_t index) const { return static_cast<Slot>(1 + index); }
  Slot output(size_t index) const { return static_cast<Slot>(1 + input_count_ + index); }
  bool is_formal_input(Slot slot) const { return slot != 0 && slot <= input_count_; }
  bool is_formal(Slot slot) const { return slot != 0 && slot <= input_count_ + output_count_; }
  // TensorProto.DataType of what a Constant of the body makes, where it tells; 0 for all else.
  int constant_type(Slot slot) const { return constant_types_[slot]; }

 private:
  Slot slot(const std::string& name);
  std::vector<std::pair<std::string, std::string>> add_formal_values(const onnx::FunctionProto& function);
  void add_node(const onnx::NodeProto& node, int line);
  void add_attribute(Node& made, const onnx::AttributeProto& attribute);

  Model& model_;
  OperatorFactsTable& facts_;
  OpsetContext opsets_;
  std::vector<std::string> slot_names_;
  std::vector<int> constant_types_;  // by slot
  std::vector<Node> nodes_;
  size_t input_count_ = 0;
  size_t output_count_ = 0;
  std::unordered_map<std::string, Slot> slots_;
};

// Makes a Constant's number or list a tensor, which is how every runtime reads it at every opset: OpenVINO refuses value_float below opset 13.
// False when it is neither, or only a reference.
bool write_as_tensor(const onnx::AttributeProto& attribute, const std::string& name, onnx::AttributeProto& value);

}  // namespace onnx_lower
