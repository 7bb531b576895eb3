// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Legalizes the nodes of one destination: the main graph, or a model-local function that stays,
// each with all its subgraphs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "constant_folding/known_tensor.h"
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
#include "legalizer/weights/packed_weights.h"
#include "types/type_inference.h"

namespace onnx_lower {

class GraphLegalizer {
 public:
  // `own`: the opsets for which the graph's nodes are written as they are read. All other arguments
  // must outlive this.
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

  // Nodes that no rule lowers stay as they are, and are listed in the result.
  void legalize() {
    find_packed_weights();
    legalize_graph(root_, nullptr, nullptr, {});
  }

  // For a function that has been legalized, and whose inputs are declared to be of other types now:
  // notes with which types it calls other functions. Where `is_changed` (the function is not what
  // it was in the model), its nodes that do not take these types are listed as not lowered. The
  // `own` of the constructor has to be what is written.
  void check_types(bool is_changed) { check_types(root_, nullptr, nullptr, is_changed); }

 private:
  // What became of a node. Either it is placed, as it is or as other nodes; or it is not, and the
  // refusals say why: one for each rule, none where there is no rule.
  struct [[nodiscard]] Placement {
    bool placed = false;
    // The node is not what it was, also where it is the only one that was placed.
    bool changed = false;
    std::vector<Substitution> substitutions = {};  // outputs that are other values, in their order
    std::vector<Refusal> refusals = {};
  };

  // Arguments that many methods below have: `scope` is the graph in which the node is placed, and
  // `origin` says on whose behalf. `mark` and `begin` are a number of placed nodes, from before
  // something was placed.

  // graph_legalizer.cpp: graphs, and the nodes of the model

  // Legalizes the nodes of a graph one after another. `enclosing` is the scope around the graph,
  // and `holder` the node in it that holds the graph; both are null for the main graph and
  // functions. A refusal ends it: of the first node that a rule made and that cannot be lowered.
  std::optional<Refusal> legalize_graph(Graph& graph, const GraphScope* enclosing, const Node* holder,
                                        const Origin& origin);
  // These place a list of nodes of a graph: of one of the model, or of one that a rule made. True
  // where any of them is not there as it was. With a refusal, not all of them are placed.
  bool place_own_nodes(std::span<const Node* const> nodes, GraphScope& scope, const Origin& origin);
  bool place_made_nodes(std::span<const Node* const> nodes, const std::unordered_set<const Node*>& unneeded,
                        GraphScope& scope, const Origin& origin, std::optional<Refusal>& refusal);
  void check_types(const Graph& graph, const GraphScope* enclosing, const Node* holder, bool is_changed);
  // Legalizes the subgraphs of the node.
  std::optional<Refusal> legalize_bodies(const Node& node, const GraphScope& scope, const Origin& origin);
  // Lowers a node of the model that is not legal as it is, or whose outputs may be known before the
  // model runs. Where no rule lowers it, it stays as it is and is listed in the result. True where
  // it was placed unchanged.
  bool place_own(const Node& node, GraphScope& scope, const Origin& origin);
  // Whether the node itself, unchanged, is the only one that was placed since `mark`.
  static bool is_as_it_was(const Node& node, const Placement& placement, const GraphScope& scope, size_t mark);
  // Whether --fold holds here. It does not in a function while other functions are attached:
  // no run folds what an attached function holds, and the next run cannot tell such a
  // function from others.
  bool folds() const { return all_.options.fold && is_for_all_calls(); }
  // Whether a node that a target does not take may be folded, or get constants in place of inputs
  // that are known.
  bool folds_for_targets() const { return !all_.options.targets.empty() && is_for_all_calls(); }
  bool is_for_all_calls() const { return !(root_.is_function && all_.options.attaches()); }
  // Refuses a node that is placed and does not take inputs of the shapes which they have by the
  // options that fix the model's inputs: a runtime infers shapes when it loads a model, and refuses
  // it for a node in a branch that is never taken, too. `refused_before`: how many nodes had been
  // refused when this one was asked about; one that the target refuses as well is told of once.
  void refuse_by_given_shapes(const Node& node, const GraphScope& scope, size_t refused_before);
  // With a target, leaves out a node that no output of the model needs and that is refused or holds
  // graphs: runtimes drop such nodes, but some only after they have refused them. True where the
  // node is left out.
  bool leave_out(const Node& node, const GraphScope& scope);
  // leave_out() for a node that reads the output of one that is left out.
  bool leave_out_with_others(const Node& node, const GraphScope& scope);
  // Whether nodes that nothing needs are left out of what is made on behalf of this origin: with a
  // target, where a function of the model makes it.
  bool leaves_out_unneeded_of(const Origin& origin) const;
  // Leaves out of the body of a model's function what only those outputs of the call need
  // which nothing reads.
  void leave_out_unread(BodyInstance& instance, const Node& call);
  // Notes the constants that the lowered node read and that what took its place does not: they may
  // be dropped in the end (see drop_released()).
  void release_unread(const Node& lowered, size_t mark, const GraphScope& scope);
  // Takes back those nodes placed from `begin` on that contribute nothing to the wanted values.
  void drop_unused(GraphScope& scope, size_t begin, std::span<const ValueId> wanted);

