// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is legal: the operators that the written graph may hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "legalizer/graph_scope.h"
#include "legalizer/legalize_options.h"
#include "legalizer/model_functions.h"
#include "legalizer/operator_facts.h"
#include "legalizer/opset_contexts.h"
#include "model_file/model.h"
#include "onnx/onnx_pb.h"
#include "rules/rule_library.h"

namespace onnx_lower {

enum class Legality : uint8_t {
  unknown,
  legal,
  illegal,
  by_node,      // the versions of the operator differ: it depends on what the node uses
  unless_text,  // a Constant, but not one whose value is a string
};

// Legal are the operators of ai.onnx and ai.onnx.ml at the target's versions, when they mean there what the node means at its own; and what the user keeps.
// Illegal, even if standard, is an operator for which the user gave a rule or the model a function.
class Target {
 public:
  struct Sources {
    Model& model;
    const OpsetContexts& contexts;
    OperatorFactsTable& facts;
    const ModelFunctions& functions;
    const RuleLibrary& library;
    const LegalizeOptions& options;
  };

  // `opsets`: the versions that the written graph imports.
  Target(const Sources& sources, OpsetContext opsets) : sources_(sources), opsets_(opsets) {}

  OpsetContext opsets() const { return opsets_; }
  // Of ai.onnx.
  int64_t opset() const { return sources_.contexts.version(opsets_, ""); }

  // `written_for`: the versions that the node's origin imports. `made`: a rule made the node. What the model itself says in standard operators stays,
  // but a rule should not make what the runtime of the options lacks.
  Legality legality(OperatorId op, OpsetContext written_for, bool made) {
    const size_t table = written_for * 2u + (made ? 1 : 0);
    if (table < legality_.size() && op < legality_[table].size() && legality_[table][op] != Legality::unknown)
      return legality_[table][op];
    return learn(op, written_for, made, table);
  }

  // For Legality::by_node. Edits the node where it has to be said otherwise at the target's version; returns why that cannot be, or nothing.
  std::string restate(onnx::NodeProto& node, OperatorId op, OpsetContext written_for, bool& edited) const;

  // What a node of the operator is at the target; nullptr when the operator does not exist there.
  const OperatorVersion* version(OperatorId op) const;

  // The smallest newer version of ai.onnx at which the node would be legal; 0 if there is none.
  int opset_hint(const onnx::NodeProto& node, OperatorId op, OpsetContext written_for) const;

  bool keeps(OperatorId op) const;

 private:
  Legality learn(OperatorId op, OpsetContext written_for, bool made, size_t table);
  Legality find_legality(OperatorId op, OpsetContext written_for, bool made) const;
  bool lacks(const Operator& op, bool made) const;

  Sources sources_;
  OpsetContext opsets_;
  std::vector<std::vector<Legality>> legality_;  // by context, twice: of the model, made by a rule; and operator
};

}  // namespace onnx_lower
