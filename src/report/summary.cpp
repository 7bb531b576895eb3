// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/summary.h"

#include <fmt/format.h>

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

}  // namespace

std::string summary_line(const std::string& input, const LegalizeResult& result, bool check_only, double milliseconds) {
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
  return line + fmt::format("; {:.1f} ms\n", milliseconds);
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
