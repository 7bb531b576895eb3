// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The nodes that take the place of one node: an instance of a rule's body, with fresh names.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "legalizer/body/attribute_binding.h"
#include "legalizer/body/body_template.h"
#include "legalizer/body/origin.h"
#include "legalizer/knowledge/model_functions.h"
#include "legalizer/knowledge/readers.h"
#include "legalizer/legalize_result.h"
#include "legalizer/nodes/fresh_names.h"
#include "legalizer/scope/graph_scope.h"

namespace onnx_lower {

// How the names of all values and nodes begin that a node is lowered to: with the node's name, or
// that of its first output; of a long name, with its first part.
std::string_view name_prefix(const Model& model, const Node& node);

// An output of a node, and the value that stands for it: no node makes the output.
struct Substitution {
  ValueId output;
  ValueId value;
};

// Makes the nodes one after another, so that each sees what became of those before it. The
// function's inputs and outputs become the node's; all other names are fresh. Nodes that only serve
// outputs which the node does not have are left out.
class BodyInstance {
 public:
  // All arguments must outlive the instance. `constants_refer`: a Constant may refer to an
  // attribute of the function that the body becomes (--attach); else it holds a tensor.
  BodyInstance(const BodyTemplate& body, const Node& node, const AttributeBinding& binding, const Origin& origin,
               bool constants_refer, FreshNames& names);

  // Sets the last inputs of the body to these values, where the node has no such inputs.
  void set_last_inputs(std::span<const ValueId> values) {
    for (size_t index = 0; index < values.size(); ++index)
      slots_[body_.input(body_.input_count() - values.size() + index)].value = values[index];
  }

  const BodyTemplate& body() const { return body_; }

  // The next node of the body that is to be made or substituted. Null when there is none; or with a
  // refusal, when the node needs an input that is absent.
  const BodyTemplate::Node* next(std::optional<Refusal>& refusal);

  // An input of the node, and its only output. absent_value for an input that is absent, and for an
  // output that has no name yet or is one of several.
  ValueId input_of(const BodyTemplate::Node& node, size_t input) const {
    return input < node.inputs().size() ? slots_[node.inputs()[input]].value : absent_value;
  }
  ValueId output_of(const BodyTemplate::Node& node) const {
    return node.outputs().size() == 1 ? slots_[node.outputs()[0]].value : absent_value;
  }
  // The element type of an input, and the type to which a Cast or CastLike casts; 0 when not known.
  int input_type(const BodyTemplate::Node& node, size_t input, const GraphScope& scope) const;
  int cast_type(const BodyTemplate::Node& node, const GraphScope& scope) const;
  // nullopt where the type of an input is not known, where the value of an attribute decides a type
  // or is itself a reference, or where there are more than eight inputs or references.
  std::optional<BodyTemplate::Signature> signature(const BodyTemplate::Node& node, const GraphScope& scope) const;
  // The element type of the formal input of that index: 0 where it is absent, or its type is not
  // known.
  int formal_type(size_t index, const GraphScope& scope) const;
  bool has_formal_input(size_t index) const { return slots_[body_.input(index)].value != absent_value; }
  // A byte for each reference of the node, as in BodyTemplate::Signature.
  std::optional<uint64_t> reference_types(const BodyTemplate::Node& node) const;
  // Whether every node of the body is made.
  bool makes_all() const { return needed_ == nullptr; }
  // To be called when a node of the body is placed, with the element type of its first output.
  void note_made_type(const BodyTemplate::Node& node, int element_type) {
    if (!node.outputs().empty()) slots_[node.outputs()[0]].element_type = static_cast<int8_t>(element_type);
  }

  // The element type of the node's first output, as far as the body itself tells; 0 where
  // it does not.
  int made_type(const BodyTemplate::Node& node) const {
    return node.outputs().empty() ? 0 : body_.constant_type(node.outputs()[0]);
  }

  // Whether a value of the body may have no use when the node is not made: the position in a list,
  // or the value to whose type a CastLike casts.
  bool may_leave_unused(const BodyTemplate::Node& node) const {
    return node.inputs().size() > 1 && !body_.is_formal_input(node.inputs()[1]);
  }

  // Makes the node that next() gave. `problem` gets what speaks against the node in this call by
  // its operator's schema. Null with a refusal.
  const Node* make(const BodyTemplate::Node& node, std::string& problem, std::optional<Refusal>& refusal);
  // Lets the value stand for the node's only output, so that the node need not be made.
  void substitute(const BodyTemplate::Node& node, ValueId value) {
    slots_[node.outputs()[0]].value = value;
    slots_[node.outputs()[0]].element_type = 0;
  }
  // The same for several outputs, in their order.
  void substitute(const BodyTemplate::Node& node, std::span<const Substitution> substitutions);

  // For the body of a model's function: leaves out nodes that no output needs, and in a called
  // function those that only make what nothing needs.
  void leave_out_unneeded(const ModelFunctions& functions) {
    functions_ = &functions;
    if (needed_ == nullptr) needed_ = &body_.needed_values();
  }
  // For a call in the model's graph: also leaves out nodes that only outputs need
  // which nothing reads.
  void leave_out_unread(const Readers& readers);

  // The value that stands for the output of that index of the function.
  ValueId output(size_t index) const { return slots_[body_.output(index)].value; }

 private:
  using Slot = BodyTemplate::Slot;

  BodyInstance(const BodyInstance&) = delete;

  void need_outputs(const std::function<bool(size_t output)>& is_wanted);
  bool is_needed(Slot slot) const { return needed_ == nullptr || (*needed_)[slot]; }
  void prefetch_names_of_next();
  std::string_view name_of(const BodyTemplate::Node& node);
  size_t input_count(const BodyTemplate::Node& node) const;
  std::span<ValueId> values_of(const BodyTemplate::Node& node, size_t input_count);
  bool write_references(const BodyTemplate::Node& node, std::string& problem, std::optional<Refusal>& refusal);
  bool holds_graphs(const BodyTemplate::Node& node) const;
  void write_graphs(const BodyTemplate::Node& node);

  const BodyTemplate& body_;
  Model& model_;
  const AttributeBinding& binding_;
  const Origin& origin_;
  bool constants_refer_;
  FreshNames& names_;
  std::string_view prefix_;
  struct SlotState {
    ValueId value = absent_value;
    int8_t element_type = 0;  // 0 until it was asked for or noted
  };
  mutable std::vector<SlotState> slots_;       // by slot
  const std::vector<bool>* needed_ = nullptr;  // by slot; null where every node is made
  // The same where the call wants some outputs only; needed_ points to it then.
  std::vector<bool> needed_here_;
  // Their calls make only what is needed. Null where they make everything.
  const ModelFunctions* functions_ = nullptr;
  size_t next_ = 0;
};

}  // namespace onnx_lower
