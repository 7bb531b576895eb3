// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is legal: the operators that the written graph may hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "legalizer/legalization/legalization.h"
#include "onnx/onnx_pb.h"
#include "targets/target_library.h"

namespace onnx_lower {

enum class Legality : uint8_t {
  unknown,
  legal,
  illegal,
  // its versions differ, or what ONNX Runtime makes of it: it depends on what the node uses
  by_node,
  by_condition,          // a runtime takes some such nodes only
  unless_of_no_version,  // a node may be of no version of its operator, see NodeLegality::of()
};

// Legal are the operators of ai.onnx and ai.onnx.ml at the target's versions, when they mean there
// what the node means at its own; and what the user keeps.
// Illegal, even if standard, is an operator for which the user gave a rule or the model a function.
// Of what is legal so far, each runtime of the options takes what its file says; and a node of
// another domain that all of them take is legal, too.
class Target {
 public:
  // `opsets`: the versions that the written graph imports.
  Target(Legalization& all, OpsetContext opsets) : all_(all), opsets_(opsets), targets_(all.options.targets) {}

  OpsetContext opsets() const { return opsets_; }
  // Of ai.onnx.
  int64_t opset() const { return all_.known.contexts.version(opsets_, ""); }

  // `written_for`: the versions that the node's origin imports. `made`: a rule made the node.
  Legality legality(OperatorId op, OpsetContext written_for, bool made) {
    const size_t table = written_for * 2u + (made ? 1 : 0);
    if (table < legality_.size() && op < legality_[table].size() && legality_[table][op] != Legality::unknown)
      return legality_[table][op];
    return learn(op, written_for, made, table);
  }

  // For Legality::by_node. Edits the node where it has to be said otherwise at the target's
  // version; `problem` says why that cannot be, or nothing.
  struct Rewriting {
    std::string problem = {};
    bool edited = false;
  };
  Rewriting write_at_target_version(onnx::NodeProto& node, OperatorId op, OpsetContext written_for) const;

  // What a node of the operator is at the target; nullptr when the operator does not exist there.
  const OperatorVersion* version(OperatorId op) const;

  // The smallest newer version of ai.onnx at which the node would be legal; 0 if there is none.
  int opset_hint(const onnx::NodeProto& node, OperatorId op, OpsetContext written_for) const;

  bool keeps(OperatorId op) const { return all_.options.keeps(all_.model.op(op)); }

  // Whether a runtime takes some nodes of the operator only, at the version that is written.
  bool has_conditions(OperatorId op, bool made) const { return !limits(op, made).conditions.empty(); }
  // Whether it is known from the element types of a node's inputs, and from what makes them, which
  // most conditions ask for: nodes are many.
  template <typename TypeOfInput, typename IsMadeBy>
  bool takes_inputs(OperatorId op, bool made, const TypeOfInput& type_of_input, const IsMadeBy& is_made_by) {
    const Limits& all = limits(op, made);
    const auto is_of_type = [&](const Limits::InputTypes& asked) {
      return (asked.types >> type_of_input(asked.input, asked.is_of_output) & 1) != 0;
    };
    const auto is_made_by_other = [&](const Limits::InputMaker& asked) {
      return !is_made_by(asked.input, asked.op_type);
    };
    return all.inputs_may_tell && std::ranges::all_of(all.input_types, is_of_type) &&
           std::ranges::all_of(all.input_makers, is_made_by_other);
  }
  // Whether it is the same for all nodes that have as many inputs, of the same element types, and
  // attributes of the same names (and of Constants that make the same type).
  bool goes_by_types_and_names(OperatorId op, bool made) const { return limits(op, made).go_by_types_and_names; }
  // What is not known counts as taken. `facts` are those of a node of the operator as it will be
  // written.
  bool takes(OperatorId op, bool made, const ConditionFacts& facts) const;
  // Why a runtime does not take the node; empty when all of them do. Without `facts`, whether they
  // take the operator at all.
  std::string refusal(OperatorId op, bool made, const ConditionFacts* facts) const;
  // Without --target: why ONNX Runtime or OpenVINO does not execute a node of the model, if it is
  // one of that version of its operator, or would rather have another; without a reason where both
  // do.
  struct RuntimeRefusal {
    std::string reason;
    bool is_wish = false;
  };
  RuntimeRefusal runtime_refusal(const OperatorVersion& version, const ConditionFacts& facts) const;
  // Whether all that speaks against a node is what the runtimes would rather not have.
  bool refuses_by_wish(OperatorId op, bool made, const ConditionFacts& facts) const;
  // Of such a node that stays: the runtime in which it comes out wrong, and why; nothing where it
  // comes out right for most numbers.
  struct Doubt {
    std::string target;
    std::string reason;
  };
  std::optional<Doubt> doubt(OperatorId op, const ConditionFacts& facts) const;
  // The attributes that the conditions speak of.
  std::vector<std::string> attributes_in_conditions(OperatorId op, bool made) const;

 private:
  // What the files say of an operator at the version that is written.
  struct Limits {
    struct Line {
      const TargetFile* target;
      const OperatorLine* line;
    };
    // An input's element types, with all of which a line's condition holds whatever else it asks
    // for.
    struct InputTypes {
      uint32_t input;
      uint64_t types;
      bool is_of_output;  // that type is also what the operator makes first
    };
    // An operator that may not make it, where the condition is to hold whatever else it asks for.
    struct InputMaker {
      uint32_t input;
      std::string op_type;
    };
    // Adds what an input of that version has to be for the condition to hold. False where more than
    // that has to be known.
    bool ask_inputs(const Condition& condition, const OperatorFacts& op);

    bool known = false;
    bool inputs_may_tell = false;
    bool go_by_types_and_names = false;
    std::vector<InputTypes> input_types;  // one for each input
    std::vector<InputMaker> input_makers;
    // all runtimes name the operator, which is not of a standard domain
    bool takes_other_domain = false;
    const TargetFile* refused_by = nullptr;
    std::vector<Line> conditions;
  };

  const Limits& limits(OperatorId op, bool made) const {
    const std::vector<Limits>& all = limits_[made ? 1 : 0];
    return op < all.size() && all[op].known ? all[op] : learn_limits(op, made);
  }
  const Limits& learn_limits(OperatorId op, bool made) const;
  Limits find_limits(OperatorId op, bool made) const;
  Legality learn(OperatorId op, OpsetContext written_for, bool made, size_t table);
  Legality find_legality(OperatorId op, OpsetContext written_for, bool made) const;
  // Whether ONNX Runtime may have a kernel for a node of the model at the opset that the model
  // imports, and none at the one that is written, though both mean the same version of the
  // operator.
  bool may_lose_kernel(OperatorId op, OpsetContext written_for, bool made) const;

  Legalization& all_;
  OpsetContext opsets_;
  mutable Targets targets_;  // the default one, once it was asked for, where none is given
  // by operator, once it was asked for
  mutable std::vector<std::optional<const OperatorVersion*>> versions_;
  // by operator; of the model, made by a rule
  mutable std::vector<Limits> limits_[2];
  // by context, twice: of the model, made by a rule; and operator
  std::vector<std::vector<Legality>> legality_;
};

}  // namespace onnx_lower