  // place_node.cpp: the way of a node

  // Places the node if it is legal, or else what a rule makes of it. `problem`: what is known to
  // speak against the node as it is; empty where nothing is.
  Placement place_node(const Node& node, GraphScope& scope, const Origin& origin, std::string problem = {});
  // The same for a node that a rule made, which may also be folded.
  Placement place_made(const Node& node, GraphScope& scope, const Origin& origin, std::string problem);
  // What is placed of a node that a rule made, where all is well: for a CastLike mostly a Cast.
  const Node& simplest(const Node& node, const GraphScope& scope, const Origin& origin);
  // Places a node that makes a list, or a constant of the model, though the target lacks it (see
  // RefusedIfRead); false if it is neither, or if it has to be lowered now.
  bool place_if_unread(const Node& node, GraphScope& scope, const Origin& origin, Placement& placement);
  // The quick way of nearly all nodes, which are legal and hold no graph: true where the node is
  // one of these, and is placed. `element_type`: of its first output; 0 when not known.
  bool place_as_it_is(const Node& node, GraphScope& scope, const Origin& origin, int element_type = 0);
  // Places a legal node, when its subgraphs are legalized.
  Placement place_legal(const Node& node, GraphScope& scope, const Origin& origin);
  // Places what the first rule that fits makes of the node. `message` is the node as a message; the
  // attributes of --set are put onto it. `is_broken`: the node violates its operator's schema, so
  // that only rules of the user or the model can say what it means. `may_stay`: a runtime takes the
  // node and only prefers another form of it.
  Placement lower(const Node& node, onnx::NodeProto& message, GraphScope& scope, const Origin& origin, bool is_broken,
                  bool may_stay);
  // The part of lower() that tries the rules. `search` says whether more tries are left for the
  // node, and whether reasons are kept.
  Placement lower_by_rules(const Node& node, const onnx::NodeProto& message, GraphScope& scope, const Origin& origin,
                           const Tries::Search& search, bool is_broken, bool may_stay);
  // Lowers the node to the same operator of other element types, between casts. Neither placed nor
  // refused where the types are not what stands in the way. `only_half`: float in place of half
  // precision, and only where the node is legal so.
  Placement lower_through_other_types(const Node& node, const Call& call, GraphScope& scope, const Origin& origin,
                                      const Tries::Search& search, bool is_broken, bool only_half);
  // With a target, lowers the node of a standard operator to constants where its outputs are known,
  // or else to a node with constants in place of inputs that are known, or what becomes of that
  // one. With --target-opset, those only that are no inputs in the version which is written: there
  // they are attributes. Neither placed nor refused where no other input than a constant is known.
  Placement lower_with_known_inputs(const Node& node, const Call& call, GraphScope& scope, const Origin& origin);
  // Those of its inputs, by their places, that are no constants of the model.
  std::map<int, KnownTensor> known_inputs(const Node& node, const Call& call, GraphScope& scope);
  // With --target-opset, the version of the node's operator that is written; null where it is not
  // an older one than the node's.
  const OperatorVersion* older_version(const Node& node, const GraphScope& scope) const;
  // Lowers an If to both of its branches. Neither placed nor refused where the node is no If, or
  // one of its branches cannot be placed.
  Placement lower_to_both_branches(const Node& node, GraphScope& scope, const Origin& origin, Findings& findings);
  // Puts a Loop that may make no iteration, which the target computes wrongly, into a branch of an
  // If. The Loop stays as it is where that cannot be done.
  Placement lower_to_loop_in_branch(const Node& node, GraphScope& scope, const Origin& origin);
  // Calls place(), in a trial: what that did is undone where it does not place the node, and
  // recorded as the candidate's work where it does.
  template <typename Place>
  Placement try_out(const Candidate& candidate, const Node& node, GraphScope& scope, const Origin& origin,
                    Findings& findings, const Place& place);
  // Shows the node to a user who asks for nodes of its operator.
  void note_as_example(const Node& node, const onnx::NodeProto& message, const GraphScope& scope);
  // Warns of a node that stays though a target is known to compute it wrongly for some numbers.
  void note_doubt(const Node& node, const GraphScope& scope, const Origin& origin);

