// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Writes into the result what became of the nodes of a model, and why rules did not lower them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "legalizer/body/origin.h"
#include "legalizer/candidates/rule_book.h"
#include "legalizer/legality/target.h"
#include "legalizer/legalization/legalization.h"
#include "legalizer/record/rewrites.h"

namespace onnx_lower {

// Ends a legalization that the options ask to go no further (see LegalizeOptions::until).
struct EnoughKnown {};

class LoweringRecord {
 public:
  using Refused = std::vector<std::pair<const Candidate*, Refusal>>;

  // `own`: the opsets for which the graph's nodes are written as they are read. All other arguments
  // must outlive this.
  LoweringRecord(Legalization& all, const RuleBook& rules, const Target& target, OpsetContext own)
      : all_(all), rules_(rules), target_(target), own_(own) {}

  // Lists a node of the model that became `nodes_made` nodes, or (`attached`) the call of a
  // function of so many. `rewrite`: what rewrite_of() returned.
  void lowered(const Node& node, const Candidate& candidate, size_t nodes_made, const Findings& findings, bool attached,
               uint32_t rewrite);
  // Notes what the candidate made of a node of the model, where a report is to show that.
  uint32_t rewrite_of(const Node& node, const Candidate& candidate, std::span<const Node* const> made,
                      const GraphScope& scope, bool attached) const {
    return all_.options.shows_rewrites ? note_rewrite(all_, node, candidate, made, scope, attached) : 0;
  }
  // `scope`: of the graph in which the node stands. `open_inputs`: see UnloweredNode. Like
  // lowered() and folded(), this throws EnoughKnown.
  void unlowered(const Node& node, const GraphScope& scope, std::vector<Refusal> refusals,
                 std::vector<std::string> open_inputs = {});
  // What unlowered() lists.
  UnloweredNode refused(const Node& node, const GraphScope& scope, std::vector<Refusal> refusals,
                        std::vector<std::string> open_inputs = {}) const;
  void folded(const Node& node, FoldedNode::Into into);

  // The refusals of all candidates, in their order. `refused` has those of the candidates that were
  // tried; the forms of the rest did not fit, and are asked why only here. `is_broken`: the node
  // violates its operator's schema, so that built-in rules were not tried.
  std::vector<Refusal> reasons(const Node& node, const std::vector<Candidate>& candidates, const Call& call,
                               Refused refused, bool is_broken) const;
  // The refusal in the place of those of a node of a rule's body, when as many reasons are kept
  // already as may be.
  Refusal untold(const Node& node) const;
  // The refusal of a node of the model for which no more rules are tried (see tries.h).
  Refusal too_many_tries(const Node& node) const;
  // The refusal for a problem (a clause) that the node has as it is at the written opset.
  Refusal as_it_is(const Node& node, std::string problem) const;
  // The refusal of a rule because a node of its body cannot be lowered. `line`: of the rule's file;
  // 0 when not known.
  Refusal not_lowered(const Node& node, int line, std::vector<Refusal> causes) const;

 private:
  // The smallest newer version of ai.onnx that has the node, or the node of a body that could not
  // be lowered; 0 if none is known.
  int opset_hint(const Node& node, const std::vector<Refusal>& refusals) const;

  Legalization& all_;
  const RuleBook& rules_;
  const Target& target_;
  OpsetContext own_;
};

// The name of the node's operator, such as "custom::Foo".
std::string operator_name_of(const Model& model, const Node& node);

}  // namespace onnx_lower
