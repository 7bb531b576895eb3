// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/candidates/rule_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "error.h"
#include "legalizer/candidates/form_binding.h"
#include "standard_operators/node_attribute.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

constexpr std::string_view from_own_function = "the model's own function";

// Forms with as many inputs as the node are tried before those that take one of their inputs to be
// absent. But rules of the user go before the model's function, and this before built-in rules; of
// these some native rules go before the forms, and the other ones behind them. What a target
// prefers goes before all that is built in.
void prefer_exact_arity(std::vector<Candidate>& candidates, int inputs) {
  const auto rank = [&](const Candidate& candidate) {
    if (candidate.native != nullptr) {
      const RuleTurn turn = candidate.native->turn;
      return turn == RuleTurn::preference ? 4 : turn == RuleTurn::first ? 5 : 8;
    }
    const RuleOrigin origin = candidate.form->origin;
    const int group = origin == RuleOrigin::user ? 0 : origin == RuleOrigin::model ? 2 : 6;
    return group + (candidate.form->function.input_size() == inputs ? 0 : 1);
  };
  std::ranges::stable_sort(candidates, {}, rank);
}

// Whether the node stands in a body that this candidate made. A native rule may use its own
// operator in its body, but not for the same opsets as the node that it was asked to lower.
bool is_being_expanded(const Candidate& candidate, const Node& node, const Expansion* expansion) {
  for (; expansion != nullptr; expansion = expansion->outer) {
    const Node& around = expansion->node;
    if (candidate.form != nullptr ? expansion->body.form == candidate.form
                                  : expansion->body.rule == candidate.native && around.op == node.op &&
                                        around.opsets == node.opsets && node.opsets != own_opsets)
      return true;
  }
  return false;
}

// Whether a rule makes the node of an operator of ONNX, itself or by rules of what it makes.
bool is_within(const Model& model, std::string_view op_type, const Expansion* expansion) {
  for (const Expansion* around = expansion; around != nullptr && !op_type.empty(); around = around->outer) {
    const Operator& op = model.op(around->node.op);
    if (is_standard_domain(op.domain) && op.op_type == op_type) return true;
  }
  return false;
}

// Frees the memory of the function's nodes.
void drop_nodes(Form& form) {
  google::protobuf::RepeatedPtrField<onnx::NodeProto>().Swap(form.function.mutable_node());
}

// A node in a function of the model may have attributes that refer to attributes of that function.
// Where a native rule copied such a reference into its body, it is made to refer to the attribute
// of the call, as in any form. References that the call's subgraphs hold have no such attribute,
// and stand for themselves.
template <typename Nodes>
void refer_to_attributes(Nodes& nodes, const onnx::NodeProto& call, AttributeBinding& binding) {
  for (onnx::NodeProto& node : nodes) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) refer_to_attributes(*attribute.mutable_g()->mutable_node(), call, binding);
      for (onnx::GraphProto& graph : *attribute.mutable_graphs())
        refer_to_attributes(*graph.mutable_node(), call, binding);
      if (!is_open(attribute)) continue;
      const auto given = std::ranges::find_if(call.attribute(), [&](const onnx::AttributeProto& other) {
        return is_open(other) && other.ref_attr_name() == attribute.ref_attr_name();
      });
      if (given != call.attribute().end()) {
        attribute.set_ref_attr_name(given->name());
      } else if (find_attribute(call, attribute.ref_attr_name()) == nullptr &&
                 binding.find(attribute.ref_attr_name()) == nullptr) {
        binding.add_owned(attribute.ref_attr_name(), attribute);
      }
    }
  }
}

[[noreturn]] void fail_cycle(const Form& form, const Expansion* expansion, const std::string& path) {
  const std::string name = operator_name(form.function.domain(), form.function.name());
  std::string chain = name;
  for (;; expansion = expansion->outer) {
    const onnx::FunctionProto& function = expansion->body.form->function;
    chain = operator_name(function.domain(), function.name()) + " -> " + chain;
    if (expansion->body.form == &form) break;
  }
  throw InvalidInput(fmt::format("{}: rule {} ({}) expands to itself: {}", path, name, form.where_from, chain));
}

}  // namespace

