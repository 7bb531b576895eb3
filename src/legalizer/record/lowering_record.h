// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Writes into the result what became of the nodes of a model, and why rules did not lower them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "legalizer/body/origin.h"
#include "legalizer/candidates/rule_book.h"
#include "legalizer/legality/target.h"
#include "legalizer/legalization/legalization.h"

namespace onnx_lower {

class LoweringRecord {
 public:
  using Refused = std::vector<std::pair<const Candidate*, Refusal>>;

  // `own`: the versions that the nodes of the graph mean as they are read. All but that must
  // outlive this.
  LoweringRecord(Legalization& all, const RuleBook& rules, const Target& target, OpsetContext own)
      : all_(all), rules_(rules), target_(target), own_(own) {}

  // A node of the model that became `nodes_made` nodes.
  void lowered(const Node& node, const Candidate& candidate, size_t nodes_made, const Findings& findings,
               bool attached);
  void unlowered(const Node& node, std::vector<Refusal> refusals);
  void folded(const Node& node, FoldedNode::Into into);

  // The reasons of all candidates, in their order. `refused`: of those that were tried; the rest
  // did not fit, and is asked why only here.
  // `is_broken`: built-in rules were not tried, as the node violates its operator's schema.
  std::vector<Refusal> reasons(const Node& node, const std::vector<Candidate>& candidates, const Call& call,
                               Refused refused, bool is_broken) const;
  // In place of the reasons of a node of a rule's body: there are as many already as are kept.
  Refusal untold(const Node& node) const;
  // Of a node of the model, for which no more rules are tried.
  Refusal too_many_tries(const Node& node) const;
  // What speaks against the node at the written opset, as a clause.
  Refusal as_it_is(const Node& node, std::string problem) const;
  // Of a rule, that a node of its body cannot be lowered. `line`: of the rule's file; 0 when not
  // known.
  Refusal not_lowered(const Node& node, int line, std::vector<Refusal> causes) const;

 private:
  // The smallest newer version of ai.onnx that has the node, or one of a body that failed for want
  // of it; 0 if none is known.
  int opset_hint(const Node& node, const std::vector<Refusal>& refusals) const;

  Legalization& all_;
  const RuleBook& rules_;
  const Target& target_;
  OpsetContext own_;
};

// "domain::Operator", of the node's operator.
std::string operator_name_of(const Model& model, const Node& node);

}  // namespace onnx_lower
