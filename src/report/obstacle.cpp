// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/obstacle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "domain.h"

namespace onnx_lower {
namespace {

constexpr size_t most_operators = 5;

void add_lacking(const std::vector<Refusal>& refusals, std::vector<std::string>& operators) {
  for (const Refusal& refusal : refusals) {
    if (refusal.is_of_signature) continue;
    if (refusal.is_of_operator && std::ranges::find(operators, refusal.rule) == operators.end())
      operators.push_back(refusal.rule);
    add_lacking(refusal.causes, operators);
  }
}

// "Loop" of "ai.onnx::Loop", as people say it; "custom::Foo" of other domains.
std::string_view spoken(std::string_view op) {
  constexpr std::string_view standard = "ai.onnx::";
  return op.starts_with(standard) ? op.substr(standard.size()) : op;
}

std::string listed(const std::vector<std::string>& operators) {
  std::vector<std::string_view> names;
  for (const std::string& op : std::span(operators).first(std::min(operators.size(), most_operators)))
    names.push_back(spoken(op));
  const std::string others =
      operators.size() > most_operators ? fmt::format(" and {} more", operators.size() - most_operators) : "";
  return fmt::format("{}{}", fmt::join(names, ", "), others);
}

// The first reason on which the refusal of a rule's body rests.
const Refusal& first_cause(const Refusal& refusal) {
  return refusal.causes.empty() ? refusal : first_cause(refusal.causes.front());
}

}  // namespace

std::vector<std::string> lacking_operators(const std::vector<Refusal>& refusals) {
  std::vector<std::string> operators;
  add_lacking(refusals, operators);
  return operators;
}

std::string obstacle_of(const UnloweredNode& node) {
  const std::string name = operator_name(node.domain, node.op_type);
  const std::string op(spoken(name));
  if (node.refusals.empty()) {
    return node.domain.empty() ? fmt::format("ONNX has no operator {}, and there is no rule for it", op)
                               : fmt::format("there is no rule for {}", op);
  }
  // Of rules for other nodes, the reasons say less than that of one for this node.
  const auto near = std::ranges::find(node.refusals, false, &Refusal::is_of_signature);
  const Refusal& first = near == node.refusals.end() ? node.refusals.front() : *near;
  if (first.is_of_operator) return fmt::format("has no {}", op);
  if (first.is_of_target) {
    constexpr std::string_view it = "takes it only ";
    const size_t begin = first.reason.find(it);
    if (begin == std::string::npos) return first.reason;
    return fmt::format("takes {} only {}", op, first.reason.substr(begin + it.size()));
  }
  if (const auto& missing = first.missing_attributes; !missing.empty())
    return fmt::format("{} lacks its attribute{} {}", op, missing.size() == 1 ? "" : "s", fmt::join(missing, ", "));
  if (const std::vector<std::string> lacking = lacking_operators(node.refusals); !lacking.empty())
    return fmt::format("has no {}, which the rules of {} need", listed(lacking), op);
  return fmt::format("{}: {}", op, first_cause(first).reason);
}

}  // namespace onnx_lower
