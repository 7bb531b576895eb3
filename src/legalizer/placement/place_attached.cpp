// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// --attach: places a node as the call of a model-local function that holds what the node
// was lowered to.

#include <algorithm>

#include "legalizer/legalization/trial.h"
#include "legalizer/placement/graph_legalizer.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

// Whether the function of these nodes would have an input that none of them reads and whose element
// type is newer than bfloat16, as float8 and int4 are. ONNX Runtime learns from a function's nodes
// which types the function takes; for an input that none of them reads, it takes the types of early
// ONNX only. It knows the operators of com.microsoft without their functions.
bool leaves_narrow_input_unread(std::span<const Node* const> nodes, const Node& call, const GraphScope& scope,
                                TypeInference& types) {
  if (scope.sources().model.op(call.op).domain == "com.microsoft") return false;
  std::unordered_set<ValueId> unread;
  for (const ValueId input : call.inputs()) {
    if (input != absent_value && types.element_type(scope, input) > onnx::TensorProto::BFLOAT16) unread.insert(input);
  }
  if (unread.empty()) return false;
  for (const Node* node : nodes) for_each_used(*node, [&](ValueId value) { unread.erase(value); });
  return !unread.empty();
}

// Takes back all nodes that were placed in the trial and places the node that stays instead. The
// outputs keep the element types that they got from the nodes.
void replace_trial_by_node(const Node& stays, GraphScope& scope, Trial& trial) {
  std::vector<int> types;
  for (const ValueId output : stays.outputs()) types.push_back(scope.element_type(output));
  trial.commit_without_nodes();
  scope.nodes().place(stays);
  for (size_t index = 0; index < types.size(); ++index)
    scope.element_types().note(stays.outputs()[index], types[index]);
}

}  // namespace

std::optional<GraphLegalizer::Placement> GraphLegalizer::place_attached(const Node& node, onnx::NodeProto message,
                                                                        bool has_settings, GraphScope& scope) {
  Findings findings;
  const std::vector<Candidate>& candidates = rules_.candidates(node.op, message.input_size(), false);
  std::optional<Trial> around(std::in_place, all_, scope, types_, findings);
  const Attachment::KeptNode kept = attachment_.keep(node, message, has_settings, scope);
  Origin origin;
  origin.attaches = true;
  origin.findings = &findings;
  const Call call(message, kept.lowered, scope, types_, target_.opset(), origin.folds_types(), all_);
  AttributeBinding binding;
  LoweringRecord::Refused refused;
  for (const Candidate& candidate : candidates) {
    if (candidate.is_own_function() && attachment_.runs_as_it_is(kept, target_)) {
      around.reset();
      scope.nodes().place(node);
      attachment_.import_domain_of(node.op);
      return Placement{.placed = true};
    }
    std::optional<Refusal> refusal;
    // First with a body that refers to the node's attributes, so that one function serves calls
    // with any values of them; where a rule has to know the values, with the values in the body. An
    // attribute that refers to one of the function in which the node stands has no value.
    for (const bool refers : {true, false}) {
      if (!refers && std::ranges::any_of(message.attribute(), is_open)) break;
      refusal.reset();
      binding.clear(refers);
      const auto prepared = rules_.prepare(candidate, node, call, nullptr, binding, refusal);
      if (!prepared) continue;
      Trial trial(all_, scope, types_, findings);
      const size_t begin = scope.placed().size();
      Placement placement = place_body(*prepared, binding, kept.lowered, scope, origin);
      if (!placement.placed) {
        refusal = std::move(placement.refusals.front());
        continue;
      }
      const std::span<const Node* const> nodes = std::span(scope.placed()).subspan(begin);
      if (leaves_narrow_input_unread(nodes, kept.lowered, scope, types_)) return std::nullopt;
      const size_t count = nodes.size();
      const uint32_t rewrite = record_.rewrite_of(node, candidate, nodes, scope, true);
      const Node& stays = attachment_.make_call(kept, message, *prepared->form, nodes, target_);
      trial.commit();
      replace_trial_by_node(stays, scope, *around);
      record_.lowered(node, candidate, count, findings, true, rewrite);
      return Placement{.placed = true, .changed = true};
    }
    if (refusal) refused.emplace_back(&candidate, std::move(*refusal));
  }
  return Placement{.refusals = record_.reasons(node, candidates, call, std::move(refused), false)};
}

bool GraphLegalizer::takes_list_of_several_types(const Node& node, const GraphScope& scope) {
  const auto is_of_several_types = [&](std::span<const ValueId> items) {
    int first = 0;
    for (const ValueId item : items) {
      const int element_type = types_.element_type(scope, item);
      if (element_type == 0) continue;
      if (first != 0 && element_type != first) return true;
      first = element_type;
    }
    return false;
  };
  return std::ranges::any_of(node.inputs(), [&](ValueId input) {
    const NodeView maker = maker_of_list(scope, input);
    if (!maker) return false;
    // Remembered, as a hundred thousand nodes may take one list of as many tensors.
    const auto [known, inserted] = scope.lists_of_several_types().try_emplace(maker.outputs[0], false);
    if (inserted) known->second = is_of_several_types(maker.inputs);
    return known->second;
  });
}

}  // namespace onnx_lower
