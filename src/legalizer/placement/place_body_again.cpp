// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Places the nodes of a rule's body as those of an earlier instance were placed.

#include <optional>
#include <string>
#include <utility>

#include "legalizer/body/fold.h"
#include "legalizer/placement/graph_legalizer.h"

namespace onnx_lower {
namespace {

using Became = BodyTemplate::Became;

// After so many instances of which the types did not decide everything, no more are looked at.
constexpr int most_failures = 4;

// What became of the node of the body; nullopt where more than types decided. `next`: the next node
// that was placed, if it is not the last.
std::optional<BodyTemplate::Course::Step> step_of(const BodyTemplate::Node& node, const BodyInstance& instance,
                                                  const Node* next, const GraphScope& scope, uint32_t destination) {
  if (node.outputs().size() != 1 || !node.graphs().empty() || node.has_open_conditions() || node.is_derived ||
      !node.problem().empty())
    return std::nullopt;
  const ValueId value = instance.output_of(node);
  const bool is_cast = node.role == OperatorRole::cast || node.role == OperatorRole::cast_like;
  if ((node.is_copy || is_cast) && value == instance.input_of(node, 0)) {
    if (!node.references().empty()) return std::nullopt;  // the value of `to` decided
    return BodyTemplate::Course::Step{.became = Became::an_input};
  }
  const BodyTemplate::StoodNode& stood = instance.body().stood(node);
  if (stood.destination != destination || instance.signature(node, scope) != stood.signature) return std::nullopt;
  BodyTemplate::Course::Step step{.reference_types = stood.signature.reference_types, .made_type = stood.made_type};
  if (next == nullptr || next->outputs().empty() || next->outputs()[0] != value) return step;
  step.became = next->op == node.op ? Became::placed : Became::placed_as_cast;
  const bool is_other =
      next->op != node.op && (node.role != OperatorRole::cast_like || scope.facts(*next).role != OperatorRole::cast);
  return is_other ? std::nullopt : std::optional(step);
}

}  // namespace

bool GraphLegalizer::types_may_decide(const BodyInstance& instance, const Origin& origin, const Origin& inside) const {
  return !origin.is_made() && !origin.attaches && !inside.checks_made && !folds() && instance.makes_all() &&
         instance.body().course().failures < most_failures;
}

bool GraphLegalizer::has_course(const BodyInstance& instance, const GraphScope& scope, const Origin& inside) const {
  const BodyTemplate& body = instance.body();
  const BodyTemplate::Course& course = body.course();
  if (course.destination != legality_.destination(inside)) return false;
  for (size_t index = 0; index < body.input_count(); ++index) {
    if (instance.formal_type(index, scope) != course.input_types[index] ||
        instance.has_formal_input(index) != (course.input_types[index] != 0))
      return false;
  }
  for (size_t index = 0; index < body.nodes().size(); ++index) {
    const BodyTemplate::Node& node = body.nodes()[index];
    if (!node.references().empty() && instance.reference_types(node) != course.steps[index].reference_types)
      return false;
  }
  return true;
}

void GraphLegalizer::place_as_course_says(BodyInstance& instance, GraphScope& scope, std::optional<Refusal>& refusal) {
  std::string problem;  // stays empty, as it was in the instance before
  auto step = instance.body().course().steps.begin();
  while (const BodyTemplate::Node* next = instance.next(refusal)) {
    const auto [became, reference_types, made_type] = *step++;
    if (became == Became::an_input) {
      instance.substitute(*next, instance.input_of(*next, 0));
      continue;
    }
    all_.nodes_made.add_one();
    const Node* made = instance.make(*next, problem, refusal);
    if (made == nullptr) return;
    // A node that is left out has had a name all the same, which no other node gets.
    if (became == Became::nothing) continue;
    if (became == Became::placed_as_cast) made = &as_cast_to(instance.cast_type(*next, scope), *made, all_.model);
    scope.nodes().place(*made, made_type);
    instance.note_made_type(*next, made_type);
  }
}

void GraphLegalizer::remember_course(const BodyInstance& instance, size_t begin, const GraphScope& scope,
                                     const Origin& inside) const {
  const BodyTemplate& body = instance.body();
  BodyTemplate::Course course{.destination = legality_.destination(inside)};
  for (size_t index = 0; index < body.input_count(); ++index)
    course.input_types.push_back(static_cast<int8_t>(instance.formal_type(index, scope)));
  bool types_decided = true;
  for (size_t index = 0; index < body.input_count(); ++index)
    types_decided &= instance.has_formal_input(index) == (course.input_types[index] != 0);
  size_t placed = begin;
  for (const BodyTemplate::Node& node : body.nodes()) {
    if (!types_decided) break;
    const Node* next = placed < scope.placed().size() ? scope.placed()[placed] : nullptr;
    const std::optional<BodyTemplate::Course::Step> step = step_of(node, instance, next, scope, course.destination);
    types_decided = step.has_value();
    if (!step) break;
    course.steps.push_back(*step);
    if (step->became == Became::placed || step->became == Became::placed_as_cast) ++placed;
  }
  if (!types_decided || placed != scope.placed().size()) course = {.failures = body.course().failures + 1};
  body.course() = std::move(course);
}

}  // namespace onnx_lower
