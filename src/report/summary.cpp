// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "counted.h"
#include "domain.h"
#include "standard_operators/operator_role.h"

namespace onnx_lower {

std::vector<RuleCount> count_by_rule(const LegalizeResult& result, bool attached) {
  std::map<std::pair<std::string_view, std::string_view>, size_t> nodes;
  for (const LoweredNode& lowered : result.lowered) {
    if (lowered.attached == attached) ++nodes[{lowered.domain, lowered.op_type}];
  }
  std::vector<RuleCount> counts;
  for (const auto& [op, count] : nodes) counts.push_back({operator_name(op.first, op.second), count});
  std::stable_sort(counts.begin(), counts.end(),
                   [](const RuleCount& a, const RuleCount& b) { return a.nodes > b.nodes; });
  return counts;
}

namespace {

const char* described(FoldedNode::Into into) {
  switch (into) {
    case FoldedNode::Into::constant:
      return "a constant";
    case FoldedNode::Into::then_branch:
      return "its then_branch";
    case FoldedNode::Into::else_branch:
      return "its else_branch";
    case FoldedNode::Into::nothing:
      return "nothing, since nothing reads it any more";
  }
  return "";
}

size_t count_nodes(const std::vector<RuleCount>& counts) {
  size_t nodes = 0;
  for (const RuleCount& count : counts) nodes += count.nodes;
  return nodes;
}

std::string listed(const std::vector<RuleCount>& counts) {
  constexpr size_t most_rules = 8;
  std::string list;
  for (size_t i = 0; i < std::min(counts.size(), most_rules); ++i)
    list += fmt::format("{}{} {}", i == 0 ? "" : ", ", counts[i].rule, counts[i].nodes);
  if (counts.size() > most_rules) list += fmt::format(", {} more", counts.size() - most_rules);
  return list;
}

// What is written otherwise though no node was lowered, "; moves nodes behind those …".
std::string other_changes(const LegalizeResult& result) {
  std::string changes;
  if (result.has_moved_nodes) changes += "; moved nodes behind those whose values they use";
  if (!result.dropped_domains.empty())
    changes += fmt::format("; no longer imports {}", fmt::join(result.dropped_domains, ", "));
  if (!result.new_imports.empty()) changes += fmt::format("; imports {} now", fmt::join(result.new_imports, ", "));
  if (result.ir_version.now != 0) changes += fmt::format("; ir_version is now {}", result.ir_version.now);
  if (result.densified_initializers != 0)
    changes += fmt::format("; wrote {} without sparseness", counted(result.densified_initializers, "initializer"));
  return changes;
}

}  // namespace

std::string summary_line(const std::string& input, const LegalizeResult& result, bool check_only, double milliseconds,
                         const std::string& where) {
  const std::vector<RuleCount> expanded = count_by_rule(result, false);
  const std::vector<RuleCount> attached = count_by_rule(result, true);
  std::string line = input + ": ";
  const size_t unlowered = result.unlowered.size();
  if (result.lowered.empty()) line += unlowered == 0 ? "nothing to lower" : "lowered nothing";
  if (!expanded.empty()) {
    line += fmt::format("{} {} by {} ({})", check_only ? "can lower" : "lowered",
                        counted(count_nodes(expanded), "node"), counted(expanded.size(), "rule"), listed(expanded));
  }
  if (!attached.empty()) {
    line += fmt::format("{}{} {} to {} ({})", expanded.empty() ? "" : "; ", check_only ? "can attach" : "attached",
                        counted(result.attached_functions, "function"), counted(count_nodes(attached), "node"),
                        listed(attached));
  }
  if (unlowered != 0) line += fmt::format("; {} could not be", counted(unlowered, "node"));
  // Nodes that were read only by folded nodes count as folded.
  const bool only_drops =
      std::ranges::all_of(result.folded, [](const FoldedNode& node) { return node.into == FoldedNode::Into::nothing; });
  const bool only_constants = std::ranges::all_of(
      result.folded, [](const FoldedNode& node) { return role_of(node.op_type) == OperatorRole::constant; });
  if (!result.folded.empty())
    line += fmt::format("; {} {}", only_drops ? "dropped" : "folded",
                        counted(result.folded.size(), only_drops && only_constants ? "constant" : "node"));
  if (result.nodes_before == result.nodes_after) {
    line += fmt::format("; {}", counted(result.nodes_before, "node"));
  } else {
    line += fmt::format("; {} -> {} nodes", result.nodes_before, result.nodes_after);
  }
  if (result.lowered.empty() && unlowered == 0) line += other_changes(result);
  if (!result.readings.empty()) line += fmt::format("; read {}", fmt::join(result.readings, ", "));
  if (result.lowered.empty() && unlowered == 0 && !where.empty()) line += "; " + where;
  return line + fmt::format("; {:.1f} ms\n", milliseconds);
}

std::vector<const LoweredNode*> slower_nodes(const LegalizeResult& result, const Targets& targets) {
  const auto concerns = [&](const SlowerForm& form) {
    return targets.empty() ||
           std::ranges::any_of(targets, [&](const auto& target) { return target->name.starts_with(form.runtime); });
  };
  std::vector<const LoweredNode*> nodes;
  for (const LoweredNode& lowered : result.lowered) {
    if (lowered.slower != nullptr && concerns(*lowered.slower)) nodes.push_back(&lowered);
  }
  std::ranges::stable_sort(nodes, std::ranges::greater(), [](const LoweredNode* node) { return node->slower->times; });
  return nodes;
}

namespace {

// "note: 2.1 MB of weights become 16.8 MB when a runtime loads the model", where a report has asked
// what the model costs.
std::string larger_line(const LegalizeResult& result) {
  uint64_t bytes = 0, held = 0;
  for (const GrownWeight& grown : result.after.grown) {
    bytes += grown.bytes;
    held += grown.held_bytes;
  }
  constexpr double megabyte = 1e6;
  if (held < megabyte || held < bytes * 3 / 2) return {};
  return fmt::format("note: {:.1f} MB of weights become {:.1f} MB when a runtime loads the model\n",
                     static_cast<double>(bytes) / megabyte, static_cast<double>(held) / megabyte);
}

}  // namespace

std::string kept_lines(const LegalizeResult& result) {
  std::string lines;
  for (const std::string& op : result.kept_for_kernels)
    lines += fmt::format("note: {} stays, and runs only where the runtime has a kernel for it\n", op);
  return lines;
}

std::string fewer_lines(const std::vector<FewerNodes>& fewer) {
  std::string lines;
  for (const FewerNodes& nodes : fewer) {
    lines += nodes.there == 0 ? fmt::format("note: --target {} leaves {} as it is, of which this makes {}\n",
                                            nodes.target, nodes.op, counted(nodes.made, "node"))
                              : fmt::format("note: --target {} makes {} of {}, and not {}\n", nodes.target,
                                            counted(nodes.there, "node"), nodes.op, nodes.made);
  }
  return lines;
}

std::string widened_line(const LegalizeResult& result) {
  const WidenedWeights& widened = result.widened_weights;
  if (widened.products == 0) return {};
  const std::string others = widened.products == 1 ? "" : fmt::format(" and {} more", widened.products - 1);
  return fmt::format(
      "note: the weights of '{}'{} ({}) are stored in {} bits and written in 8; --target-opset {} keeps {}\n",
      widened.node, others, widened.op_type, widened.bits, widened.opset, widened.bits);
}

std::string cost_line(const LegalizeResult& result, const Targets& targets) {
  const std::vector<const LoweredNode*> nodes = slower_nodes(result, targets);
  if (nodes.empty()) return larger_line(result);
  const LoweredNode& worst = *nodes.front();
  // Of which nodes it holds is said where the table cannot tell it by the node.
  const std::string which =
      worst.slower->told_by.empty() && !worst.slower->which.empty() ? fmt::format(" {}", worst.slower->which) : "";
  std::string line = fmt::format("note: '{}' ({}{}) takes {} {} times as long as its own kernel", worst.node,
                                 worst.op_type, which, worst.slower->runtime, worst.slower->times);
  if (nodes.size() > 1)
    line += fmt::format("; {} known to be slower",
                        nodes.size() == 2 ? "1 more node is" : counted(nodes.size() - 1, "more node") + " are");
  return line + "\n";
}

std::string lowered_lines(const LegalizeResult& result, const std::string& before) {
  std::string lines;
  for (const LoweredNode& lowered : result.lowered) {
    lines += fmt::format("{}'{}' ({}) -> {}{} by {}{}{}\n", before, lowered.node,
                         operator_name(lowered.domain, lowered.op_type), lowered.attached ? "a function of " : "",
                         counted(lowered.nodes_made, "node"), lowered.where_from, lowered.note.empty() ? "" : "; ",
                         lowered.note);
  }
  for (const FoldedNode& folded : result.folded) {
    lines += fmt::format("{}'{}' ({}) -> {}\n", before, folded.node, operator_name(folded.domain, folded.op_type),
                         described(folded.into));
  }
  if (result.ir_version.now != 0) lines += fmt::format("{}ir_version is now {}\n", before, result.ir_version.now);
  if (!result.ir_version.needed_by.empty())
    lines += fmt::format("{}ir_version is not lower because of {}\n", before, result.ir_version.needed_by);
  for (const std::string& fields : result.ir_version.dropped_fields)
    lines += fmt::format("{}ir_version {} has no {}: left out\n", before, result.ir_version.now, fields);
  for (const std::string& domain : result.dropped_domains)
    lines += fmt::format("{}domain '{}' is no longer imported\n", before, domain);
  return lines;
}

}  // namespace onnx_lower
