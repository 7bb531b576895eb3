// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/opset_trials.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "domain.h"
#include "error.h"
#include "legalizer/before/version_choice.h"
#include "legalizer/legalizer.h"
#include "model_file/read_model.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

constexpr int most_trials = 4;

// Larger models are not read again.
bool may_be_tried(const Model& model) {
  constexpr size_t largest_model = size_t{1} << 28;
  return model.input().bytes().size() <= largest_model;
}

// Whether `holds` is true of the result of legalizing the model with these options; false
// where legalizing fails.
template <typename Holds>
bool holds_in_trial(const Model& model, RuleLibrary& library, const LegalizeOptions& options, const Holds& holds) {
  try {
    Model again = read_model(model.input().shared());
    return holds(legalize(again, library, options));
  } catch (const Error&) {
    return false;
  }
}

using NodeName = std::pair<std::string, std::string>;  // the node's name and its operator's

NodeName name_of(const UnloweredNode& node) { return {node.node, node.op_type}; }

// Whether a node is refused for a reason of that kind, whatever other reasons there are.
bool rest_on(const LegalizeResult& result, bool Refusal::*why) {
  return std::ranges::any_of(result.unlowered,
                             [why](const UnloweredNode& node) { return rest_on(node.refusals, why); });
}

// Whether a limit ended the search for a node's rules: each trial would take as long once more.
bool has_ended_early(const LegalizeResult& result) { return rest_on(result, &Refusal::ends_search); }

// The most steps that a rule would have to write one by one, of those that are more than allowed; 0
// where there are none.
int64_t most_steps_of(const std::vector<Refusal>& refusals) {
  int64_t most = 0;
  for (const Refusal& refusal : refusals) most = std::max({most, refusal.steps, most_steps_of(refusal.causes)});
  return most;
}

int highest_advice(const LegalizeResult& result, const std::set<NodeName>& hopeless) {
  int highest = 0;
  for (const UnloweredNode& node : result.unlowered) {
    if (!hopeless.contains(name_of(node))) highest = std::max(highest, node.target_opset_hint);
  }
  return highest;
}

// Notes at the nodes of the operator that they can be read as the candidate, if one of them could
// be lowered then, or lacks nothing but attributes. False where none could.
bool take_reading(const std::string& candidate, const OperatorPattern& read, const LegalizeResult& lowered,
                  LegalizeResult& result) {
  bool fits = false;
  for (UnloweredNode& node : result.unlowered) {
    if (!read.fits(node.domain, node.op_type)) continue;
    const auto left = std::ranges::find(lowered.unlowered, node.node, &UnloweredNode::node);
    if (left != lowered.unlowered.end()) {
      const auto lacks = std::ranges::find_if(
          left->refusals, [](const Refusal& refusal) { return !refusal.missing_attributes.empty(); });
      if (lacks == left->refusals.end()) continue;
      node.reading_lacks = lacks->missing_attributes;
    }
    node.reading = candidate;
    fits = true;
  }
  return fits;
}

}  // namespace

LegalizeOptions with_opset_of_lowered(const Model& model, RuleLibrary& library, LegalizeOptions options) {
  const VersionRange lowered = common_opsets_of_lowered(options.targets);
  if (options.target_opset || lowered.is_empty() || model.opset("") <= lowered.last) return options;
  const auto stays_as_it_is = [](const LegalizeResult& result) {
    return result.lowered.empty() && result.unlowered.empty();
  };
  options.is_lowered = !may_be_tried(model) || !holds_in_trial(model, library, options, stays_as_it_is);
  return options;
}

void settle_opset_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                         LegalizeResult& result) {
  std::set<NodeName> hopeless;
  const int64_t highest_taken = common_opsets(options.targets, "").last;
  for (UnloweredNode& node : result.unlowered) {
    const bool may_be_advised =
        node.target_opset_hint <= highest_taken && !rest_on(node.refusals, &Refusal::ends_search);
    if (!may_be_advised) node.target_opset_hint = 0;
    if (node.target_opset_hint == 0) hopeless.insert(name_of(node));
  }
  int settled = 0;
  int advised = highest_advice(result, hopeless);
  if (advised == 0 || !may_be_tried(model)) return;
  for (int trial = 0; trial < most_trials && advised != 0; ++trial) {
    LegalizeOptions with_advice = options;
    with_advice.target_opset = advised;
    int next = 0;
    const bool leads = holds_in_trial(model, library, with_advice, [&](const LegalizeResult& lowered) {
      next = highest_advice(lowered, hopeless);
      return std::ranges::all_of(lowered.unlowered,
                                 [&](const UnloweredNode& node) { return hopeless.contains(name_of(node)); });
    });
    if (leads) settled = advised;
    advised = !leads && next > advised ? next : 0;
  }
  for (UnloweredNode& node : result.unlowered) {
    if (node.target_opset_hint != 0) node.target_opset_hint = settled;
  }
}

