// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The rules that may lower a node, and their bodies, ready to be placed. Places nothing.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

// A form of a text rule or of a model's function, or a native rule.
struct Candidate {
  const Form* form = nullptr;
  const NativeRule* native = nullptr;
  std::string_view where_from = "native rule";

  bool is_own_function() const { return form != nullptr && form->origin == RuleOrigin::model; }
  bool is_built_in() const { return form == nullptr || form->origin == RuleOrigin::built_in; }
};

// What a native rule made, compiled.
struct NativeBody {
  NativeBody(Model& model, OperatorFactsTable& facts, onnx::FunctionProto function, OpsetContext opsets);

  Form form;
  BodyTemplate body;
};

// A candidate's body for one call.
struct PreparedBody {
  const Form* form = nullptr;
  const BodyTemplate* body = nullptr;
  std::string_view note = {};        // what a native rule proved or took for granted
  std::string_view assumption = {};  // what nothing proves
  const NativeRule* rule = nullptr;  // a native one
  std::shared_ptr<const NativeBody> native = nullptr;
  bool is_between_casts = false;  // the node itself, of other types
  // The body is a node of the same operator, which has to be legal as it is: no rule lowers it
  // again.
  bool result_must_be_legal = false;
  // the last inputs of the body are the tensors of the node's first input
  bool takes_list_apart = false;
};

class RuleBook {
 public:
  explicit RuleBook(Legalization& all) : all_(all) {}

  // What is tried on a node, in order. The same vector for the same operator and number of inputs;
  // it stays where it is until forget_functions().
  const std::vector<Candidate>& candidates(OperatorId op, int inputs);

  // To be called when nothing of what this gave is in use: a model may have any number of
  // functions, and most are called a few times in one place.
  void forget_functions();

  // Whether there is a rule for the operator by its name, and not only one for all of its domain.
  bool has_rule_of_its_own(OperatorId op) const;

  // `expansion` is the innermost body around the node. Nothing when the candidate does not apply;
  // `refusal` gets the reason. Where a form does not fit it gets none: that happens often, and
  // where somebody wants to read it, why_not() finds it. The binding must be clear, and points into
  // the call. Throws InvalidInput when a rule of the user or a function of the model expands to
  // itself.
  std::optional<PreparedBody> prepare(const Candidate& candidate, const Node& node, const Call& call,
                                      const Expansion* expansion, AttributeBinding& binding,
                                      std::optional<Refusal>& refusal);
  // Of a function that is no rule's.
  PreparedBody prepare(onnx::FunctionProto function, const Call& call, AttributeBinding& binding);
  Refusal why_not(const Candidate& candidate, const Call& call) const;

 private:
  std::optional<PreparedBody> prepare_native(const NativeRule& rule, const Call& call, AttributeBinding& binding,
                                             std::optional<Refusal>& refusal);
  const Form* function_form(OperatorId op);
  void note_competing_kernel(OperatorId op);
  OpsetContext context_of(const onnx::FunctionProto& function);
  std::shared_ptr<const NativeBody> native_body(onnx::FunctionProto function);

  Legalization& all_;
  std::map<std::pair<OperatorId, int>, std::vector<Candidate>> candidates_;
  std::unordered_map<OperatorId, std::unique_ptr<Form>> function_forms_;
  std::unordered_map<const Form*, std::unique_ptr<BodyTemplate>> templates_;
  // by the function's bytes
  std::unordered_map<std::string, std::shared_ptr<const NativeBody>> native_bodies_;
};

}  // namespace onnx_lower
