// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/record/lowering_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "domain.h"
#include "legalizer/nodes/node_message.h"
#include "standard_operators/operator_table.h"
#include "standard_operators/slower_forms.h"

namespace onnx_lower {

namespace {

// The name of the attribute of the holder that the graph is.
std::string name_of_body(Model& model, const Node& holder, const Graph& graph) {
  const onnx::NodeProto message = node_message(model, holder);
  size_t index = 0;
  const auto is_graph = [&] { return &holder.graphs()[index++] == &graph; };
  for (const auto& attribute : message.attribute()) {
    if (attribute.has_g() && is_graph()) return attribute.name();
    for (int i = 0; i < attribute.graphs_size(); ++i) {
      if (is_graph()) return fmt::format("{}[{}]", attribute.name(), i);
    }
  }
  return std::string(graph.name);
}

// See UnloweredNode::graph.
std::string path_of_graph(Model& model, const GraphScope& scope) {
  const Graph& graph = scope.declarations().graph();
  if (const Node* holder = scope.holder_node()) {
    return fmt::format("{}/{}/{}", path_of_graph(model, *scope.enclosing()), display_name(model, *holder),
                       name_of_body(model, *holder, graph));
  }
  for (const Function& function : model.functions) {
    if (&function.body == &graph) return operator_name(function.domain, function.name);
  }
  return std::string(graph.name);
}

}  // namespace

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
                             bool attached, uint32_t rewrite) {
  const Operator& op = all_.model.op(node.op);
  std::string_view note = findings.note;
  if (findings.loses_device_configurations)
    note = all_.model.keep(fmt::format("{}{}its device configurations are left out", note, note.empty() ? "" : "; "));
  const SlowerForm* slower =
      attached ? nullptr : slower_form_of(op.domain, op.op_type, [&] { return node_message(all_.model, node); });
  all_.result.lowered.push_back({display_name(all_.model, node), op.domain, op.op_type, candidate.where_from,
                                 nodes_made, note, attached, rewrite, findings.assumption, slower});
  if (all_.options.until == LegalizeOptions::Until::change) throw EnoughKnown();
}

void LoweringRecord::folded(const Node& node, FoldedNode::Into into) {
  const Operator& op = all_.model.op(node.op);
  all_.result.folded.push_back({display_name(all_.model, node), op.domain, op.op_type, into});
  if (all_.options.until == LegalizeOptions::Until::change) throw EnoughKnown();
}

UnloweredNode LoweringRecord::refused(const Node& node, const GraphScope& scope, std::vector<Refusal> refusals,
                                      std::vector<std::string> open_inputs) const {
  const Operator& op = all_.model.op(node.op);
  UnloweredNode unlowered;
  unlowered.node = std::string(display_name(all_.model, node));
  unlowered.graph = path_of_graph(all_.model, scope);
  unlowered.domain = op.domain;
  unlowered.op_type = op.op_type;
  unlowered.target_opset_hint = opset_hint(node, refusals);
  unlowered.refusals = std::move(refusals);
  unlowered.open_inputs = std::move(open_inputs);
  if (unlowered.refusals.empty()) {
    if (op.domain.empty()) {
      for (const std::string_view name : similar_operators("", op.op_type))
        unlowered.similar_operators.push_back(operator_name("", name));
    }
    for (std::string& name : all_.library.similar_names(op.domain, op.op_type))
      if (std::ranges::find(unlowered.similar_operators, name) == unlowered.similar_operators.end())
        unlowered.similar_operators.push_back(std::move(name));
  }
  return unlowered;
}

void LoweringRecord::unlowered(const Node& node, const GraphScope& scope, std::vector<Refusal> refusals,
                               std::vector<std::string> open_inputs) {
  all_.result.unlowered.push_back(refused(node, scope, std::move(refusals), std::move(open_inputs)));
  if (all_.options.until != LegalizeOptions::Until::end) throw EnoughKnown();
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
  if (causes.empty()) {
    refusal.reason += fmt::format(": {} has no rule", op);
    refusal.lacking_rule = op;
  }
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
