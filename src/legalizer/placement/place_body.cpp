// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Places the nodes of a rule's body one after another.

#include <algorithm>

#include "legalizer/body/fold.h"
#include "legalizer/legalization/calls_to_check.h"
#include "legalizer/placement/graph_legalizer.h"
#include "legalizer/placement/made_run.h"
#include "model_file/onnx_fields.h"
#include "model_file/tensor_skeleton.h"
#include "standard_operators/onnx_releases.h"

namespace onnx_lower {

GraphLegalizer::Placement GraphLegalizer::place_body(const PreparedBody& prepared, const AttributeBinding& binding,
                                                     const Node& node, GraphScope& scope, const Origin& origin) {
  const Expansion expansion{prepared, node, origin.expansion, origin.depth() + 1};
  const size_t begin = scope.placed().size();
  Origin inside = origin.in_body_of(expansion, begin);
  if (!origin.is_made()) origin.findings->note = prepared.note;
  if (!prepared.assumption.empty()) origin.findings->assumption = prepared.assumption;
  // Before opset 12, a Constant holds tensors only.
  constexpr int64_t first_opset_with_constant_numbers = 12;
  const bool constants_refer = origin.attaches && target_.opset() >= first_opset_with_constant_numbers;
  BodyInstance instance(*prepared.body, node, binding, inside, constants_refer, all_.names);
  if (leaves_out_unneeded_of(inside)) {
    instance.leave_out_unneeded(all_.known.functions);
    if (!origin.is_made() && !root_.is_function) leave_out_unread(instance, node);
  }
  if (prepared.takes_inputs_of_maker) {
    const NodeView maker = maker_behind_identities(scope, node.inputs()[0]);
    instance.set_last_inputs(maker.inputs);
    all_.left_over.bypassed.push_back(maker.outputs[0]);
  }
  std::optional<size_t> kind;
  // The tests prove what a built-in rule makes of the model's own nodes. A node that another rule
  // made may be one that such a rule was never meant for.
  if (prepared.form->origin != RuleOrigin::built_in && !origin.checks_made) {
    kind = CallsToCheck::kind_of(*prepared.form, node, scope);
    inside.checks_made = all_.calls_to_check.take(*kind);
  }
  std::optional<Refusal> refusal;
  const bool may_follow = !prepared.takes_inputs_of_maker && types_may_decide(instance, origin, inside);
  const bool follows = may_follow && has_course(instance, scope, inside);
  if (follows) {
    place_as_course_says(instance, scope, refusal);
  } else {
    place_nodes_of(instance, scope, inside, refusal);
  }
  if (refusal) {
    if (kind && inside.checks_made) all_.calls_to_check.put_back(*kind);
    return {.refusals = {std::move(*refusal)}};
  }
  Placement placement{.placed = true};
  for (size_t index = 0; index < node.outputs().size(); ++index) {
    const ValueId output = node.outputs()[index];
    if (output != absent_value && instance.output(index) != output)
      placement.substitutions.push_back({output, instance.output(index)});
  }
  // A rule that lowered a node of the body may have taken the value of a constant of the body as an
  // attribute, so that nothing reads the constant any more.
  if (origin.is_made()) {
    origin.findings->may_leave_unused = true;
  } else if (origin.findings->may_leave_unused && !follows) {
    drop_unused(scope, begin, node.outputs());
  }
  if (may_follow && !follows) remember_course(instance, begin, scope, inside);
  return placement;
}

void GraphLegalizer::place_nodes_of(BodyInstance& instance, GraphScope& scope, const Origin& inside,
                                    std::optional<Refusal>& refusal) {
  while (const BodyTemplate::Node* next = instance.next(refusal)) {
    if (!fold_into(instance, *next, scope, inside) && !place_body_node(instance, *next, scope, inside, refusal)) return;
  }
}

std::optional<Refusal> GraphLegalizer::problem_of_made(const Node& node, int line, size_t mark, const GraphScope& scope,
                                                       const Origin& origin) {
  if (!origin.checks_made || !scope.nodes().is_only_since(mark, node)) return std::nullopt;
  const auto output = std::ranges::find_if(node.outputs(), [](ValueId value) { return value != absent_value; });
  if (output == node.outputs().end() || !all_.calls_to_check.take_node()) return std::nullopt;
  std::string problem = types_.problem_of_maker(scope, *output, all_.calls_to_check.most_nodes_before());
  if (problem.empty()) return std::nullopt;
  return record_.not_lowered(node, line, {record_.as_it_is(node, std::move(problem))});
}

bool GraphLegalizer::fold_into(BodyInstance& instance, const BodyTemplate::Node& next, const GraphScope& scope,
                               const Origin& inside) {
  // Casts to the type that their input has are left out. To attach first and lower later gives
  // the same model as to lower at once, but for casts in the subgraphs of an attached
  // function, which stay.
  const bool folds = next.is_copy || (inside.folds_types() && may_fold(next.role));
  if (!folds || inside.wanted.contains(instance.output_of(next))) return false;
  const ValueId value = folded(instance, next, scope, all_.left_over.bypassed);
  if (value == absent_value) return false;
  instance.substitute(next, value);
  inside.findings->may_leave_unused |= instance.may_leave_unused(next);
  return true;
}

bool GraphLegalizer::place_body_node(BodyInstance& instance, const BodyTemplate::Node& next, GraphScope& scope,
                                     const Origin& inside, std::optional<Refusal>& refusal) {
  all_.nodes_made.add_one();
  // A body that makes more nodes than one run holds becomes several runs: one for what each of its
  // nodes was lowered to.
  const size_t mark = scope.placed().size();
  const bool is_large = !inside.in_made_graph && mark - inside.begin > MadeRun::longest;
  const Arena::Mark fields = is_large ? all_.model.fields().mark() : Arena::Mark();
  std::string problem;
  const Node* made = instance.make(next, problem, refusal);
  if (made == nullptr) return false;
  if (next.is_derived) {
    instance.substitute(next, place_derived(*made, scope));
    return true;
  }
  if (!next.problem().empty()) problem = next.problem();
  if (problem.empty() && next.has_open_conditions()) problem = legality_.problem_of_conditions(*made, scope);
  const Node& placed = next.role == OperatorRole::cast_like ? simplest(*made, scope, inside) : *made;
  const bool is_as_cast = &placed != made;
  if (problem.empty() && (is_as_cast || next.role != OperatorRole::cast_like) && !folds() &&
      place_as_before(instance, next, placed, scope, inside)) {
    inside.findings->may_leave_unused |= is_as_cast;
    if (inside.checks_made) refusal = problem_of_made(*made, next.line, mark, scope, inside);
    return !refusal;
  }
  std::optional<MadeRun> run;
  if (is_large && inside.folds_types()) run.emplace(all_, scope, fields);
  Placement placement = place_made(*made, scope, inside, std::move(problem));
  if (!placement.placed) {
    refusal = record_.not_lowered(*made, next.line, std::move(placement.refusals));
    return false;
  }
  if ((refusal = problem_of_made(*made, next.line, mark, scope, inside))) return false;
  instance.substitute(next, placement.substitutions);
  if (run && placement.substitutions.empty() && inside.findings->may_leave_unused &&
      scope.placed().size() - mark <= MadeRun::longest) {
    drop_unused(scope, mark, made->outputs());
    run->settle_made(*made, types_);
    inside.findings->makes_runs = true;
  }
  return true;
}

ValueId GraphLegalizer::place_derived(const Node& constant, GraphScope& scope) {
  all_.model.has_derived_tensors = true;
  const ValueId value = constant.outputs()[0];
  if (scope.is_function() || all_.ir_version < first_ir_version::with_free_initializers) {
    scope.nodes().place(constant);
    return value;
  }
  const Bytes content = wire_of_constant(constant.wire);
  ValueId& known = all_.derived_initializers.try_emplace(std::string(content), absent_value).first->second;
  // An initializer that was made in a trial which failed is gone, and one of another graph may not
  // be visible here.
  const auto is_it = [&](const TensorSkeleton& added) { return added.value == known; };
  if (known != absent_value && std::ranges::any_of(scope.added_initializers(), is_it)) return known;
  known = value;
  std::string tensor(content);
  append_field(tensor, field::Tensor::name, all_.model.value_name(value));
  const Bytes wire = all_.model.keep_field(field::Graph::initializer, tensor);
  scope.add_initializer({.value = value, .wire = wire, .external = true});
  return value;
}

bool GraphLegalizer::place_as_before(BodyInstance& instance, const BodyTemplate::Node& next, const Node& made,
                                     GraphScope& scope, const Origin& inside) {
  const std::optional<BodyTemplate::Signature> signature = instance.signature(next, scope);
  if (!signature) return place_as_it_is(made, scope, inside, instance.made_type(next));
  BodyTemplate::StoodNode& before = instance.body().stood(next);
  const uint32_t destination = legality_.destination(inside);
  if (before.destination != destination || before.signature != *signature) {
    if (!legality_.stands_by_types(made, scope, inside))
      return place_as_it_is(made, scope, inside, instance.made_type(next));
    scope.nodes().place(made, instance.made_type(next));
    before = {*signature, destination, made.outputs().empty() ? 0 : scope.element_type(made.outputs()[0])};
  } else {
    scope.nodes().place(made, before.made_type);
  }
  instance.note_made_type(next, before.made_type);
  return true;
}

}  // namespace onnx_lower