NativeBody::NativeBody(Model& model, OperatorFactsTable& facts, onnx::FunctionProto function, OpsetContext opsets)
    : form([&] {
        Form made;
        made.function = std::move(function);
        made.origin = RuleOrigin::built_in;
        made.where_from = "native rule";
        return made;
      }()),
      body(model, facts, form, opsets) {
  drop_nodes(form);
}

bool RuleBook::may_try(RuleTurn turn, bool may_stay) const {
  switch (turn) {
    case RuleTurn::preference:
      return may_stay && !all_.options.targets.empty();
    case RuleTurn::last_resort:
      return !all_.options.targets.empty();
    default:
      return true;
  }
}

const std::vector<Candidate>& RuleBook::candidates(OperatorId id, int inputs, bool may_stay) {
  const auto [known, inserted] = candidates_.try_emplace(std::tuple(id, inputs, may_stay));
  std::vector<Candidate>& all = known->second;
  if (!inserted) return all;
  const Operator op = all_.model.op(id);
  for (const Form* form : all_.library.forms(op.domain, op.op_type)) all.push_back({form, nullptr, form->where_from});
  if (const Form* form = function_form(id)) all.push_back({form, nullptr, from_own_function});
  for (const NativeRule* native : all_.library.natives(op.domain, op.op_type)) {
    if (may_try(native->turn, may_stay)) all.push_back({nullptr, native});
  }
  if (all.size() == 1 && all[0].native != nullptr && all[0].native->only_beside_others) all.clear();
  prefer_exact_arity(all, inputs);
  return all;
}

void RuleBook::forget_functions() {
  constexpr size_t most_remembered = 1024;
  if (function_forms_.size() < most_remembered) return;
  std::erase_if(templates_, [](const auto& entry) { return entry.first->origin == RuleOrigin::model; });
  candidates_.clear();
  function_forms_.clear();
}

bool RuleBook::has_rule_of_its_own(OperatorId id) const {
  const Operator& op = all_.model.op(id);
  return !all_.library.forms(op.domain, op.op_type).empty() || all_.library.native(op.domain, op.op_type) != nullptr;
}

const Form* RuleBook::function_form(OperatorId op) {
  const auto [known, inserted] = function_forms_.try_emplace(op);
  std::unique_ptr<Form>& form = known->second;
  if (inserted && all_.known.functions.own(op) != nullptr) {
    form = std::make_unique<Form>(
        form_from_function(all_.known.functions.read(op), RuleOrigin::model, std::string(from_own_function)));
    // The function was looked up by the node's overload, so that its form need
    // not compare overloads.
    form->function.clear_overload();
    note_competing_kernel(op);
  }
  return form.get();
}

// Warns where the model's function has the name of an operator for which runtimes may have a
// kernel: ONNX leaves it to a runtime which of the two it takes.
void RuleBook::note_competing_kernel(OperatorId id) {
  const Operator& op = all_.model.op(id);
  const bool is_standard =
      is_standard_domain(op.domain) && find_operator(op.domain, op.op_type, all_.model.opset(op.domain)) != nullptr;
  if (!is_standard && (op.domain != "com.microsoft" || !has_rule_of_its_own(id))) return;
  const std::string name = operator_name(op.domain, op.op_type);
  std::vector<std::string>& noted = all_.result.warnings.functions_beside_kernels;
  if (std::ranges::find(noted, name) == noted.end()) noted.push_back(name);
}

OpsetContext RuleBook::context_of(const onnx::FunctionProto& function) {
  std::vector<OpsetImport> imports;
  for (const auto& import : function.opset_import())
    imports.push_back({all_.model.keep(normalized_domain(import.domain())), import.version()});
  return all_.known.contexts.intern(imports.empty() ? all_.model.opset_imports : imports);
}

std::shared_ptr<const NativeBody> RuleBook::native_body(onnx::FunctionProto function) {
  // Not all bodies can be remembered: one may hold constants that only one node has, or be as large
  // as the model.
  constexpr size_t most_remembered = 64;
  constexpr size_t most_bytes_remembered = size_t{1} << 20;
  const auto make = [&] {
    const OpsetContext opsets = context_of(function);
    return std::make_shared<const NativeBody>(all_.model, all_.known.facts, std::move(function), opsets);
  };
  if (function.ByteSizeLong() > most_bytes_remembered) return make();
  if (native_bodies_.size() >= most_remembered) native_bodies_.clear();
  std::shared_ptr<const NativeBody>& body = native_bodies_[function.SerializeAsString()];
  if (!body) body = make();
  return body;
}

