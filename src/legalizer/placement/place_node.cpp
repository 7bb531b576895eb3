// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The way of a node: it is placed as it is, or as what a rule makes of it.

#include <fmt/format.h>

#include "counted.h"
#include "legalizer/body/fold.h"
#include "legalizer/candidates/declined_calls.h"
#include "legalizer/candidates/form_binding.h"
#include "legalizer/candidates/known_inputs.h"
#include "legalizer/candidates/other_types.h"
#include "legalizer/legalization/trial.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/placement/graph_legalizer.h"
#include "legalizer/record/node_examples.h"

namespace onnx_lower {
namespace {

constexpr std::string_view not_in_this_form = "it is not taken in this form either";

size_t made_since(size_t begin, const GraphScope& scope, const Findings& findings) {
  return findings.makes_runs ? scope.nodes().count_since(begin) : scope.placed().size() - begin;
}

// Whether the node is one that a rule made to be legal as it is: of a node of the same operator, or
// because another form of it is not worth the rule.
bool is_made_to_stand(const Node& node, const onnx::NodeProto& message, const Origin& origin) {
  if (!origin.is_made()) return false;
  const PreparedBody& body = origin.expansion->body;
  return (body.result_must_be_legal && origin.expansion->node.op == node.op) ||
         (!body.as_it_is.empty() && message.op_type() == body.as_it_is && message.domain().empty());
}

// Whether the node is what another type made of a node of the same operator.
bool was_made_between_casts(const Node& node, const Origin& origin) {
  return origin.is_made() && origin.expansion->body.is_between_casts && origin.expansion->node.op == node.op;
}

bool is_preference(const Candidate& candidate) {
  return candidate.native != nullptr && candidate.native->turn == RuleTurn::preference;
}

// Why no rule can lower the node, so that none is tried; nullopt where one may: of a node that is
// made anew and may stay, another form that a target prefers.
std::optional<std::string> refusal_without_trying(const Node& node, const onnx::NodeProto& message,
                                                  const Origin& origin, bool may_stay) {
  // How deep bodies may be expanded within bodies: far below what the stack bears. A rule of text
  // that expands to itself is found before.
  constexpr size_t deepest_expansion = 256;
  if (is_made_to_stand(node, message, origin) && !may_stay) return std::string(not_in_this_form);
  if (origin.depth() >= deepest_expansion)
    return fmt::format("rules expand into rules more than {} deep", deepest_expansion);
  return problem_of_attributes(message);
}

}  // namespace

bool GraphLegalizer::place_as_it_is(const Node& node, GraphScope& scope, const Origin& origin, int element_type) {
  if (!legality_.stands_as_it_is(node, scope, origin, element_type)) return false;
  scope.nodes().place(node, element_type);
  return true;
}

GraphLegalizer::Placement GraphLegalizer::place_legal(const Node& node, GraphScope& scope, const Origin& origin) {
  if (std::optional<Refusal> refusal = legalize_bodies(node, scope, origin)) return {.refusals = {std::move(*refusal)}};
  scope.nodes().place(node);
  return {.placed = true};
}

const Node& GraphLegalizer::simplest(const Node& node, const GraphScope& scope, const Origin& origin) {
  // An attached function serves nodes of all types, so that its CastLike nodes stay, as long as the
  // target has CastLike.
  const bool is_for_any_type =
      origin.attaches && target_.legality(node.op, scope.context(node), true) != Legality::illegal;
  return is_for_any_type ? node : as_cast(node, scope, all_.model);
}

GraphLegalizer::Placement GraphLegalizer::place_made(const Node& node, GraphScope& scope, const Origin& origin,
                                                     std::string problem) {
  const Node& placed = simplest(node, scope, origin);
  if (&placed != &node) origin.findings->may_leave_unused = true;
  // An attached function serves other calls, too: a value that is known in this one may not be
  // folded into the function's body.
  if (!origin.attaches) {
    if (folds() && place_constants(node, scope, origin)) return {.placed = true, .changed = true};
    if (std::optional<Placement> branch = place_branch(node, scope, origin)) return std::move(*branch);
  }
  if (problem.empty() && place_as_it_is(placed, scope, origin)) return {.placed = true};
  const bool is_well = problem.empty();
  Placement placement = place_node(placed, scope, origin, std::move(problem));
  // A runtime may take the CastLike and not the Cast.
  if (!placement.placed && is_well && &placed != &node) {
    if (Placement as_it_was = place_node(node, scope, origin); as_it_was.placed) return as_it_was;
  }
  if (!placement.placed && place_if_unread(node, scope, origin, placement)) return {.placed = true};
  return placement;
}

bool GraphLegalizer::place_if_unread(const Node& node, GraphScope& scope, const Origin& origin, Placement& placement) {
  const OperatorRole role = scope.facts(node).role;
  const bool may_be_unread = is_list_maker(role) || (role == OperatorRole::constant && !origin.is_made()) ||
                             (unpacking_.contains(&node) && !origin.is_made());
  if (!may_be_unread || origin.attaches || node.outputs().size() != 1) return false;
  const Node* refused = &node;
  std::string_view where_from;
  for (const Expansion* around = origin.expansion; around != nullptr; around = around->outer) {
    // Of an operator with a rule of the user or the model, another rule may make what has no lists.
    if (around->body.form->origin != RuleOrigin::built_in) return false;
    refused = &around->node;
    where_from = around->body.form->where_from;
  }
  if (origin.is_made()) {
    Refusal refusal = record_.not_lowered(node, 0, std::move(placement.refusals));
    refusal.rule = operator_name_of(all_.model, *refused);
    refusal.where_from = where_from;
    placement.refusals = {std::move(refusal)};
  }
  all_.left_over.refused_if_read.push_back({&node, record_.refused(*refused, scope, std::move(placement.refusals))});
  scope.nodes().place(node);
  return true;
}

GraphLegalizer::Placement GraphLegalizer::place_node(const Node& node, GraphScope& scope, const Origin& origin,
                                                     std::string problem) {
  // Built-in rules are for valid nodes: only a rule of the user or the model can say what a node
  // means that violates its operator's schema.
  bool is_broken = !problem.empty();
  const Legality legality = legality_.of(node, scope, origin);
  if (problem.empty()) problem = legality_.problem_of_made_types(node, legality, scope, origin);
  if (!is_broken && origin.is_made() && (legality == Legality::illegal || !problem.empty())) {
    if (std::string mixed = legality_.problem_of_mixed_types(node, scope); !mixed.empty()) {
      problem = std::move(mixed);
      is_broken = true;
    }
  }
  if (legality == Legality::legal && problem.empty() && !node.spells_domain_out)
    return place_legal(node, scope, origin);

  const auto borrowed = borrow_message();
  onnx::NodeProto& message = *borrowed;
  read_node_message(all_.model, node, message);
  const NodeLegality::Verdict verdict = legality_.judge(node, message, legality, std::move(problem), scope, origin);
  const bool may_stay = verdict.stands || verdict.is_preference;
  // The node written at the target's version, which inference reads from now on. Its subgraphs are
  // still written for the node's own version.
  const Node& stays = may_stay && verdict.edited ? keep_node(all_.model, message, target_.opsets(), node.opsets) : node;
  if (verdict.stands) return place_legal(stays, scope, origin);
  // Rules get the node as it was written for its own version, whose defaults may be others
  // than the target's.
  if (verdict.edited) {
    const bool has_domain = !message.domain().empty();
    read_node_message(all_.model, node, message);
    if (!has_domain) message.clear_domain();
  }
  if (!is_broken && !origin.is_made() && leave_out(node, scope)) return {.placed = true, .changed = true};
  if (verdict.is_preference && scope.facts(node).role == OperatorRole::loop)
    return lower_to_loop_in_branch(stays, scope, origin);
  // A runtime that has no If, or refuses a node of the branch that is not taken, needs only the
  // other branch. In an attached function, each call may take another branch.
  if (verdict.is_of_target && !origin.attaches) {
    if (std::optional<Placement> branch = place_branch(node, scope, origin)) return std::move(*branch);
  }
  Placement placement = lower(node, message, scope, origin, is_broken, may_stay);
  if (!placement.placed && may_stay) {
    note_doubt(node, scope, origin);
    return place_legal(stays, scope, origin);
  }
  if (!placement.placed && !verdict.problem.empty()) {
    Refusal as_it_is = record_.as_it_is(node, verdict.problem);
    if (!is_broken) as_it_is.target_opset_hint = legality_.opset_with_types(node, message, scope, origin);
    as_it_is.is_of_target = verdict.is_of_target && !all_.options.targets.empty();
    as_it_is.is_of_operator = verdict.is_of_operator;
    as_it_is.wants_shapes = verdict.wants_shapes;
    placement.refusals.insert(placement.refusals.begin(), std::move(as_it_is));
  }
  return placement;
}

template <typename Place>
GraphLegalizer::Placement GraphLegalizer::try_out(const Candidate& candidate, const Node& node, GraphScope& scope,
                                                  const Origin& origin, Findings& findings, const Place& place) {
  const size_t begin = scope.placed().size();
  Trial trial(all_, scope, types_, findings);
  Placement placement = place();
  if (!placement.placed) {
    all_.tries.count_declined(1);
    return placement;
  }
  trial.commit();
  if (!origin.is_made()) {
    const std::span<const Node* const> made = std::span(scope.placed()).subspan(begin);
    record_.lowered(node, candidate, made_since(begin, scope, findings), findings, false,
                    record_.rewrite_of(node, candidate, made, scope, false));
  }
  return placement;
}

GraphLegalizer::Placement GraphLegalizer::lower(const Node& node, onnx::NodeProto& message, GraphScope& scope,
                                                const Origin& origin, bool is_broken, bool may_stay) {
  // A node of the model without a name goes by its first output, as it does in messages. A setting
  // for an operator does not apply to nodes of that operator which its own rule makes.
  const bool has_settings =
      !origin.is_expanding(node.op) &&
      all_.settings.apply(
          message, message.name().empty() && !origin.is_made() ? display_name(all_.model, node) : message.name());
  drop_trailing_absent(*message.mutable_input());
  drop_trailing_absent(*message.mutable_output());
  if (all_.options.exemplified) note_as_example(node, message, scope);
  if (std::optional<std::string> problem = refusal_without_trying(node, message, origin, may_stay)) {
    ++all_.known.values.asked_beyond_calls;  // the answer may depend on the bodies around the node
    return {.refusals = {refusal_of(std::move(*problem))}};
  }
  // ONNX Runtime does not give a function the values that a subgraph of the call captures.
  if (!origin.is_made() && attachment_.wants(node.op) && node.graphs().empty() &&
      !takes_list_of_several_types(node, scope)) {
    if (std::optional<Placement> placement = place_attached(node, message, has_settings, scope))
      return std::move(*placement);
  }

  const Tries::Search search = all_.tries.begin();
  // Remembered only when many reasons were found already: few searches come that far.
  std::string call;
  if (!search.is_told && all_.options.settings.empty() && !is_broken && !may_stay)
    call = bytes_of_call(node, message, scope, types_, origin);
  if (all_.tries.has_declined(call)) {
    all_.tries.count_declined(1);
    return {.refusals = {record_.untold(node)}};
  }
  const size_t asked_before = all_.known.values.asked_beyond_calls;
  Placement placement = lower_by_rules(node, message, scope, origin, search, is_broken, may_stay);
  if (placement.placed) {
    all_.tries.count_found(search);
  } else if (asked_before == all_.known.values.asked_beyond_calls) {
    all_.tries.remember_declined(std::move(call));
  }
  return placement;
}

GraphLegalizer::Placement GraphLegalizer::lower_by_rules(const Node& node, const onnx::NodeProto& message,
                                                         GraphScope& scope, const Origin& origin,
                                                         const Tries::Search& search, bool is_broken, bool may_stay) {
  Findings findings;
  const Origin outermost = origin.is_made() ? origin : metadata_.begin(all_, node, message, findings);
  const std::vector<Candidate>& candidates = rules_.candidates(node.op, message.input_size(), may_stay);
  const Call call(message, node, scope, types_, target_.opset(), outermost.folds_types(), all_,
                  [this](const GraphScope& of, ValueId value) { return KnownTensors(all_, types_).find(of, value); });
  const bool only_preferences = is_made_to_stand(node, message, outermost);
  // Of an operator that no runtime has, constants make none that one has.
  if (!only_preferences && is_standard_domain(message.domain())) {
    if (Placement placement = lower_with_known_inputs(node, call, scope, outermost); placement.placed) return placement;
  }
  AttributeBinding binding;
  LoweringRecord::Refused refused;
  bool has_tried_float = false;
  for (const Candidate& candidate : candidates) {
    if (is_broken && candidate.is_built_in()) continue;
    if (is_preference(candidate) ? !legality_.prefers_another(node, scope, origin, candidate.native->preferred_by)
                                 : only_preferences)
      continue;
    if (!all_.tries.may_try(search)) break;
    // Built-in rules are for all types, and round the result of each step. Where only a type is
    // lacking, the operator itself in another type is better in all respects.
    if (candidate.is_built_in() && !may_stay && !std::exchange(has_tried_float, true)) {
      Placement placement = lower_through_other_types(node, call, scope, outermost, search, is_broken, true);
      if (placement.placed) return placement;
    }
    binding.clear(false);
    std::optional<Refusal> refusal;
    if (const auto prepared = rules_.prepare(candidate, node, call, origin.expansion, binding, refusal)) {
      Placement placement = try_out(candidate, node, scope, origin, *outermost.findings,
                                    [&] { return place_body(*prepared, binding, node, scope, outermost); });
      if (placement.placed) return placement;
      refusal = std::move(placement.refusals.front());
      // A native rule gives its function only the inputs that the node has.
      if (const std::string& lacking = prepared->body->lacking(); prepared->native && !lacking.empty()) {
        refusal = refusal_of(fmt::format("the model is incomplete: the node has {}, and lacks '{}', which it needs",
                                         counted(call.input_count(), "input"), lacking));
        refusal->is_of_model = true;
      }
      refusal->is_of_signature |= !prepared->as_it_is.empty();
    }
    if (refusal) refused.emplace_back(&candidate, std::move(*refusal));
  }
  if (only_preferences) return {.refusals = {refusal_of(std::string(not_in_this_form))}};
  Placement placement = lower_through_other_types(node, call, scope, outermost, search, is_broken, false);
  if (!placement.placed && !is_broken && all_.tries.may_try(search))
    placement = lower_to_both_branches(node, scope, origin, *outermost.findings);
  if (placement.placed) return placement;
  // An older opset may have no operator for what is known before the model runs.
  const bool is_for_older = all_.options.target_opset && is_standard_domain(message.domain()) && node.graphs().empty();
  if (is_for_older && !is_broken && !origin.attaches && is_for_all_calls() && place_constants(node, scope, outermost))
    return {.placed = true, .changed = true};
  all_.tries.count_declined(candidates.size());
  if (!search.is_told) return {.refusals = {record_.untold(node)}};
  return {.refusals = record_.reasons(node, candidates, call, std::move(refused), is_broken)};
}

GraphLegalizer::Placement GraphLegalizer::lower_to_both_branches(const Node& node, GraphScope& scope,
                                                                 const Origin& origin, Findings& findings) {
  static const Candidate by_choice{.where_from = "both branches, and a choice of their results"};
  if (scope.facts(node).role != OperatorRole::conditional || origin.attaches) return {};
  return try_out(by_choice, node, scope, origin, findings, [&] {
    const bool placed = place_both_branches(node, scope, origin);
    return Placement{.placed = placed, .changed = placed};
  });
}

GraphLegalizer::Placement GraphLegalizer::lower_to_loop_in_branch(const Node& node, GraphScope& scope,
                                                                  const Origin& origin) {
  static const Candidate by_condition{.where_from = "in a branch, where it makes an iteration"};
  // The body is legalized once, before the trial, and also where the Loop stays: a second time, a
  // Loop that stands in a branch by now would be put into another branch.
  if (std::optional<Refusal> refusal = legalize_bodies(node, scope, origin)) return {.refusals = {std::move(*refusal)}};
  Findings own_findings;
  Findings& findings = origin.is_made() ? *origin.findings : own_findings;
  Placement placement = try_out(by_condition, node, scope, origin, findings, [&] {
    const bool placed = !origin.attaches && place_loop_in_branch(node, scope, origin);
    return Placement{.placed = placed, .changed = placed};
  });
  if (placement.placed) return placement;
  note_doubt(node, scope, origin);
  scope.nodes().place(node);
  return {.placed = true};
}

void GraphLegalizer::note_as_example(const Node& node, const onnx::NodeProto& message, const GraphScope& scope) {
  const Operator& op = all_.model.op(node.op);
  if (!all_.options.exemplified->fits(op.domain, op.op_type)) return;
  const Call call(message, node, scope, types_, target_.opset(), false, all_);
  note_example(call, std::string(display_name(all_.model, node)), all_.result.examples);
}

void GraphLegalizer::note_doubt(const Node& node, const GraphScope& scope, const Origin& origin) {
  // What a rule made may still be taken back.
  if (origin.is_made() || all_.options.targets.empty()) return;
  if (std::optional<Target::Doubt> doubt = legality_.doubt(node, scope)) {
    all_.result.warnings.doubtful.push_back({std::string(display_name(all_.model, node)),
                                             operator_name_of(all_.model, node), std::move(doubt->target),
                                             std::move(doubt->reason)});
  }
}

GraphLegalizer::Placement GraphLegalizer::lower_with_known_inputs(const Node& node, const Call& call, GraphScope& scope,
                                                                  const Origin& origin) {
  static const Candidate by_constants{.where_from = "constants in place of inputs that are known"};
  if (origin.attaches || !node.graphs().empty()) return {};
  if (folds_for_targets() && place_constants(node, scope, origin)) return {.placed = true, .changed = true};
  const std::map<int, KnownTensor> constants = known_inputs(node, call, scope);
  if (constants.empty()) return {};
  const std::string& domain = call.node().domain();
  std::map<std::string, int64_t> imports{{"", call.own_opset()}};
  imports.try_emplace(domain, all_.known.contexts.version(scope.context(node), domain));
  AttributeBinding binding;
  PreparedBody prepared = rules_.prepare(with_constants(call.node(), constants, imports), call, binding);
  // The Casts of constants are known as well: without this, the two would take turns without end.
  prepared.is_between_casts = was_made_between_casts(node, origin);
  Placement placement = try_out(by_constants, node, scope, origin, *origin.findings,
                                [&] { return place_body(prepared, binding, node, scope, origin); });
  if (!placement.placed) return {};
  for (const auto& [index, constant] : constants)
    all_.left_over.released.push_back(node.inputs()[static_cast<size_t>(index)]);
  return placement;
}

GraphLegalizer::Placement GraphLegalizer::lower_through_other_types(const Node& node, const Call& call,
                                                                    GraphScope& scope, const Origin& origin,
                                                                    const Tries::Search& search, bool is_broken,
                                                                    bool only_half) {
  static const Candidate by_casts{.where_from = "between casts to another type"};
  const OperatorVersion* version = scope.facts(node).version;
  if (version == nullptr || is_broken || origin.attaches) return {};
  // All types were tried for the node that this one was made of; from here they would lead back to
  // that node's own type.
  if (was_made_between_casts(node, origin)) return {};
  const int64_t opset = all_.known.contexts.version(scope.context(node), version->domain);
  std::vector<onnx::FunctionProto> functions;
  if (!only_half) {
    functions = through_other_types(call, *version, opset, all_.options.allow_narrowing);
  } else if (std::optional<onnx::FunctionProto> function = half_through_float(call, *version, opset)) {
    functions.push_back(std::move(*function));
  }
  for (onnx::FunctionProto& function : functions) {
    if (!all_.tries.may_try(search)) break;
    AttributeBinding binding;
    PreparedBody prepared = rules_.prepare(std::move(function), call, binding);
    prepared.is_between_casts = true;
    prepared.result_must_be_legal = only_half;
    Placement placement = try_out(by_casts, node, scope, origin, *origin.findings,
                                  [&] { return place_body(prepared, binding, node, scope, origin); });
    if (placement.placed) return placement;
  }
  return {};
}

}  // namespace onnx_lower
