// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How GraphLegalizer lets a node stay, with what it was lowered to as a function of the model.

#include <algorithm>

#include "legalizer/legalization/trial.h"
#include "legalizer/placement/graph_legalizer.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

// ONNX Runtime asks a function's nodes which types the function takes. For an input that none of
// them reads these are the types of early ONNX, without those of 8 bits and fewer that came later.
// Its own operators it knows without the function.
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

// The node that stays takes the place of all nodes that were placed in the trials, and its outputs
// keep the types that these gave them.
void place_in_place_of_all(const Node& stays, GraphScope& scope, Trial& trial) {
  std::vector<int> types;
  for (const ValueId output : stays.outputs()) types.push_back(scope.element_type(output));
  trial.commit_without_nodes();
  scope.nodes().place(stays);
  for (size_t index = 0; index < types.size(); ++index) scope.note_element_type(stays.outputs()[index], types[index]);
}

}  // namespace

std::optional<GraphLegalizer::Placement> GraphLegalizer::attach(const Node& node, onnx::NodeProto message,
                                                                bool has_settings, GraphScope& scope) {
  Findings findings;
  const std::vector<Candidate>& candidates = rules_.candidates(node.op, message.input_size());
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
    // First with a body that refers to the node's attributes, so that one function serves all their
    // values; where a rule has to know the values, with these in the body. Those that refer to the
    // function in which the node stands have none.
    for (const bool refers : {true, false}) {
      if (!refers && std::ranges::any_of(message.attribute(), is_open)) break;
      refusal.reset();
      binding.clear(refers);
      const auto prepared = rules_.prepare(candidate, node, call, nullptr, binding, refusal);
      if (!prepared) continue;
      Trial trial(all_, scope, types_, findings);
      const size_t begin = scope.placed().size();
      Placement placement = expand(*prepared, binding, kept.lowered, scope, origin);
      if (!placement.placed) {
        refusal = std::move(placement.refusals.front());
        continue;
      }
      const std::span<const Node* const> nodes = std::span(scope.placed()).subspan(begin);
      if (leaves_narrow_input_unread(nodes, kept.lowered, scope, types_)) return std::nullopt;
      const size_t count = nodes.size();
      const Node& stays = attachment_.make_call(kept, message, *prepared->form, nodes, target_);
      trial.commit();
      place_in_place_of_all(stays, scope, *around);
      record_.lowered(node, candidate, count, findings, true);
      return Placement{.placed = true, .changed = true};
    }
    if (refusal) refused.emplace_back(&candidate, std::move(*refusal));
  }
  return Placement{.refusals = record_.reasons(node, candidates, call, std::move(refused), false)};
}

// PyTorch has such lists; with one, no runtime reads the model.
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
    // A hundred thousand nodes may take a list of as many tensors.
    const auto [known, inserted] = scope.lists_of_several_types().try_emplace(maker.outputs[0], false);
    if (inserted) known->second = is_of_several_types(maker.inputs);
    return known->second;
  });
}

}  // namespace onnx_lower
