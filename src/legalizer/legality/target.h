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
  // It depends on what the node uses: its version and the target's differ, or ONNX Runtime may have
  // a kernel at one opset and none at the other.
  by_node,
  by_condition,  // some runtime takes only some nodes of the operator
  // Legal, but for nodes that are written as some exporters do and no version of the operator
  // allows; see NodeLegality::of().
  unless_malformed,
};

// Legal are the operators of ai.onnx and ai.onnx.ml at the target's versions, when they mean there
// what the node means at its own version; and the operators that the user keeps.
// Illegal, even if standard, is an operator for which the user gave a rule or the model a function.
// Of the standard operators, only those are legal that all runtimes of the options take by their
// files; and an operator of another domain is legal if all of these files name it.
class Target {
 public:
  // `opsets`: the imports of the written graph.
  Target(Legalization& all, OpsetContext opsets) : all_(all), opsets_(opsets), targets_(all.options.targets) {}

  OpsetContext opsets() const { return opsets_; }
  // The version of ai.onnx among them.
  int64_t opset() const { return all_.known.contexts.version(opsets_, ""); }

  // `written_for`: the imports by which the node means its operator. `made`: whether a rule
  // made the node.
  Legality legality(OperatorId op, OpsetContext written_for, bool made) {
    const size_t table = written_for * 2u + (made ? 1 : 0);
    if (table < legality_.size() && op < legality_[table].size() && legality_[table][op] != Legality::unknown)
      return legality_[table][op];
    return learn(op, written_for, made, table);
  }

  // The answer for Legality::by_node. `problem` says why the node cannot be written at the target's
  // version; where it can, it is empty, and `edited` says whether the node had to be changed.
  struct Rewriting {
    std::string problem = {};
    bool edited = false;
  };
  Rewriting write_at_target_version(onnx::NodeProto& node, OperatorId op, OpsetContext written_for) const;

  // The version of the operator at the target; nullptr when the operator does not exist there.
  const OperatorVersion* version(OperatorId op) const;

  // The smallest newer version of ai.onnx at which the node would be legal; 0 if there is none.
  int opset_hint(const onnx::NodeProto& node, OperatorId op, OpsetContext written_for) const;

  bool keeps(OperatorId op) const { return all_.options.keeps(all_.model.op(op)); }

  // Whether a runtime takes some nodes of the operator only, at the version that is written.
  bool has_conditions(OperatorId op, bool made) const { return !limits(op, made).conditions.empty(); }
  // Whether the element types of a node's inputs, and the operators that make these, suffice to
  // tell that the runtimes take the node. Most conditions ask for nothing else, and nodes are many.
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
  // Whether the runtimes take either all or none of those nodes of the operator that have as
  // many inputs, of the same element types, and attributes of the same names (and, for Constant,
  // the same type).
  bool goes_by_types_and_names(OperatorId op, bool made) const { return limits(op, made).go_by_types_and_names; }
  // Whether the runtimes take a node of the operator as it will be written. What a condition asks
  // and is not known counts as fulfilled.
  bool takes(OperatorId op, bool made, const ConditionFacts& facts) const;
  // Why a runtime does not take the node; empty when all of them do. Where `facts` is null: why a
  // runtime takes no node of the operator.
  std::string refusal(OperatorId op, bool made, const ConditionFacts* facts) const;
  // Without --target: why ONNX Runtime or OpenVINO does not execute a node of the model, if the
  // node is one of that version of its operator; or why it prefers another form of the node. The
  // reason is empty where both execute it.
  struct RuntimeRefusal {
    std::string reason;
    bool is_preference = false;
  };
  RuntimeRefusal runtime_refusal(const OperatorVersion& version, const ConditionFacts& facts) const;
  // Whether the runtimes take the node and would only prefer another form of it.
  bool refuses_by_preference_only(OperatorId op, bool made, const ConditionFacts& facts) const;
  // Whether a line that says which form a runtime prefers speaks of this attribute, and the node is
  // not of that form.
  bool prefers_another(OperatorId op, bool made, const ConditionFacts& facts, std::string_view attribute) const;
  // Whether the runtimes refuse the node only because shapes are open, or what is computed of them.
  bool waits_for_shapes(OperatorId op, bool made, const ConditionFacts& facts) const;
  // For such a node that stays: the target that is known to compute it wrongly, and why; nullopt
  // where none is.
  struct Doubt {
    std::string target;
    std::string reason;
  };
  std::optional<Doubt> doubt(OperatorId op, const ConditionFacts& facts) const;
  // The names of the attributes that the conditions speak of, each once.
  std::vector<std::string> attributes_in_conditions(OperatorId op, bool made) const;

 private:
  // What the files of the targets say of an operator at the version that is written.
  struct Limits {
    struct Line {
      const TargetFile* target;
      const OperatorLine* line;
    };
    // Element types of an input with each of which the condition of a line holds, whatever else the
    // condition asks for.
    struct InputTypes {
      uint32_t input;
      uint64_t types;
      bool is_of_output;  // the operator's first output has the type of this input
    };
    // An operator that may not make an input if the condition of a line is to hold whatever else
    // it asks for.
    struct InputMaker {
      uint32_t input;
      std::string op_type;
    };
    // Adds what the inputs have to be for the condition to hold. False where more than that has
    // to be known.
    bool ask_inputs(const Condition& condition, const OperatorFacts& op);

    bool known = false;
    bool inputs_may_tell = false;
    bool go_by_types_and_names = false;
    std::vector<InputTypes> input_types;  // at most one for each input
    std::vector<InputMaker> input_makers;
    // The operator is not of a standard domain, and the files of all targets name it.
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
  // The same of an operator that the user does not keep.
  Legality find_legality_of_others(OperatorId op, OpsetContext written_for, bool made) const;
  // Whether ONNX Runtime may have a kernel for a node of the model at the opset that the
  // model imports, and none at the one that is written, though both mean the same version
  // of the operator.
  bool may_lose_kernel(OperatorId op, OpsetContext written_for, bool made) const;

  Legalization& all_;
  OpsetContext opsets_;
  // Those of the options. Where there are none, the default target is added when rules make nodes.
  mutable Targets targets_;
  // By operator; nullopt where nobody asked yet.
  mutable std::vector<std::optional<const OperatorVersion*>> versions_;
  // By operator; first for nodes of the model, then for nodes that rules made.
  mutable std::vector<Limits> limits_[2];
  // By twice the context's number, plus 1 for nodes that rules made; then by operator.
  std::vector<std::vector<Legality>> legality_;
};

}  // namespace onnx_lower
