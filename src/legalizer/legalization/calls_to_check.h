// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Chooses the calls whose expansion is held against onnx's shape inference, as runtimes do it when
// they load the model: calls of rules of the user and of functions of the model, with all that
// built-in rules make of their nodes. What built-in rules make of the model's own nodes is proved
// by the tests.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "legalizer/scope/graph_scope.h"
#include "model_file/model.h"
#include "model_file/onnx_fields.h"
#include "model_file/wire.h"
#include "rules/rule_library.h"
#include "rules/text/form.h"

namespace onnx_lower {

// In a model of up to `most_nodes_of_small` nodes these are all calls, and all types before them
// are inferred. In a larger model they are the first few of each kind, as calls of one rule with
// equal attributes and types of inputs make the same.
class CallsToCheck {
 public:
  CallsToCheck(const Model& model, const RuleLibrary& rules)
      : looks_into_all_((!model.functions.empty() || rules.has_any_user_rule()) &&
                        model.node_count() <= most_nodes_of_small) {}

  // A number for the kind of `call`, which is about to be replaced by the form's body: calls that
  // make the same have the same number.
  static size_t kind_of(const Form& form, const Node& call, const GraphScope& scope) {
    size_t kind = form.origin == RuleOrigin::model ? call.op : std::hash<const Form*>()(&form);
    const auto add = [&kind](std::string_view bytes) { kind = kind * 31 + std::hash<std::string_view>()(bytes); };
    if (call.has_attributes) {
      WireField field;
      for (WireReader reader(call.wire); reader.next(field);) {
        if (field.number == field::Node::attribute) add(field.content);
      }
    }
    for (const ValueId input : call.inputs()) {
      const GraphScope* around = &scope;
      while (around != nullptr && around->declared_type(input) == nullptr) around = around->enclosing();
      add(around == nullptr ? std::string() : around->declared_type(input)->SerializeAsString());
    }
    return kind;
  }

  // Whether a call of that kind is to be checked. It counts as checked then, unless it is put back:
  // where something was wrong with it, the next call of its kind is to be checked, too.
  bool take(size_t kind) { return nodes_left_ > (looked_into_[kind]++ < most_alike ? 0 : left_for_new_kinds); }
  void put_back(size_t kind) { --looked_into_[kind]; }

  // Whether one more node may be checked.
  bool take_node() {
    if (nodes_left_ == 0) return false;
    --nodes_left_;
    return true;
  }

  // How many nodes may be inferred to find the types of a node's inputs; a node that depends on
  // more is not checked.
  size_t most_nodes_before() const { return looks_into_all_ ? most_nodes_of_small : 32; }

 private:
  static constexpr size_t most_nodes_of_small = 5'000;
  // How many calls of one kind are checked. The kind goes by declared types, and so does not tell
  // apart inputs whose types only inference would tell.
  static constexpr int most_alike = 4;
  static constexpr size_t left_for_new_kinds = 4'000;  // a tenth of a second

  std::unordered_map<size_t, int> looked_into_;
  bool looks_into_all_;
  size_t nodes_left_ = looks_into_all_ ? 5 * left_for_new_kinds : left_for_new_kinds;
};

}  // namespace onnx_lower