  // place_body.cpp: a rule's body in the place of a node

  // Places the nodes of the body.
  Placement place_body(const PreparedBody& prepared, const AttributeBinding& binding, const Node& node,
                       GraphScope& scope, const Origin& origin);
  // Makes and places all of its nodes, up to one that cannot be placed.
  void place_nodes_of(BodyInstance& instance, GraphScope& scope, const Origin& inside, std::optional<Refusal>& refusal);
  // Makes and places the next node of the body. False with a refusal, where it cannot be placed.
  bool place_body_node(BodyInstance& instance, const BodyTemplate::Node& next, GraphScope& scope, const Origin& inside,
                       std::optional<Refusal>& refusal);
  // Places the node `made` by what was found of the same node of the body in an earlier instance:
  // nearly all instances have inputs of the same types. True where the node is placed as it is.
  bool place_as_before(BodyInstance& instance, const BodyTemplate::Node& next, const Node& made, GraphScope& scope,
                       const Origin& inside);

  // place_body_again.cpp: bodies of which an earlier instance tells all. Most nodes that are made
  // in a large model are of calls of a few functions, with inputs of the same types.

  // Whether nothing but types can decide what becomes of the nodes of the body.
  bool types_may_decide(const BodyInstance& instance, const Origin& origin, const Origin& inside) const;
  // Whether an earlier instance had inputs and attributes of the same types.
  bool has_course(const BodyInstance& instance, const GraphScope& scope, const Origin& inside) const;
  // Makes and places the nodes of the body as in that instance.
  void place_as_course_says(BodyInstance& instance, GraphScope& scope, std::optional<Refusal>& refusal);
  // Remembers what became of the nodes of the body, which were placed behind the first `begin`.
  void remember_course(const BodyInstance& instance, size_t begin, const GraphScope& scope, const Origin& inside) const;

  // Places a constant that is derived from one of the model: as an initializer where the graph may
  // have one, as runtimes hold a tensor of a Constant node twice while they load it. Returns the
  // value that has these elements: nodes that share weights share what is derived from them.
  ValueId place_derived(const Node& constant, GraphScope& scope);
  // True where a value that is there already stands for what the next node of the body would make,
  // so that the node need not be made.
  bool fold_into(BodyInstance& instance, const BodyTemplate::Node& next, const GraphScope& scope, const Origin& inside);
  // What onnx's shape inference has against a node that a rule made, if that stands as it was made:
  // as the only node placed since `mark`. `line`: of the rule's file; 0 when not known.
  std::optional<Refusal> problem_of_made(const Node& node, int line, size_t mark, const GraphScope& scope,
                                         const Origin& origin);

