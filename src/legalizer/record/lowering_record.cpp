// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/record/lowering_record.h"

#include <fmt/format.h>

#include "legalizer/nodes/node_message.h"

namespace onnx_lower {

std::string operator_name_of(const Model& model, const Node& node) {
  return operator_name(model.op(node.op).domain, model.op(node.op).op_type);
}

int LoweringRecord::opset_hint(const Node& node, const std::vector<Refusal>& refusals) const {
  const OpsetContext written_for = node.opsets == own_opsets ? own_ : node.opsets;
  int hint = target_.opset_hint(node_message(all_.model, node), node.op, written_for);
  for (const Refusal& refusal : refusals) {
    if (refusal.target_opset_hint > 0 && (hint == 0 || refusal.target_opset_hint < hint))
      hint = refusal.target_opset_hint;
  }
  return hint;
}

void LoweringRecord::lowered(const Node& node, const Candidate& candidate, size_t nodes_made, const Findings& findings,
                             bool attached) {
  const Operator& op = all_.model.op(node.op);
  std::string_view note = findings.note;
  if (findings.loses_device_configurations)
    note = all_.model.keep(fmt::format("{}{}its device configurations are left out", note, note.empty() ? "" : "; "));
  all_.result.lowered.push_back({display_name(all_.model, node), op.domain, op.op_type, candidate.where_from,
                                 nodes_made, note, attached, findings.assumption});
}

void LoweringRecord::folded(const Node& node, FoldedNode::Into into) {
  const Operator& op = all_.model.op(node.op);
  all_.result.folded.push_back({display_name(all_.model, node), op.domain, op.op_type, into});
}

void LoweringRecord::unlowered(const Node& node, std::vector<Refusal> refusals, std::vector<std::string> open_inputs) {
  const Operator& op = all_.model.op(node.op);
  UnloweredNode unlowered;
  unlowered.node = std::string(display_name(all_.model, node));
  unlowered.domain = op.domain;
  unlowered.op_type = op.op_type;
  unlowered.target_opset_hint = opset_hint(node, refusals);
  unlowered.refusals = std::move(refusals);
  unlowered.open_inputs = std::move(open_inputs);
  if (unlowered.refusals.empty()) unlowered.similar_operators = all_.library.similar_names(op.domain, op.op_type);
  all_.result.unlowered.push_back(std::move(unlowered));
}

Refusal LoweringRecord::untold(const Node& node) const {
  Refusal refusal = refusal_of(fmt::format("no more than {} reasons are told of one node", Tries::most_told));
  refusal.rule = operator_name_of(all_.model, node);
  return refusal;
}

Refusal LoweringRecord::too_many_tries(const Node& node) const {
  const std::string op = operator_name_of(all_.model, node);
  Refusal refusal = refusal_of(
      fmt::format("its rules make nodes for which {} rules declined, which is the limit; give their operators fewer "
                  "forms that lead to one another, or let the node stay by --keep {}",
                  all_.tries.declined(), op));
  refusal.rule = op;
  refusal.ends_search = true;
  return refusal;
}

Refusal LoweringRecord::as_it_is(const Node& node, std::string problem) const {
  Refusal refusal = refusal_of(std::move(problem));
  refusal.rule = operator_name_of(all_.model, node);
  refusal.where_from = fmt::format("as it is at opset {}", target_.opset());
  return refusal;
}

Refusal LoweringRecord::not_lowered(const Node& node, int line, std::vector<Refusal> causes) const {
  Refusal refusal;
  const std::string op = operator_name_of(all_.model, node);
  refusal.reason = fmt::format("its body's node '{}' ({}{}) cannot be lowered", display_name(all_.model, node), op,
                               line == 0 ? "" : fmt::format(", line {}", line));
  if (causes.empty()) refusal.reason += fmt::format(": {} has no rule", op);
  refusal.target_opset_hint = opset_hint(node, causes);
  refusal.causes = std::move(causes);
  return refusal;
}

std::vector<Refusal> LoweringRecord::reasons(const Node& node, const std::vector<Candidate>& candidates,
                                             const Call& call, Refused refused, bool is_broken) const {
  std::vector<Refusal> all;
  auto next = refused.begin();
  for (const Candidate& candidate : candidates) {
    if (is_broken && candidate.is_built_in()) continue;
    const bool was_asked = next != refused.end() && next->first == &candidate;
    Refusal& refusal = all.emplace_back(was_asked ? std::move(next++->second) : rules_.why_not(candidate, call));
    if (refusal.rule.empty()) refusal.rule = operator_name_of(all_.model, node);
    refusal.where_from = candidate.where_from;
  }
  return all;
}

}  // namespace onnx_lower
