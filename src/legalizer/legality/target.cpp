// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legality/target.h"

#include <fmt/format.h>

#include <algorithm>

#include "legalizer/legality/type_problem.h"
#include "legalizer/nodes/node_message.h"
#include "standard_operators/element_type_source.h"
#include "standard_operators/version_change.h"

namespace onnx_lower {
namespace {

const OperatorVersion* usable(const OperatorVersion* version) {
  return version != nullptr && !version->deprecated ? version : nullptr;
}

// What messages call the target: users do not know the default target by its name.
std::string_view spoken_name(const TargetFile& target) {
  return target.name == default_target ? "ONNX Runtime or OpenVINO" : std::string_view(target.name);
}

// `version`: the version that is written; nullptr where there is none.
std::string refusal_of_version(const TargetFile& target, std::string_view op_type, const OperatorVersion* version) {
  const auto is_refused = [&](const OperatorVersion& any) { return target.refuses(any.domain, any.name, &any, true); };
  // Of an operator that it takes in no version, the number of one tells nothing.
  if (version != nullptr && std::ranges::all_of(operator_versions(version->domain, version->name), is_refused)) {
    return target.is_restriction ? fmt::format("{} leaves no {}", target.name, op_type)
                                 : fmt::format("{} has no {}", spoken_name(target), op_type);
  }
  return fmt::format("{} does not take {}{}", spoken_name(target), op_type,
                     version == nullptr ? "" : fmt::format(" of version {}", version->since_version));
}

// Why the target does not take the node by this line; empty where the line's condition holds.
std::string refusal_by(const TargetFile& target, const OperatorLine& line, const ConditionFacts& facts) {
  // First without the words of a reason, which cost most: nearly all nodes are taken.
  if (!line.condition->fails(facts)) return {};
  if (line.never) return fmt::format("{} does better with other operators", spoken_name(target));
  return fmt::format("{} takes it only {}, and {}", spoken_name(target), line.text,
                     line.condition->evaluate(facts).reason);
}

}  // namespace

const OperatorVersion* Target::version(OperatorId op) const {
  if (versions_.size() <= op) versions_.resize(std::max<size_t>(op + 1u, all_.model.operator_count()));
  std::optional<const OperatorVersion*>& known = versions_[op];
  if (!known) {
    const Operator& named = all_.model.op(op);
    known = usable(find_operator(named.domain, named.op_type, all_.known.contexts.version(opsets_, named.domain)));
  }
  return *known;
}

bool Target::Limits::ask_inputs(const Condition& condition, const OperatorFacts& op) {
  const auto input_named = [&](std::string_view name) -> std::optional<uint32_t> {
    const auto input = std::ranges::find(op.version->inputs, name, &OperatorParameter::name);
    if (input == op.version->inputs.end()) return std::nullopt;
    return static_cast<uint32_t>(input - op.version->inputs.begin());
  };
  const std::vector<Condition::TypeList> lists = condition.type_lists();
  for (const Condition::TypeList& list : lists) {
    const std::optional<uint32_t> input = input_named(list.value);
    if (!input) return false;
    const auto asked = std::ranges::find(input_types, *input, &InputTypes::input);
    if (asked != input_types.end()) {
      asked->types &= list.types;
    } else {
      const bool is_of_output =
          op.first_output.attribute == nullptr && op.first_output.is_that_of_input(*op.version, *input);
      input_types.push_back({*input, list.types, is_of_output});
    }
  }
  if (!lists.empty()) return true;
  std::optional<Condition::ExcludedProducer> maker = condition.holds_unless_made_by();
  const std::optional<uint32_t> input = maker ? input_named(maker->value) : std::nullopt;
  if (!input) return false;
  input_makers.push_back({*input, std::move(maker->op_type)});
  return true;
}

const Target::Limits& Target::learn_limits(OperatorId op, bool made) const {
  std::vector<Limits>& known = limits_[made ? 1 : 0];
  if (known.size() <= op) known.resize(std::max<size_t>(op + 1u, all_.model.operator_count()));
  known[op] = find_limits(op, made);
  return known[op];
}

Target::Limits Target::find_limits(OperatorId op, bool made) const {
  Limits found;
  found.known = true;
  const Operator& named = all_.model.op(op);
  const bool is_standard = is_standard_domain(named.domain);
  const OperatorVersion* here = is_standard ? version(op) : nullptr;
  // The default target speaks of nodes that rules make only. It is read when there are such: to
  // read it takes as long as a run in which rules make nothing.
  if (made && targets_.empty()) targets_.push_back(find_target(std::string(default_target)));
  size_t takers = 0;
  for (const std::shared_ptr<const TargetFile>& target : targets_) {
    if (target->only_made_nodes && !made) continue;
    for (const OperatorLine* line : target->lines_about(named.domain, named.op_type, here, made)) {
      if (line->condition) found.conditions.push_back({target.get(), line});
    }
    const OperatorLine* about_types = here == nullptr ? nullptr : target->line_about_types(*here);
    if (about_types != nullptr) found.conditions.push_back({target.get(), about_types});
    const bool is_refused = target->refuses(named.domain, named.op_type, here, made);
    if (is_refused && found.refused_by == nullptr) found.refused_by = target.get();
    const bool speaks = target->is_restriction || target->lines(named.domain, named.op_type) != nullptr;
    takers += !is_refused && speaks ? 1 : 0;
  }
  found.takes_other_domain = !is_standard && takers == targets_.size() && takers > 0;
  if (here == nullptr) return found;
  const OperatorFacts& facts = all_.known.facts.of(op, opsets_);
  found.inputs_may_tell = std::ranges::all_of(
      found.conditions, [&](const Limits::Line& limit) { return found.ask_inputs(*limit.line->condition, facts); });
  const auto is_typed = [&](const Condition::Name& value) {
    return (facts.role == OperatorRole::constant && value.name == here->outputs[0].name) ||
           std::ranges::find(here->inputs, value.name, &OperatorParameter::name) != here->inputs.end();
  };
  found.go_by_types_and_names = std::ranges::all_of(found.conditions, [&](const Limits::Line& limit) {
    return limit.line->condition->goes_by_types_and_names() &&
           std::ranges::all_of(limit.line->condition->value_names(), is_typed);
  });
  return found;
}

bool Target::takes(OperatorId op, bool made, const ConditionFacts& facts) const {
  return std::ranges::none_of(limits(op, made).conditions,
                              [&](const Limits::Line& limit) { return limit.line->condition->fails(facts); });
}

std::string Target::refusal(OperatorId op, bool made, const ConditionFacts* facts) const {
  const Limits& all = limits(op, made);
  const bool is_standard = is_standard_domain(all_.model.op(op).domain);
  if (is_standard && all.refused_by != nullptr)
    return refusal_of_version(*all.refused_by, all_.model.op(op).op_type, version(op));
  if (facts == nullptr) return {};
  for (const Limits::Line& limit : all.conditions) {
    if (std::string reason = refusal_by(*limit.target, *limit.line, *facts); !reason.empty()) return reason;
  }
  return {};
}

Target::RuntimeRefusal Target::runtime_refusal(const OperatorVersion& version, const ConditionFacts& facts) const {
  RuntimeRefusal found;
  for (const std::shared_ptr<const TargetFile>& target : targets_) {
    const std::vector<OperatorLine>* lines = target->lines(version.domain, version.name);
    if (lines == nullptr) continue;
    for (const OperatorLine& line : *lines) {
      if (line.only_made || !line.versions.contains(version.since_version)) continue;
      std::string reason = line.condition ? refusal_by(*target, line, facts)
                           : line.never   ? refusal_of_version(*target, version.name, &version)
                                          : std::string();
      if (!reason.empty()) found = {std::move(reason), line.is_preference};
      if (!found.reason.empty() && !found.is_preference) return found;
    }
  }
  return found;
}

bool Target::refuses_by_preference_only(OperatorId op, bool made, const ConditionFacts& facts) const {
  bool is_refused = false;
  for (const Limits::Line& limit : limits(op, made).conditions) {
    if (!limit.line->condition->fails(facts)) continue;
    if (!limit.line->is_preference) return false;
    is_refused = true;
  }
  return is_refused;
}

bool Target::prefers_another(OperatorId op, bool made, const ConditionFacts& facts, std::string_view attribute) const {
  return std::ranges::any_of(limits(op, made).conditions, [&](const Limits::Line& limit) {
    const auto names = limit.line->condition->attribute_names();
    return limit.line->is_preference && std::ranges::find(names, attribute, &Condition::Name::name) != names.end() &&
           limit.line->condition->fails(facts);
  });
}

bool Target::waits_for_shapes(OperatorId op, bool made, const ConditionFacts& facts) const {
  const Limits& all = limits(op, made);
  return all.refused_by == nullptr && std::ranges::all_of(all.conditions, [&](const Limits::Line& limit) {
           return limit.line->condition->may_hold_with_shapes(facts);
         });
}

std::optional<Target::Doubt> Target::doubt(OperatorId op, const ConditionFacts& facts) const {
  for (const Limits::Line& limit : limits(op, false).conditions) {
    if (limit.line->is_wrong && limit.line->condition->fails(facts))
      return Doubt{limit.target->name, limit.line->condition->evaluate(facts).reason};
  }
  return std::nullopt;
}

std::vector<std::string> Target::attributes_in_conditions(OperatorId op, bool made) const {
  std::vector<std::string> names;
  for (const Limits::Line& limit : limits(op, made).conditions) {
    for (Condition::Name& name : limit.line->condition->attribute_names()) {
      // Several targets, and several lines of one, may ask for the same.
      if (std::ranges::find(names, name.name) == names.end()) names.push_back(std::move(name.name));
    }
  }
  return names;
}

Legality Target::learn(OperatorId op, OpsetContext written_for, bool made, size_t table) {
  if (legality_.size() <= table) legality_.resize(table + 1);
  if (legality_[table].size() <= op) legality_[table].resize(std::max<size_t>(op + 1u, all_.model.operator_count()));
  return legality_[table][op] = find_legality(op, written_for, made);
}

Legality Target::find_legality(OperatorId op, OpsetContext written_for, bool made) const {
  if (!keeps(op)) return find_legality_of_others(op, written_for, made);
  if (!made && find_legality_of_others(op, written_for, made) == Legality::illegal) {
    const Operator& named = all_.model.op(op);
    std::vector<std::string>& kept = all_.result.kept_for_kernels;
    std::string name = operator_name(named.domain, named.op_type);
    if (std::ranges::find(kept, name) == kept.end()) kept.push_back(std::move(name));
  }
  return Legality::legal;
}

Legality Target::find_legality_of_others(OperatorId op, OpsetContext written_for, bool made) const {
  const Operator& named = all_.model.op(op);
  const Limits& of_targets = limits(op, made);
  if ((!is_standard_domain(named.domain) && !of_targets.takes_other_domain) ||
      all_.library.has_user_rule(named.domain, named.op_type) || all_.known.functions.own(op) != nullptr)
    return Legality::illegal;
  const Legality where_taken = of_targets.conditions.empty() ? Legality::legal : Legality::by_condition;
  if (of_targets.takes_other_domain) return where_taken;
  const OperatorFacts& facts = all_.known.facts.of(op, written_for);
  const OperatorVersion* here = version(op);
  if (facts.version == nullptr || here == nullptr || of_targets.refused_by != nullptr) return Legality::illegal;
  if (facts.version != here || may_lose_kernel(op, written_for, made)) return Legality::by_node;
  if (where_taken == Legality::by_condition) return where_taken;
  const bool may_be_malformed = facts.role == OperatorRole::constant || facts.role == OperatorRole::transpose;
  return may_be_malformed && !made ? Legality::unless_malformed : Legality::legal;
}

bool Target::may_lose_kernel(OperatorId op, OpsetContext written_for, bool made) const {
  if (made || !all_.options.targets.empty() || all_.known.contexts.version(written_for, "") == opset()) return false;
  constexpr bool as_if_made = true;
  return std::ranges::any_of(limits(op, as_if_made).conditions,
                             [](const Limits::Line& limit) { return limit.line->condition->goes_by_opset(); });
}

Target::Rewriting Target::write_at_target_version(onnx::NodeProto& node, OperatorId op,
                                                  OpsetContext written_for) const {
  const OperatorFacts& facts = all_.known.facts.of(op, written_for);
  const OperatorVersion* here = version(op);
  const VersionChange change = version_change(node, *facts.version, *here);
  if (!change.is_possible()) return {.problem = change.reason};
  if (std::string problem = made_type_problem(*here, made_type(facts, node)); !problem.empty())
    return {.problem = std::move(problem)};
  if (node.input_size() < here->min_inputs && facts.version->min_inputs < here->min_inputs)
    return {.problem = fmt::format("version {} of the operator takes at least {} inputs, and the node has {}",
                                   here->since_version, here->min_inputs, node.input_size())};
  const bool changes = !change.changes_nothing();
  if (changes) apply(change, node);
  // Optional inputs and outputs that came with a later version may be written out as absent.
  const int values = node.input_size() + node.output_size();
  drop_trailing_absent(*node.mutable_input(), here->max_inputs);
  drop_trailing_absent(*node.mutable_output(), here->max_outputs);
  return {.edited = changes || node.input_size() + node.output_size() != values};
}

int Target::opset_hint(const onnx::NodeProto& node, OperatorId op, OpsetContext written_for) const {
  if (!all_.model.op(op).domain.empty()) return 0;
  const OperatorVersion* own = all_.known.facts.of(op, written_for).version;
  if (own == nullptr) return 0;
  // Then the version does not stand in the way, but a type or a runtime.
  const OperatorVersion* here = version(op);
  if (here != nullptr && version_change(node, *own, *here).is_possible()) return 0;
  return static_cast<int>(first_opset_with_the_meaning(node, *own, opset()).value_or(0));
}

}  // namespace onnx_lower
