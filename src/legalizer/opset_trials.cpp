// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/opset_trials.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "error.h"
#include "legalizer/legalizer.h"
#include "model_file/read_model.h"

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
    Model again = read_model(InputFile::from_bytes(model.input().path(), std::string(model.input().bytes())));
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

int highest_advice(const LegalizeResult& result, const std::set<NodeName>& hopeless) {
  int highest = 0;
  for (const UnloweredNode& node : result.unlowered) {
    if (!hopeless.contains(name_of(node))) highest = std::max(highest, node.target_opset_hint);
  }
  return highest;
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

bool may_want_folding(const Model& model, const LegalizeOptions& options, const LegalizeResult& result) {
  return !options.targets.empty() && !options.fold && !has_ended_early(result) &&
         rest_on(result, &Refusal::wants_shapes) && may_be_tried(model);
}

}  // namespace onnx_lower