  // place_attached.cpp: --attach

  // Places the node as the call of a function that holds what the node is lowered to. nullopt where
  // ONNX Runtime would not take that call.
  std::optional<Placement> place_attached(const Node& node, onnx::NodeProto message, bool has_settings,
                                          GraphScope& scope);
  // Whether an input of the node is a list of tensors of several element types. PyTorch has such
  // lists; no runtime reads a model that keeps one.
  bool takes_list_of_several_types(const Node& node, const GraphScope& scope);

  // place_known.cpp: constants, branches and unpacked weights that are known before the model runs

  // True where constants took the node's place, since all its outputs are known.
  bool place_constants(const Node& node, GraphScope& scope, const Origin& origin);
  // Places the nodes of the branch that is taken, for an If whose condition is known; nullopt for
  // all other nodes, and where the branch cannot stand in the place of the If.
  std::optional<Placement> place_branch(const Node& node, GraphScope& scope, const Origin& origin);
  // The branch for that condition, ready to stand in the place of the If; nullopt where it cannot.
  std::optional<Branch> open_branch_of(const Node& node, bool condition, const GraphScope& scope, const Origin& origin);
  std::optional<Refusal> place_branch_nodes(const Branch& branch, GraphScope& scope, const Origin& inside);
  // Places one of several nodes that together stand for another. A refusal where a rule made it and
  // it cannot be placed; a node of the model that cannot be lowered stays as it is.
  std::optional<Refusal> place_part(const Node& node, GraphScope& scope, const Origin& origin);

  // Finds these products in the main graph, before its first node is placed: what unpacks weights
  // may be lowered then, or refused, though nothing will read it.
  void find_packed_weights();
  // Places the product with weights that stay as small as they are stored. Not placed where the
  // node is no such product, or where no form of its weights is taken.
  Placement place_packed(const Node& node, GraphScope& scope, const Origin& origin);
  // Notes that weights of so many bits were written in more, which they would not at that opset.
  void note_widened(const Node& product, int64_t bits, int opset);

  // place_both_branches.cpp

  // Places both branches of an If that the target does not take, and a Where that chooses from
  // their results by the condition. False where the results may be of different shapes.
  bool place_both_branches(const Node& node, GraphScope& scope, const Origin& origin);
  // Places the branch for that condition. Returns the values that it makes for the outputs of the
  // If; nullopt where it cannot stand in the place of the If.
  std::optional<std::vector<ValueId>> place_one_branch(const Node& node, bool condition, GraphScope& scope,
                                                       const Origin& origin);

  // place_loop_in_branch.cpp

  // Places the Loop, whose body is legal, in a branch of an If. False where it is not known what
  // the Loop would give without an iteration.
  bool place_loop_in_branch(const Node& node, GraphScope& scope, const Origin& origin);

  // place_copies_of_inputs.cpp

  // For a target that takes no output of a Loop's or a Scan's body which is an input of it, too:
  // adds an Identity for each such output, when all other nodes of the body are placed. The
  // Identity nodes become a piece of the graph; or, where the graph has one piece of nodes
  // (`is_one_piece`), the result is true and all placed nodes are to become that piece.
  bool place_copies_of_inputs(Graph& graph, GraphScope& scope, const Node& holder, bool is_one_piece);

  // A message whose content nobody needs any more: it keeps its memory for the next node, as most
  // nodes of a model look alike.
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
  std::vector<std::unique_ptr<onnx::NodeProto>> spare_messages_;
  std::unordered_set<ValueId> left_out_;  // outputs of nodes that are left out, see leave_out()
  // Products whose weights nodes unpack, and these nodes.
  std::unordered_map<const Node*, PackedWeights> packed_;
  std::unordered_set<const Node*> unpacking_;
  Graph& root_;
  NodeLegality legality_;
  LoweringRecord record_;
  OriginMetadata metadata_;
};

}  // namespace onnx_lower