std::optional<PreparedBody> RuleBook::prepare(const Candidate& candidate, const Node& node, const Call& call,
                                              const Expansion* expansion, AttributeBinding& binding,
                                              std::optional<Refusal>& refusal) {
  if (candidate.form != nullptr && !bind(*candidate.form, call, binding, nullptr)) return std::nullopt;
  if (is_being_expanded(candidate, node, expansion)) {
    if (!candidate.is_built_in()) fail_cycle(*candidate.form, expansion, all_.model.input().path());
    ++all_.known.values.asked_beyond_calls;  // in another body it would not expand to itself
    refusal = refusal_of("it would expand to itself");
    return std::nullopt;
  }
  if (candidate.native != nullptr && candidate.native->only_as_given && is_expanding(node.op, expansion)) {
    ++all_.known.values.asked_beyond_calls;  // the node itself may be one of the model
    refusal = refusal_of("it is for the node that this one was made of");
    refusal->is_of_signature = true;
    return std::nullopt;
  }
  if (candidate.native != nullptr && is_within(all_.model, candidate.native->not_within, expansion)) {
    ++all_.known.values.asked_beyond_calls;  // in another body it may be right
    refusal = refusal_of(fmt::format("it does not hold for what {} asks", candidate.native->not_within));
    return std::nullopt;
  }
  if (candidate.native != nullptr) return prepare_native(*candidate.native, call, binding, refusal);
  const Form& form = *candidate.form;
  std::unique_ptr<BodyTemplate>& body = templates_[&form];
  if (!body) {
    body = std::make_unique<BodyTemplate>(all_.model, all_.known.facts, form, context_of(form.function));
    // A function of the model can be as large as the model, and the template holds all that
    // its nodes say.
    if (form.origin == RuleOrigin::model) drop_nodes(*function_forms_.at(node.op));
  }
  return PreparedBody{.form = &form, .body = body.get()};
}

std::optional<PreparedBody> RuleBook::prepare_native(const NativeRule& rule, const Call& call,
                                                     AttributeBinding& binding, std::optional<Refusal>& refusal) {
  Lowering lowering = lower_natively(rule, call);
  if (auto* declined = std::get_if<Declined>(&lowering)) {
    refusal = refusal_of(std::move(declined->reason));
    refusal->missing_attributes = std::move(declined->missing_attributes);
    refusal->refused_attribute = std::move(declined->refused_attribute);
    refusal->similar_attribute = std::move(declined->similar_attribute);
    // Why a rule cannot make a better form is of no interest where another rule says more.
    refusal->is_of_signature = declined->is_of_signature || !rule.as_it_is.empty();
    refusal->wants_shapes = declined->wants_shapes;
    refusal->steps = declined->steps;
    return std::nullopt;
  }
  PreparedBody prepared = prepare(std::get<onnx::FunctionProto>(std::move(lowering)), call, binding);
  prepared.rule = &rule;
  prepared.as_it_is = rule.as_it_is;
  prepared.result_must_be_legal = rule.makes_it_anew || rule.turn == RuleTurn::preference;
  return prepared;
}

PreparedBody RuleBook::prepare(onnx::FunctionProto function, const Call& call, AttributeBinding& binding) {
  refer_to_attributes(*function.mutable_node(), call.node(), binding);
  PreparedBody prepared{.native = native_body(std::move(function))};
  prepared.form = &prepared.native->form;
  prepared.body = &prepared.native->body;
  prepared.note = all_.model.keep(prepared.form->function.doc_string());
  prepared.assumption = all_.model.keep(assumption(prepared.form->function));
  prepared.takes_inputs_of_maker = takes_inputs_of_maker(prepared.form->function);
  for (const onnx::AttributeProto& attribute : call.node().attribute()) binding.add(attribute.name(), attribute);
  return prepared;
}

Refusal RuleBook::why_not(const Candidate& candidate, const Call& call) const {
  Refusal refusal;
  AttributeBinding binding;
  if (candidate.form != nullptr) bind(*candidate.form, call, binding, &refusal);
  return refusal;
}

}  // namespace onnx_lower
