// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Legalizes the nodes of one destination: the main graph, or a model-local function that stays,
// each with all its subgraphs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "legalizer/attachment/attachment.h"
#include "legalizer/body/body_instance.h"
#include "legalizer/body/branch.h"
#include "legalizer/body/origin.h"
#include "legalizer/candidates/call.h"
#include "legalizer/candidates/rule_book.h"
#include "legalizer/legality/node_legality.h"
#include "legalizer/legality/target.h"
#include "legalizer/legalization/legalization.h"
#include "legalizer/record/lowering_record.h"
#include "legalizer/record/origin_metadata.h"
#include "types/type_inference.h"

namespace onnx_lower {

class GraphLegalizer {
 public:
  // `own`: the versions that the graph's nodes mean as they are read. All but that must outlive
  // this.
  GraphLegalizer(Legalization& all, RuleBook& rules, Attachment& attachment, Target& target, OpsetContext own,
                 Graph& graph)
      : all_(all),
        rules_(rules),
        attachment_(attachment),
        target_(target),
        sources_{all.model, all.known.facts, all.known.functions, all.known.values, target.opsets(), own},
        root_(graph),
        legality_(all, rules, target, types_, graph),
        record_(all, rules, target, own) {}

  // Nodes that no rule lowers stay as they are, and are noted in the result.
  void legalize() { legalize_graph(root_, nullptr, nullptr, {}); }

  // Of a function that has been legalized, and whose inputs are now declared to be of other types:
  // notes with which types it calls other functions and, if it is not what it was in the model, its
  // nodes that do not take these types as not lowered. `own` has to be what is written.
  void check_types(bool is_changed) { check_types(root_, nullptr, nullptr, is_changed); }

 private:
  // Whether --fold holds here: not in a function where functions are attached, as no run folds what
  // they hold, and the next one knows no more which they were.
  bool folds() const { return all_.options.fold && !(root_.is_function && all_.options.attaches()); }

  // What became of a node: it is placed, as it is or lowered, or every rule has a reason why not.
  struct [[nodiscard]] Placement {
    bool placed = false;
    bool changed = false;                          // also where the node itself stays as it was
    std::vector<Substitution> substitutions = {};  // in the order of the outputs
    std::vector<Refusal> refusals = {};
  };

  // A graph's nodes, one after another. The first node that a rule made and that cannot be lowered
  // ends it.
  std::optional<Refusal> legalize_graph(Graph& graph, const GraphScope* enclosing, const Node* holder,
                                        const Origin& origin);
  // These place the nodes of a piece of a graph, of the model's or of one that a rule made, and
  // tell whether any of them is not there as it was. With a refusal, not all of them are there.
  bool place_own_nodes(std::span<const Node* const> nodes, GraphScope& scope, const Origin& origin);
  bool place_made_nodes(std::span<const Node* const> nodes, const std::unordered_set<const Node*>& unneeded,
                        GraphScope& scope, const Origin& origin, std::optional<Refusal>& refusal);
  void check_types(const Graph& graph, const GraphScope* enclosing, const Node* holder, bool is_changed);
  // When all of the graph's nodes are placed: of each input that is an output as well, a copy
  // becomes the output, where the graph is a Loop's or a Scan's and the target takes no others. The
  // copies become a piece of the graph; or, where its nodes are one piece, all placed nodes are to
  // become that piece, which is what it returns.
  bool place_copies_of_inputs(Graph& graph, GraphScope& scope, const Node& holder, bool is_one_piece);
  std::optional<Refusal> legalize_bodies(const Node& node, const GraphScope& scope, const Origin& origin);