int opset_for_all(const LegalizeOptions& options, const LegalizeResult& result) {
  if (options.targets.empty() || options.target_opset || result.unlowered.empty()) return 0;
  const int advised = result.unlowered.front().target_opset_hint;
  const bool serves_all = std::ranges::all_of(
      result.unlowered, [&](const UnloweredNode& node) { return node.target_opset_hint == advised; });
  return serves_all ? advised : 0;
}

VersionRange newer_opsets_of_targets(const Model& model, const LegalizeOptions& options) {
  const int64_t own = model.opset("");
  if (options.targets.empty() || options.target_opset || own == 0 || !may_be_tried(model))
    return {.first = 1, .last = 0};
  LegalizeOptions lowered = options;
  lowered.is_lowered = true;
  VersionRange opsets = opsets_of_targets(model, lowered);
  opsets.first = std::max(opsets.first, own + 1);
  opsets.last = std::min(opsets.last, newest_opset(""));
  return opsets;
}

void settle_narrowing_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                             LegalizeResult& result) {
  const bool is_asked = !options.targets.empty() && !options.allow_narrowing;
  if (!is_asked || has_ended_early(result) || !rest_on(result, &Refusal::is_of_target) || !may_be_tried(model)) return;
  LegalizeOptions with_narrowing = options;
  with_narrowing.allow_narrowing = true;
  std::set<NodeName> left;
  holds_in_trial(model, library, with_narrowing, [&](const LegalizeResult& lowered) {
    for (const UnloweredNode& node : lowered.unlowered) left.insert(name_of(node));
    for (UnloweredNode& node : result.unlowered) node.narrowing_would_do = !left.contains(name_of(node));
    return true;
  });
}

void settle_unrolling_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                             LegalizeResult& result) {
  int64_t most = 0;
  for (const UnloweredNode& node : result.unlowered) {
    if (const int64_t steps = most_steps_of(node.refusals); steps <= largest_most_steps) most = std::max(most, steps);
  }
  if (options.targets.empty() || has_ended_early(result) || most <= options.most_steps || !may_be_tried(model)) return;
  LegalizeOptions with_all = options;
  with_all.most_steps = most;
  std::set<NodeName> left;
  holds_in_trial(model, library, with_all, [&](const LegalizeResult& lowered) {
    for (const UnloweredNode& node : lowered.unlowered) left.insert(name_of(node));
    for (UnloweredNode& node : result.unlowered) {
      if (!left.contains(name_of(node))) node.unroll_hint = most_steps_of(node.refusals);
    }
    return true;
  });
}

void settle_reading_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                           LegalizeResult& result) {
  constexpr size_t most_operators = 4;
  if (options.until != LegalizeOptions::Until::end || has_ended_early(result) || !may_be_tried(model)) return;
  std::set<std::string> asked;
  for (const UnloweredNode& node : result.unlowered) {
    const std::string op = operator_name(node.domain, node.op_type);
    if (node.similar_operators.empty() || asked.size() == most_operators || !asked.insert(op).second) continue;
    const std::vector<std::string> candidates = node.similar_operators;
    const OperatorPattern read{.domain = node.domain, .op_type = node.op_type};
    for (const std::string& candidate : candidates) {
      const size_t colons = candidate.find("::");
      LegalizeOptions as_candidate = options;
      as_candidate.readings.push_back({.op = read,
                                       .as = {.domain = std::string(normalized_domain(candidate.substr(0, colons))),
                                              .op_type = candidate.substr(colons + 2)}});
      const bool fits = holds_in_trial(model, library, as_candidate, [&](const LegalizeResult& lowered) {
        return take_reading(candidate, read, lowered, result);
      });
      if (fits) break;
    }
  }
}

bool may_want_folding(const Model& model, const LegalizeOptions& options, const LegalizeResult& result) {
  return !options.targets.empty() && !options.fold && !has_ended_early(result) &&
         rest_on(result, &Refusal::wants_shapes) && may_be_tried(model);
}

}  // namespace onnx_lower
