// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Finds the rules that may lower a node, and prepares their bodies. Places nothing.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "legalizer/body/attribute_binding.h"
#include "legalizer/body/body_template.h"
#include "legalizer/body/origin.h"
#include "legalizer/candidates/call.h"
#include "legalizer/legalization/legalization.h"
#include "legalizer/legalize_result.h"
#include "rules/native_rule.h"
#include "rules/text/form.h"

namespace onnx_lower {

// A rule to be tried on a node: a form of a text rule, the model's own function as a form, or
// a native rule.
struct Candidate {
  const Form* form = nullptr;
  const NativeRule* native = nullptr;
  std::string_view where_from = "native rule";

  bool is_own_function() const { return form != nullptr && form->origin == RuleOrigin::model; }
  bool is_built_in() const { return form == nullptr || form->origin == RuleOrigin::built_in; }
};

// The function that a native rule made, compiled.
struct NativeBody {
  NativeBody(Model& model, OperatorFactsTable& facts, onnx::FunctionProto function, OpsetContext opsets);

  Form form;
  BodyTemplate body;
};

// The body of a candidate, ready to be placed for one call.
struct PreparedBody {
  const Form* form = nullptr;
  const BodyTemplate* body = nullptr;
  std::string_view note = {};  // what a native rule says of how it lowers the node; mostly empty
  // What the rule assumes and nothing in the model proves; mostly empty.
  std::string_view assumption = {};
  const NativeRule* rule = nullptr;  // null for a form
  std::shared_ptr<const NativeBody> native = nullptr;
  bool is_between_casts = false;  // the body is the node in other types, see other_types.h
  // The body is a node of the same operator, which has to be legal as it is: no rule
  // lowers it again.
  bool result_must_be_legal = false;
  std::string_view as_it_is = {};  // see NativeRule
  // The last inputs of the body are those of the node that makes the node's first input: a Cast, or
  // one that makes a list.
  bool takes_inputs_of_maker = false;
};

class RuleBook {
 public:
  explicit RuleBook(Legalization& all) : all_(all) {}

  // The candidates for a node of the operator with that many inputs, in the order in which they are
  // tried; `may_stay`: for one that a target takes, and would rather have in another form. The same
  // vector for the same arguments, which stays valid until forget_functions().
  const std::vector<Candidate>& candidates(OperatorId op, int inputs, bool may_stay);

  // Forgets what was prepared of the model's functions. To be called when no result of this class
  // is in use any more: a model may have any number of functions, and most are called a few times
  // in one place.
  void forget_functions();

  // Whether there is a rule for this very operator, and not only a rule for its whole domain.
  bool has_rule_of_its_own(OperatorId op) const;

  // Prepares the candidate's body for the call, and puts the values of its attributes into
  // `binding`, which has to be clear and points into the call. `expansion` is the innermost body
  // around the node. nullopt when the candidate does not apply; `refusal` gets the reason, but
  // none where a form does not fit: that happens often, and why_not() finds it for those who
  // want to read it. Throws InvalidInput when a rule of the user or a function of the model
  // expands to itself.
  std::optional<PreparedBody> prepare(const Candidate& candidate, const Node& node, const Call& call,
                                      const Expansion* expansion, AttributeBinding& binding,
                                      std::optional<Refusal>& refusal);
  // The same for a function that comes from no candidate.
  PreparedBody prepare(onnx::FunctionProto function, const Call& call, AttributeBinding& binding);
  // Why the form does not fit the call; without a reason for a native rule.
  Refusal why_not(const Candidate& candidate, const Call& call) const;

 private:
  std::optional<PreparedBody> prepare_native(const NativeRule& rule, const Call& call, AttributeBinding& binding,
                                             std::optional<Refusal>& refusal);
  bool may_try(RuleTurn turn, bool may_stay) const;
  const Form* function_form(OperatorId op);
  void note_competing_kernel(OperatorId op);
  OpsetContext context_of(const onnx::FunctionProto& function);
  std::shared_ptr<const NativeBody> native_body(onnx::FunctionProto function);

  Legalization& all_;
  std::map<std::tuple<OperatorId, int, bool>, std::vector<Candidate>> candidates_;
  std::unordered_map<OperatorId, std::unique_ptr<Form>> function_forms_;
  std::unordered_map<const Form*, std::unique_ptr<BodyTemplate>> templates_;
  // By the bytes of the function that the native rule made.
  std::unordered_map<std::string, std::shared_ptr<const NativeBody>> native_bodies_;
};

}  // namespace onnx_lower