  // Whether the node itself, unchanged, is the only one that was placed since `mark`.
  static bool is_as_it_was(const Node& node, const Placement& placement, const GraphScope& scope, size_t mark);
  // Lowers a node of the model that is not legal as it is, or whose output may be known before the
  // model runs. Where no rule lowers it, it stays as it is and is listed in the result. Returns
  // whether it was placed unchanged.
  bool place_own(const Node& node, GraphScope& scope, const Origin& origin);
  // With a target, a node that no output of the model needs, and that is refused or holds graphs:
  // runtimes leave such nodes out, but some only after they have looked at them. True when it is
  // not placed.
  bool leave_out(const Node& node, const GraphScope& scope);
  // Whether the same is true of what a node of this origin is, or holds: a function of the model
  // made it. All that nothing needs is left out of that.
  bool leaves_out_unneeded_of(const Origin& origin) const;
  // The same of what only outputs of a function's call need that nothing reads.
  void leave_out_unread(BodyInstance& instance, const Node& call);
  // The same of a node that reads what is left out.
  bool leave_out_with_others(const Node& node, const GraphScope& scope);
  void release_unread(const Node& lowered, size_t mark, const GraphScope& scope);
  // Nearly all nodes are legal and hold no graph: true when this one was, and is placed.
  // `element_type`: of its first output; 0 when not known.
  bool place_as_it_is(const Node& node, GraphScope& scope, const Origin& origin, int element_type = 0);
  // The way of a node: it is placed if it is legal, or else what a rule makes of it. `problem`:
  // what is known to speak against it as it is.
  Placement place(const Node& node, GraphScope& scope, const Origin& origin, std::string problem = {});
  Placement place_made(const Node& node, GraphScope& scope, const Origin& origin, std::string problem);
  Placement place_legal(const Node& node, GraphScope& scope, const Origin& origin);
  // `message` is the node as a message, which these may edit. `is_broken`: the node violates its
  // operator's schema. `may_stay`: a runtime takes it, and would only rather have another.
  Placement lower(const Node& node, onnx::NodeProto& message, GraphScope& scope, const Origin& origin, bool is_broken,
                  bool may_stay);
  Placement lower_by_rules(const Node& node, const onnx::NodeProto& message, GraphScope& scope, const Origin& origin,
                           const Tries::Search& search, bool is_broken, bool may_stay);
  // Not placed, and without refusals, where the operator's types are not what stands in the way.
  // `only_half`: float in place of half precision, and only where the node can stand in it.
  Placement lower_through_other_types(const Node& node, const Call& call, GraphScope& scope, const Origin& origin,
                                      const Tries::Search& search, bool is_broken, bool only_half);
  // What `place` places for the node, recorded as the candidate's work; where it gives up, nothing
  // of it is left.
  template <typename Place>
  Placement try_out(const Candidate& candidate, const Node& node, GraphScope& scope, const Origin& origin,
                    Findings& findings, const Place& place);
  // Not placed where the node is no If, or where not both of its branches can be placed.
  Placement lower_to_both_branches(const Node& node, GraphScope& scope, const Origin& origin, Findings& findings);
  // What a Loop becomes that the target would rather not have, as it may make no iteration; it
  // stays where nothing else can be made of it.
  Placement lower_to_loop_in_branch(const Node& node, GraphScope& scope, const Origin& origin);
  // Of a node that stays, for the report.
  void note_doubt(const Node& node, const GraphScope& scope, const Origin& origin);
  // Nothing where ONNX Runtime would not take the call of what the node was lowered to.
  std::optional<Placement> attach(const Node& node, onnx::NodeProto message, bool has_settings, GraphScope& scope);
  Placement expand(const PreparedBody& prepared, const AttributeBinding& binding, const Node& node, GraphScope& scope,
                   const Origin& origin);
  // These are for the nodes of a body one after another. True when a value that is there already
  // stands for what the node would make.
  bool fold_into(BodyInstance& instance, const BodyTemplate::Node& next, const GraphScope& scope, const Origin& inside);
  // False with a refusal, where the node cannot be placed.
  bool place_node_of(BodyInstance& instance, const BodyTemplate::Node& next, GraphScope& scope, const Origin& inside,
                     std::optional<Refusal>& refusal);
  // Nearly all instances of a body have inputs of the same types, so that what was found of its
  // node once is true of `made`, too. True when it is placed as it is.
  bool place_as_before(BodyInstance& instance, const BodyTemplate::Node& next, const Node& made, GraphScope& scope,
                       const Origin& inside);
  // What onnx's inference has against a node that a rule made, if it stands as it was made: as the
  // only one that was placed since `mark`.
  std::optional<Refusal> problem_of_made(const Node& node, int line, size_t mark, const GraphScope& scope,
                                         const Origin& origin);
  // True when constants took the node's place, since what it makes is known.
  bool place_constants(const Node& node, GraphScope& scope, const Origin& origin);
  // Nothing where the branch cannot stand in the If's place.
  std::optional<Branch> open_branch_of(const Node& node, bool condition, const GraphScope& scope, const Origin& origin);
  // What an If with a known condition becomes; nothing for all other nodes.
  std::optional<Placement> place_branch(const Node& node, GraphScope& scope, const Origin& origin);
  // What an If becomes that the target does not take: both branches, and of their results the
  // condition chooses. False where the results may be of different shapes.
  bool place_both_branches(const Node& node, GraphScope& scope, const Origin& origin);
  // One of them: the values that it makes for the outputs of the If; nothing where it cannot stand
  // there.
  std::optional<std::vector<ValueId>> place_side(const Node& node, bool condition, GraphScope& scope,
                                                 const Origin& origin);
  // The Loop, whose body is legal, in a branch of an If. False where it is not known what it would
  // give without an iteration.
  bool place_loop_in_branch(const Node& node, GraphScope& scope, const Origin& origin);
  // These place one or all of several nodes that stand for another one. A refusal where a rule made
  // a node that cannot be placed; one of the model stays as it is.
  std::optional<Refusal> place_part(const Node& node, GraphScope& scope, const Origin& origin);
  std::optional<Refusal> place_nodes_of(const Branch& branch, GraphScope& scope, const Origin& inside);
  void drop_unused(GraphScope& scope, size_t begin, std::span<const ValueId> wanted);
  bool takes_list_of_several_types(const Node& node, const GraphScope& scope);
  // A message of any content, which is used again: it keeps the memory of what it held before, and
  // most nodes of a model look alike.
  auto borrow_message() {
    const auto give_back = [this](onnx::NodeProto* message) { spare_messages_.emplace_back(message); };
    std::unique_ptr<onnx::NodeProto, decltype(give_back)> message(
        spare_messages_.empty() ? new onnx::NodeProto : spare_messages_.back().release(), give_back);
    if (!spare_messages_.empty()) spare_messages_.pop_back();
    return message;
  }

  Legalization& all_;
  RuleBook& rules_;
  Attachment& attachment_;
  Target& target_;
  TypeInference types_{all_.known.inferred_calls};
  ScopeSources sources_;
  std::vector<std::unique_ptr<onnx::NodeProto>> spare_messages_;  // see borrow_message()
  // what is not made, since nothing needs it
  std::unordered_set<ValueId> left_out_;
  Graph& root_;
  NodeLegality legality_;
  LoweringRecord record_;
  OriginMetadata metadata_;
};

}  // namespace onnx_lower
