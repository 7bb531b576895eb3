// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/graph_legalizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "legalizer/calls_to_check.h"
#include "legalizer/complete_declarations.h"
#include "legalizer/dense_initializers.h"
#include "legalizer/fold.h"
#include "legalizer/form_binding.h"
#include "legalizer/made_run.h"
#include "legalizer/node_message.h"
#include "legalizer/other_types.h"
#include "legalizer/trial.h"
#include "model_file/onnx_fields.h"
#include "standard_operators/node_attribute.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// How deep rules may expand into rules: far below what the stack bears. Text rules that come round to themselves are found before.
constexpr size_t deepest_expansion = 256;

// Subgraphs in subgraphs that a rule may bring about. Protobuf's parsers take messages that are nested 100 deep, and a graph in a graph is three of them.
constexpr int deepest_made_graph = 31;

size_t made_since(size_t begin, const GraphScope& scope, const Findings& findings) {
  return findings.makes_runs ? scope.nodes().count_since(begin) : scope.placed().size() - begin;
}

// The types of what a body makes are those of the outputs of the node around it.
void note_output_types(const Graph& body, const GraphScope& scope, const GraphScope& enclosing, const Node& holder) {
  const OperatorRole role = scope.holder_role();
  if (role != OperatorRole::conditional && role != OperatorRole::loop && role != OperatorRole::scan) return;
  const size_t first = role == OperatorRole::loop ? 1 : 0;  // before it comes the condition
  for (size_t index = 0; index < holder.outputs().size() && first + index < body.outputs.size(); ++index) {
    if (holder.outputs()[index] == absent_value) continue;
    enclosing.note_element_type(holder.outputs()[index], scope.element_type(body.outputs[first + index].value));
  }
}

// What a node says of the values that its graphs give it, before it has noted their types: that they are of one type, as every runtime wants it. A clause;
// empty where they are, or where a type is not known without a declaration.
std::string problem_of_results(const Graph& body, const GraphScope& scope, const GraphScope& enclosing,
                               const Node& holder) {
  const OperatorRole role = scope.holder_role();
  const auto made = [&](size_t output) {
    const ValueId value = body.outputs[output].value;
    return scope.operator_tells_element_type(value) ? scope.element_type(value) : 0;
  };
  if (role == OperatorRole::conditional && &body != holder.bodies->graphs.data()) {
    for (size_t index = 0; index < holder.outputs().size() && index < body.outputs.size(); ++index) {
      const int of_other = enclosing.noted_element_type(holder.outputs()[index]);
      const int type = made(index);
      if (of_other != 0 && type != 0 && of_other != type)
        return fmt::format("its branches give '{}' elements of two types, {} and {}",
                           scope.sources().model.value_name(holder.outputs()[index]), element_type_text(of_other),
                           element_type_text(type));
    }
  }
  if (role != OperatorRole::loop) return {};
  constexpr size_t before_states = 2;  // the number of iterations and the condition
  for (size_t index = before_states; index < holder.inputs().size() && index - 1 < body.outputs.size(); ++index) {
    const int before = enclosing.element_type(holder.inputs()[index]);
    const int after = made(index - 1);
    if (before != 0 && after != 0 && before != after)
      return fmt::format("the graph 'body' takes '{}' with elements of type {}, and hands them on as {}",
                         scope.sources().model.value_name(body.inputs[index].value), element_type_text(before),
                         element_type_text(after));
  }
  return {};
}

// Whether the node itself is the only one that was placed since `mark`.
bool stands_alone(const Node& node, const GraphScope& scope, size_t mark) {
  return scope.placed().size() == mark + 1 && scope.placed()[mark] == &node;
}

// The placed nodes become those of the graph's only piece of nodes.
void take_placed(GraphScope& scope, Graph& graph) {
  std::vector<const Node*>& nodes = std::ranges::find(graph.pieces, GraphPiece::Kind::nodes, &GraphPiece::kind)->nodes;
  if (scope.placed().size() <= nodes.capacity()) {
    nodes = scope.placed();  // the scope's list serves the next graph
    return;
  }
  nodes = scope.nodes().take();
  // Before they became runs, the nodes were many more, and there is room for all of them.
  if (nodes.capacity() > 4 * nodes.size()) nodes.shrink_to_fit();
}

// The tensor as a field of a graph. It is one already, of another graph, and mostly as it would be written: then its bytes are not copied.
Bytes initializer_field(Model& model, Bytes tensor) {
  std::string header;
  append_header(header, field::Graph::initializer, tensor.size());
  const Bytes before(tensor.data() - header.size(), header.size());
  if (before != header) tensor = model.keep_field(field::Graph::initializer, tensor);
  return {tensor.data() - header.size(), header.size() + tensor.size()};
}

}  // namespace

std::optional<Refusal> GraphLegalizer::legalize_graph(Graph& graph, const GraphScope* enclosing, const Node* holder,
                                                      const Origin& origin) {
  all_.result.densified_initializers += densify_initializers(all_.model, graph);
  GraphScope scope(sources_, graph, enclosing, holder);
  if (origin.is_made() && scope.depth() > deepest_made_graph)
    return refusal_of(
        fmt::format("it would nest subgraphs more than {} deep, which no reader of ONNX takes", deepest_made_graph));
  std::optional<Refusal> refusal;
  const bool is_one_piece = std::ranges::count(graph.pieces, GraphPiece::Kind::nodes, &GraphPiece::kind) == 1;
  const std::unordered_set<const Node*> unneeded =
      leaves_out_unneeded_of(origin) ? nodes_without_need(graph) : std::unordered_set<const Node*>();
  // The placed nodes become the graph's only piece of nodes. They are moved there in the end, when nobody asks the scope for them any more.
  bool takes_all = false;
  for (GraphPiece& piece : graph.pieces) {
    if (piece.kind != GraphPiece::Kind::nodes) continue;
    // Room for what rules add: memory that is not used costs nothing, and to move everything costs much.
    constexpr size_t least_room = 16;
    if (scope.placed().empty()) scope.nodes().reserve(std::max(piece.nodes.size() * 2, least_room));
    const size_t begin = scope.placed().size();
    const bool changed = origin.is_made() ? place_made_nodes(piece.nodes, unneeded, scope, origin, refusal)
                                          : place_own_nodes(piece.nodes, scope, origin);
    if (refusal) break;
    if (!changed) continue;
    graph.changed = true;
    for (size_t index = begin; index < scope.placed().size() && !graph.has_bodies; ++index)
      graph.has_bodies = scope.placed()[index]->bodies != nullptr;
    if (is_one_piece) {
      takes_all = true;
    } else {
      piece.nodes.assign(scope.placed().begin() + static_cast<std::ptrdiff_t>(begin), scope.placed().end());
    }
  }
  if (!refusal && origin.is_made() && holder != nullptr) {
    if (std::string problem = problem_of_results(graph, scope, *enclosing, *holder); !problem.empty())
      refusal = record_.as_it_is(*holder, std::move(problem));
  }
  if (!refusal && holder != nullptr) takes_all |= place_copies_of_inputs(graph, scope, *holder, is_one_piece);
  if (!refusal) settle_declarations(graph, scope, holder, origin);
  types_.forget(scope);
  for (const TensorSkeleton& initializer : scope.added_initializers()) {
    graph.pieces.push_back({GraphPiece::Kind::verbatim, initializer_field(all_.model, initializer.wire), {}});
    graph.initializers.push_back(initializer);
  }
  if (takes_all) take_placed(scope, graph);
  return refusal;
}

bool GraphLegalizer::place_own_nodes(std::span<const Node* const> nodes, GraphScope& scope, const Origin& origin) {
  bool changed = false;
  for (const Node* node : nodes) {
    all_.model.input().pass(node->wire.data());
    if (leave_out_with_others(*node, scope)) {
      changed = true;
      continue;
    }
    if (!folds() && place_as_it_is(*node, scope, origin)) continue;
    if ((!node->graphs().empty() && leave_out(*node, scope)) || !place_own(*node, scope, origin)) changed = true;
  }
  return changed;
}

bool GraphLegalizer::place_made_nodes(std::span<const Node* const> nodes,
                                      const std::unordered_set<const Node*>& unneeded, GraphScope& scope,
                                      const Origin& origin, std::optional<Refusal>& refusal) {
  bool changed = false;
  for (const Node* node : nodes) {
    if (unneeded.contains(node)) {
      changed = true;
      continue;
    }
    const size_t mark = scope.placed().size();
    Placement placement = place_made(*node, scope, origin, legality_.problem_of_schema(*node, scope));
    if (!placement.placed) {
      refusal = record_.not_lowered(*node, 0, std::move(placement.refusals));
      return changed;
    }
    if ((refusal = problem_of_made(*node, 0, mark, scope, origin))) return changed;
    if (is_as_it_was(*node, placement, scope, mark)) continue;
    if (scope.placed().size() - mark > 1) drop_unused(scope, mark, node->outputs());
    changed = true;
  }
  return changed;
}

void GraphLegalizer::settle_declarations(Graph& graph, const GraphScope& scope, const Node* holder,
                                         const Origin& origin) {
  const bool shapes_are_declared = !graph.is_function && !origin.attaches && declares_shapes(graph, all_);
  graph.changed |= shapes_are_declared;
  // An attached function is also called by nodes of other types, so that its declarations may not say this node's.
  if (origin.is_made() ? !origin.attaches : graph.changed) {
    complete_declarations(graph, scope, types_, all_);
    correct_declarations(graph, scope, types_, all_);
  }
  if (shapes_are_declared) declare_shapes(graph, scope, types_, all_);
  if (holder != nullptr) note_output_types(graph, scope, *scope.enclosing(), *holder);
  if (all_.keeps_calls()) all_.known.call_types.note(scope, types_);
}

void GraphLegalizer::check_types(const Graph& graph, const GraphScope* enclosing, const Node* holder, bool is_changed) {
  GraphScope scope(sources_, graph, enclosing, holder);
  const auto check = [&](const Node& node) {
    if (std::string problem = legality_.problem_of_written_types(node, scope); is_changed && !problem.empty()) {
      problem = fmt::format(
          "its function stays and is called with several types (without --keep each call would get "
          "nodes of its own): {}",
          problem);
      record_.unlowered(node, {record_.as_it_is(node, std::move(problem))});
    }
    for (const Graph& body : node.graphs()) check_types(body, &scope, &node, is_changed);
    scope.nodes().place(node);
  };
  for (const GraphPiece& piece : graph.pieces) {
    for (const Node* node : piece.nodes) {
      if (!node->is_run()) {
        check(*node);
      } else {
        for (const Node* made : nodes_of_run(all_.model, *node)) check(*made);
      }
    }
  }
  if (holder != nullptr) note_output_types(graph, scope, *enclosing, *holder);
  all_.known.call_types.note(scope, types_);
  types_.forget(scope);
}

std::optional<Refusal> GraphLegalizer::legalize_bodies(const Node& node, const GraphScope& scope,
                                                       const Origin& origin) {
  if (!node.bodies) return std::nullopt;
  Origin inside = origin.in_graph();
  // The made node that holds a graph says where it comes from for all of the graph's nodes.
  inside.metadata = {};
  for (Graph& body : node.bodies->graphs) {
    if (std::optional<Refusal> refusal = legalize_graph(body, &scope, &node, inside)) return refusal;
    node.bodies->changed |= body.changed;
  }
  return std::nullopt;
}

bool GraphLegalizer::is_as_it_was(const Node& node, const Placement& placement, const GraphScope& scope, size_t mark) {
  return !placement.changed && stands_alone(node, scope, mark) && !(node.bodies && node.bodies->changed);
}

bool GraphLegalizer::place_own(const Node& node, GraphScope& scope, const Origin& origin) {
  const size_t mark = scope.placed().size();
  if (folds()) {
    if (place_constants(node, scope, origin) || place_branch(node, scope, origin)) return false;
    if (place_as_it_is(node, scope, origin)) return true;
  }
  MadeRun made(all_, scope);
  Placement placement = place(node, scope, origin);
  if (!placement.placed && leave_out(node, scope)) return false;
  if (!placement.placed) {
    record_.unlowered(node, std::move(placement.refusals));
    scope.nodes().place(node);
    made.settle(node, types_);
    return true;
  }
  rules_.forget_functions();
  if (is_as_it_was(node, placement, scope, mark)) return true;
  made.settle(node, types_);
  release_unread(node, mark, scope);
  return false;
}

bool GraphLegalizer::leave_out(const Node& node, const GraphScope& scope) {
  if (all_.options.targets.empty() || all_.known.readers.need(node)) return false;
  left_out_.insert(node.outputs().begin(), node.outputs().end());
  release_unread(node, scope.placed().size(), scope);
  return true;
}

bool GraphLegalizer::leaves_out_unneeded_of(const Origin& origin) const {
  return !all_.options.targets.empty() && origin.is_made() && origin.expansion->form->origin == RuleOrigin::model &&
         !origin.attaches;
}

void GraphLegalizer::leave_out_unread(BodyInstance& instance, const Node& call) {
  instance.leave_out_unread(all_.known.readers);
  for (const ValueId output : call.outputs()) {
    if (output != absent_value && !all_.known.readers.need(output)) left_out_.insert(output);
  }
}

bool GraphLegalizer::leave_out_with_others(const Node& node, const GraphScope& scope) {
  if (left_out_.empty()) return false;
  bool reads_left_out = false;
  for_each_used(node, [&](ValueId used) { reads_left_out |= used != absent_value && left_out_.contains(used); });
  return reads_left_out && leave_out(node, scope);
}

// A constant that a rule took for an attribute, or has no use for.
void GraphLegalizer::release_unread(const Node& lowered, size_t mark, const GraphScope& scope) {
  if (stands_alone(lowered, scope, mark)) return;
  const auto is_constant = [&](ValueId value) {
    const GraphScope* around = &scope;
    while (around != nullptr && around->constant_type(value) == nullptr) around = around->enclosing();
    return around != nullptr;
  };
  std::vector<ValueId> constants;
  std::ranges::copy_if(lowered.inputs(), std::back_inserter(constants), is_constant);
  if (constants.empty()) return;
  // In order, since a node can have a hundred thousand of them.
  std::ranges::sort(constants);
  constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
  std::vector<bool> is_read(constants.size(), false);
  for (const Node* made : std::span(scope.placed()).subspan(mark)) {
    for_each_used(*made, [&](ValueId used) {
      const auto found = std::ranges::lower_bound(constants, used);
      if (found != constants.end() && *found == used) is_read[static_cast<size_t>(found - constants.begin())] = true;
    });
  }
  for (size_t index = 0; index < constants.size(); ++index) {
    if (!is_read[index]) all_.left_over.released.push_back(constants[index]);
  }
}

bool GraphLegalizer::place_as_it_is(const Node& node, GraphScope& scope, const Origin& origin, int element_type) {
  if (!legality_.stands_as_it_is(node, scope, origin, element_type)) return false;
  scope.nodes().place(node, element_type);
  return true;
}

GraphLegalizer::Placement GraphLegalizer::place_legal(const Node& node, GraphScope& scope, const Origin& origin) {
  if (std::optional<Refusal> refusal = legalize_bodies(node, scope, origin)) return {.refusals = {std::move(*refusal)}};
  scope.nodes().place(node);
  return {.placed = true};
}

GraphLegalizer::Placement GraphLegalizer::place_made(const Node& node, GraphScope& scope, const Origin& origin,
                                                     std::string problem) {
  // An attached function serves nodes of all types, so that its CastLikes stay, as long as the target has CastLike.
  const bool is_for_any_type =
      origin.attaches && target_.legality(node.op, scope.context(node), true) != Legality::illegal;
  const Node& simplest = is_for_any_type ? node : as_cast(node, scope, all_.model);
  if (&simplest != &node) origin.findings->may_leave_unused = true;
  // An attached function serves other calls, too: what is known in this one may not be folded into its body.
  if (!origin.attaches) {
    if (folds() && place_constants(node, scope, origin)) return {.placed = true, .changed = true};
    if (std::optional<Placement> branch = place_branch(node, scope, origin)) return std::move(*branch);
  }
  if (problem.empty() && place_as_it_is(simplest, scope, origin)) return {.placed = true};
  const bool is_well = problem.empty();
  Placement placement = place(simplest, scope, origin, std::move(problem));
  // A runtime may take the CastLike, and not the Cast.
  if (!placement.placed && is_well && &simplest != &node) {
    if (Placement as_it_was = place(node, scope, origin); as_it_was.placed) return as_it_was;
  }
  return placement;
}

GraphLegalizer::Placement GraphLegalizer::place(const Node& node, GraphScope& scope, const Origin& origin,
                                                std::string problem) {
  // Built-in rules are for valid nodes: what a node means that its operator's schema refuses, only a rule of the user or the model can say.
  bool is_broken = !problem.empty();
  const Legality legality = legality_.of(node, scope, origin);
  if (problem.empty()) problem = legality_.problem_of_made_types(node, legality, scope, origin);
  if (!is_broken && origin.is_made() && (legality == Legality::illegal || !problem.empty())) {
    if (std::string mixed = legality_.problem_of_mixed_types(node, scope); !mixed.empty()) {
      problem = std::move(mixed);
      is_broken = true;
    }
  }
  if (legality == Legality::legal && problem.empty() && !node.spells_domain_out)
    return place_legal(node, scope, origin);

  const MessagePool::Loan loan = messages_.borrow();
  onnx::NodeProto& message = *loan;
  read_node_message(all_.model, node, message);
  const NodeLegality::Verdict verdict = legality_.judge(node, message, legality, std::move(problem), scope, origin);
  const bool may_stay = verdict.stands || verdict.is_of_wish;
  // Said at the version that is written, and inferred by that from now on; what its subgraphs hold is not yet.
  const Node& stays = may_stay && verdict.edited ? keep_node(all_.model, message, target_.opsets(), node.opsets) : node;
  if (verdict.stands) return place_legal(stays, scope, origin);
  // Rules read what the node says in the words of its own version, whose defaults are others than the target's.
  if (verdict.edited) {
    const bool has_domain = !message.domain().empty();
    read_node_message(all_.model, node, message);
    if (!has_domain) message.clear_domain();
  }
  if (!is_broken && !origin.is_made() && leave_out(node, scope)) return {.placed = true, .changed = true};
  if (verdict.is_of_wish && scope.facts(node).role == OperatorRole::loop)
    return lower_to_loop_in_branch(stays, scope, origin);
  // A runtime that reads both branches, or has no If at all, needs only the one that is taken. In an attached function it may be another in each call.
  if (verdict.is_of_target && !origin.attaches) {
    if (std::optional<Placement> branch = place_branch(node, scope, origin)) return std::move(*branch);
  }
  Placement placement = lower(node, message, scope, origin, is_broken, may_stay);
  if (!placement.placed && may_stay) {
    note_doubt(node, scope, origin);
    return place_legal(stays, scope, origin);
  }
  if (!placement.placed && !verdict.problem.empty()) {
    Refusal as_it_is = record_.as_it_is(node, verdict.problem);
    if (!is_broken) as_it_is.target_opset_hint = legality_.opset_with_types(node, message, scope, origin);
    as_it_is.is_of_target = verdict.is_of_target && !all_.options.targets.empty();
    placement.refusals.insert(placement.refusals.begin(), std::move(as_it_is));
  }
  return placement;
}

template <typename Place>
GraphLegalizer::Placement GraphLegalizer::try_out(const Candidate& candidate, const Node& node, GraphScope& scope,
                                                  const Origin& origin, Findings& findings, const Place& place) {
  const size_t begin = scope.placed().size();
  Trial trial(all_, scope, types_, findings);
  Placement placement = place();
  if (!placement.placed) return placement;
  trial.commit();
  if (!origin.is_made()) record_.lowered(node, candidate, made_since(begin, scope, findings), findings, false);
  return placement;
}

GraphLegalizer::Placement GraphLegalizer::lower(const Node& node, onnx::NodeProto& message, GraphScope& scope,
                                                const Origin& origin, bool is_broken, bool may_stay) {
  // A node of the model that has no name goes by its first output, as it does in the messages. What is set for an operator does not go
  // onto a node of it that its own rule makes.
  const bool has_settings =
      !origin.is_expanding(node.op) &&
      all_.settings.apply(
          message, message.name().empty() && !origin.is_made() ? display_name(all_.model, node) : message.name());
  drop_trailing_absent(*message.mutable_input());
  drop_trailing_absent(*message.mutable_output());
  if (origin.is_made() && origin.expansion->takes_it_as_it_is && origin.expansion->op == node.op)
    return {.refusals = {refusal_of("it is not taken in this form either")}};
  if (origin.depth() >= deepest_expansion)
    return {.refusals = {refusal_of(fmt::format("rules expand into rules more than {} deep", deepest_expansion))}};
  if (std::optional<std::string> problem = problem_of_attributes(message))
    return {.refusals = {refusal_of(std::move(*problem))}};
  // Within a function, ONNX Runtime does not know the values that a graph of the call captures.
  if (!origin.is_made() && attachment_.wants(node.op) && node.graphs().empty() &&
      !takes_list_of_several_types(node, scope)) {
    if (std::optional<Placement> placement = attach(node, message, has_settings, scope)) return std::move(*placement);
  }

  Findings findings;
  const Origin outermost = origin.is_made() ? origin : metadata_.begin(all_, node, message, findings);
  const std::vector<Candidate>& candidates = rules_.candidates(node.op, message.input_size());
  const Call call(message, node.inputs(), scope, types_, scope.facts(node).version, target_.opset(),
                  all_.known.contexts.version(scope.context(node), ""), outermost.folds_types(), all_);
  AttributeBinding binding;
  LoweringRecord::Refused refused;
  bool has_tried_float = false;
  for (const Candidate& candidate : candidates) {
    if (is_broken && candidate.is_built_in()) continue;
    // Our rules are for all types, and round each step. Where it is only the type that is lacking, the operator itself is better in all respects.
    if (candidate.is_built_in() && !may_stay && !std::exchange(has_tried_float, true)) {
      Placement placement = lower_through_other_types(node, call, scope, outermost, is_broken, true);
      if (placement.placed) return placement;
    }
    binding.clear(false);
    std::optional<Refusal> refusal;
    if (const auto prepared = rules_.prepare(candidate, node, call, origin.expansion, binding, refusal)) {
      Placement placement = try_out(candidate, node, scope, origin, *outermost.findings,
                                    [&] { return expand(*prepared, binding, node, scope, outermost); });
      if (placement.placed) return placement;
      refusal = std::move(placement.refusals.front());
    }
    if (refusal) refused.emplace_back(&candidate, std::move(*refusal));
  }
  if (Placement placement = lower_through_other_types(node, call, scope, outermost, is_broken, false); placement.placed)
    return placement;
  if (!is_broken) {
    Placement placement = lower_to_both_branches(node, scope, origin, *outermost.findings);
    if (placement.placed) return placement;
  }
  return {.refusals = record_.reasons(node, candidates, call, std::move(refused), is_broken)};
}

GraphLegalizer::Placement GraphLegalizer::lower_to_both_branches(const Node& node, GraphScope& scope,
                                                                 const Origin& origin, Findings& findings) {
  static const Candidate by_choice{.where_from = "both branches, and a choice of their results"};
  if (scope.facts(node).role != OperatorRole::conditional || origin.attaches) return {};
  return try_out(by_choice, node, scope, origin, findings, [&] {
    const bool placed = place_both_branches(node, scope, origin);
    return Placement{.placed = placed, .changed = placed};
  });
}

GraphLegalizer::Placement GraphLegalizer::lower_to_loop_in_branch(const Node& node, GraphScope& scope,
                                                                  const Origin& origin) {
  static const Candidate by_condition{.where_from = "in a branch, where it makes an iteration"};
  // Once, and whatever becomes of the Loop: what stands in a branch by now would be put into a branch again.
  if (std::optional<Refusal> refusal = legalize_bodies(node, scope, origin)) return {.refusals = {std::move(*refusal)}};
  Findings own_findings;
  Findings& findings = origin.is_made() ? *origin.findings : own_findings;
  Placement placement = try_out(by_condition, node, scope, origin, findings, [&] {
    const bool placed = !origin.attaches && place_loop_in_branch(node, scope, origin);
    return Placement{.placed = placed, .changed = placed};
  });
  if (placement.placed) return placement;
  note_doubt(node, scope, origin);
  scope.nodes().place(node);
  return {.placed = true};
}

void GraphLegalizer::note_doubt(const Node& node, const GraphScope& scope, const Origin& origin) {
  // What a rule made may be taken back.
  if (origin.is_made() || all_.options.targets.empty()) return;
  if (std::optional<Target::Doubt> doubt = legality_.doubt(node, scope)) {
    all_.result.doubtful.push_back({std::string(display_name(all_.model, node)), operator_name_of(all_.model, node),
                                    std::move(doubt->target), std::move(doubt->reason)});
  }
}

GraphLegalizer::Placement GraphLegalizer::lower_through_other_types(const Node& node, const Call& call,
                                                                    GraphScope& scope, const Origin& origin,
                                                                    bool is_broken, bool only_half) {
  static const Candidate by_casts{.where_from = "between casts to another type"};
  const OperatorVersion* version = scope.facts(node).version;
  if (version == nullptr || is_broken || origin.attaches) return {};
  // All types were tried for the node that this one was made of; from here they would lead back to its own.
  if (origin.is_made() && origin.expansion->is_between_casts && origin.expansion->op == node.op) return {};
  const int64_t opset = all_.known.contexts.version(scope.context(node), version->domain);
  std::vector<onnx::FunctionProto> functions;
  if (!only_half) {
    functions = through_other_types(call, *version, opset, all_.options.allow_narrowing);
  } else if (std::optional<onnx::FunctionProto> function = half_through_float(call, *version, opset)) {
    functions.push_back(std::move(*function));
  }
  for (onnx::FunctionProto& function : functions) {
    AttributeBinding binding;
    PreparedBody prepared = rules_.prepare(std::move(function), call, binding);
    prepared.is_between_casts = true;
    prepared.takes_it_as_it_is = only_half;
    Placement placement = try_out(by_casts, node, scope, origin, *origin.findings,
                                  [&] { return expand(prepared, binding, node, scope, origin); });
    if (placement.placed) return placement;
  }
  return {};
}

GraphLegalizer::Placement GraphLegalizer::expand(const PreparedBody& prepared, const AttributeBinding& binding,
                                                 const Node& node, GraphScope& scope, const Origin& origin) {
  const Expansion expansion{prepared.form,
                            prepared.rule,
                            node.op,
                            node.opsets,
                            origin.expansion,
                            origin.depth() + 1,
                            prepared.is_between_casts,
                            prepared.takes_it_as_it_is};
  Origin inside = origin;
  inside.expansion = &expansion;
  inside.in_body = true;
  // The node's outputs, by which the graph knows them, have to be made. An output of a node within a body need not be, where another value of the body
  // is the same: the body then uses that one.
  if (!origin.in_body) inside.wanted = WantedValues(node.outputs());
  if (!origin.is_made()) origin.findings->note = prepared.note;
  if (!prepared.assumption.empty()) origin.findings->assumption = prepared.assumption;
  // Below, a Constant holds tensors only.
  constexpr int64_t first_opset_with_constant_numbers = 12;
  const bool constants_refer = origin.attaches && target_.opset() >= first_opset_with_constant_numbers;
  const size_t begin = scope.placed().size();
  if (!origin.is_made()) inside.begin = begin;
  BodyInstance instance(*prepared.body, node, binding, inside, constants_refer, all_.names);
  if (leaves_out_unneeded_of(inside)) {
    instance.leave_out_unneeded(all_.known.functions);
    if (!origin.is_made() && !root_.is_function) leave_out_unread(instance, node);
  }
  if (prepared.takes_list_apart) {
    const NodeView list = maker_of_list(scope, node.inputs()[0]);
    instance.set_last_inputs(list.inputs);
    all_.left_over.taken_lists.push_back(list.outputs[0]);
  }
  std::optional<size_t> kind;
  if (prepared.form->origin == RuleOrigin::built_in) {
    inside.checks_made = false;  // it is proved by its tests
  } else if (!origin.checks_made) {
    kind = CallsToCheck::kind_of(*prepared.form, node, scope);
    inside.checks_made = all_.calls_to_check.take(*kind);
  }
  std::optional<Refusal> refusal;
  while (const BodyTemplate::Node* next = instance.next(refusal)) {
    if (!fold_into(instance, *next, scope, inside) && !place_node_of(instance, *next, scope, inside, refusal)) break;
  }
  if (refusal) {
    if (kind && inside.checks_made) all_.calls_to_check.put_back(*kind);
    return {.refusals = {std::move(*refusal)}};
  }
  Placement placement{.placed = true};
  for (size_t index = 0; index < node.outputs().size(); ++index) {
    const ValueId output = node.outputs()[index];
    if (output != absent_value && instance.output(index) != output)
      placement.substitutions.push_back({output, instance.output(index)});
  }
  // A rule within a body may have taken a constant of that body as an attribute: then nothing may read the constant any more.
  if (origin.is_made()) {
    origin.findings->may_leave_unused = true;
  } else if (origin.findings->may_leave_unused) {
    drop_unused(scope, begin, node.outputs());
  }
  return placement;
}

std::optional<Refusal> GraphLegalizer::problem_of_made(const Node& node, int line, size_t mark, const GraphScope& scope,
                                                       const Origin& origin) {
  if (!origin.checks_made || !stands_alone(node, scope, mark)) return std::nullopt;
  const auto output = std::ranges::find_if(node.outputs(), [](ValueId value) { return value != absent_value; });
  if (output == node.outputs().end() || !all_.calls_to_check.take_node()) return std::nullopt;
  std::string problem = types_.problem_of_maker(scope, *output, all_.calls_to_check.most_nodes_before());
  if (problem.empty()) return std::nullopt;
  return record_.not_lowered(node, line, {record_.as_it_is(node, std::move(problem))});
}

bool GraphLegalizer::fold_into(BodyInstance& instance, const BodyTemplate::Node& next, const GraphScope& scope,
                               const Origin& inside) {
  // Casts that change nothing are left out. Attaching first and lowering later gives the same model as lowering at once, but for casts in the subgraphs of
  // an attached function, which stay.
  const bool folds = next.is_copy || (inside.folds_types() && may_fold(next.role));
  if (!folds || inside.wanted.contains(instance.output_of(next))) return false;
  const ValueId value = folded(instance, next, scope, all_.left_over.taken_lists);
  if (value == absent_value) return false;
  instance.substitute(next, value);
  inside.findings->may_leave_unused |= instance.may_leave_unused(next);
  return true;
}

bool GraphLegalizer::place_node_of(BodyInstance& instance, const BodyTemplate::Node& next, GraphScope& scope,
                                   const Origin& inside, std::optional<Refusal>& refusal) {
  all_.nodes_made.add_one();
  // A body that makes more nodes than one run holds is kept as several: what becomes of each of its nodes.
  const size_t mark = scope.placed().size();
  const bool is_large = !inside.in_made_graph && mark - inside.begin > MadeRun::longest;
  const Arena::Mark fields = is_large ? all_.model.fields().mark() : Arena::Mark();
  std::string problem;
  const Node* made = instance.make(next, problem, refusal);
  if (made == nullptr) return false;
  if (!next.problem().empty()) problem = next.problem();
  if (problem.empty() && next.has_open_conditions()) problem = legality_.problem_of_conditions(*made, scope);
  if (problem.empty() && next.role != OperatorRole::cast_like && !folds() &&
      place_as_before(instance, next, *made, scope, inside)) {
    if (inside.checks_made) refusal = problem_of_made(*made, next.line, mark, scope, inside);
    return !refusal;
  }
  std::optional<MadeRun> run;
  if (is_large && inside.folds_types()) run.emplace(all_, scope, fields);
  Placement placement = place_made(*made, scope, inside, std::move(problem));
  if (!placement.placed) {
    refusal = record_.not_lowered(*made, next.line, std::move(placement.refusals));
    return false;
  }
  if ((refusal = problem_of_made(*made, next.line, mark, scope, inside))) return false;
  instance.substitute(next, placement.substitutions);
  if (run && placement.substitutions.empty() && inside.findings->may_leave_unused &&
      scope.placed().size() - mark <= MadeRun::longest) {
    drop_unused(scope, mark, made->outputs());
    run->settle_made(*made, types_);
    inside.findings->makes_runs = true;
  }
  return true;
}

bool GraphLegalizer::place_as_before(BodyInstance& instance, const BodyTemplate::Node& next, const Node& made,
                                     GraphScope& scope, const Origin& inside) {
  const std::optional<BodyTemplate::Signature> signature = instance.signature(next, scope);
  if (!signature) return place_as_it_is(made, scope, inside, instance.made_type(next));
  BodyTemplate::StoodNode& before = instance.body().stood(next);
  const uint32_t destination = legality_.destination(inside);
  if (before.destination != destination || before.signature != *signature) {
    if (!legality_.stands_by_types(made, scope, inside))
      return place_as_it_is(made, scope, inside, instance.made_type(next));
    scope.nodes().place(made, instance.made_type(next));
    before = {*signature, destination, made.outputs().empty() ? 0 : scope.element_type(made.outputs()[0])};
  } else {
    scope.nodes().place(made, before.made_type);
  }
  instance.note_made_type(next, before.made_type);
  return true;
}

std::optional<GraphLegalizer::Placement> GraphLegalizer::attach(const Node& node, onnx::NodeProto message,
                                                                bool has_settings, GraphScope& scope) {
  Findings findings;
  const std::vector<Candidate>& candidates = rules_.candidates(node.op, message.input_size());
  std::optional<Trial> around(std::in_place, all_, scope, types_, findings);
  const Attachment::KeptNode kept = attachment_.keep(node, message, has_settings, scope);
  Origin origin;
  origin.attaches = true;
  origin.findings = &findings;
  const Call call(message, kept.lowered.inputs(), scope, types_, scope.facts(node).version, target_.opset(),
                  all_.known.contexts.version(scope.context(node), ""), origin.folds_types(), all_);
  AttributeBinding binding;
  LoweringRecord::Refused refused;
  for (const Candidate& candidate : candidates) {
    if (candidate.is_own_function() && attachment_.runs_as_it_is(kept, candidate.form->function, target_)) {
      around.reset();
      scope.nodes().place(node);
      attachment_.import_domain_of(node.op);
      return Placement{.placed = true};
    }
    std::optional<Refusal> refusal;
    // First with a body that refers to the node's attributes, so that one function serves all their values; where a rule has to know the values, with these in
    // the body. Those that refer to the function in which the node stands have none.
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
      if (leaves_narrow_input_unread(nodes, kept.lowered, scope)) return std::nullopt;
      const size_t count = nodes.size();
      std::vector<int> types;
      for (const ValueId output : node.outputs()) types.push_back(scope.element_type(output));
      const Node& stays = attachment_.make_call(kept, message, *prepared->form, nodes, target_);
      trial.commit();
      around->commit_without_nodes();
      scope.nodes().place(stays);
      for (size_t index = 0; index < types.size(); ++index)
        scope.note_element_type(node.outputs()[index], types[index]);
      record_.lowered(node, candidate, count, findings, true);
      return Placement{.placed = true, .changed = true};
    }
    if (refusal) refused.emplace_back(&candidate, std::move(*refusal));
  }
  return Placement{.refusals = record_.reasons(node, candidates, call, std::move(refused), false)};
}

// ONNX Runtime asks a function's nodes which types the function takes. For an input that none of them reads these are the types of early ONNX, without those
// of 8 bits and fewer that came later. Its own operators it knows without the function.
bool GraphLegalizer::leaves_narrow_input_unread(std::span<const Node* const> nodes, const Node& call,
                                                const GraphScope& scope) {
  if (all_.model.op(call.op).domain == "com.microsoft") return false;
  std::unordered_set<ValueId> unread;
  for (const ValueId input : call.inputs()) {
    if (input != absent_value && types_.element_type(scope, input) > onnx::TensorProto::BFLOAT16) unread.insert(input);
  }
  if (unread.empty()) return false;
  for (const Node* node : nodes) for_each_used(*node, [&](ValueId value) { unread.erase(value); });
  return !unread.empty();
}

// Removes those of the nodes placed from `begin` on that contribute nothing to the wanted values.
void GraphLegalizer::drop_unused(GraphScope& scope, size_t begin, std::span<const ValueId> wanted) {
  ValueSet& used = sources_.tables.used;
  used.clear(all_.model.values().size());
  const auto use = [&](ValueId value) {
    if (value != absent_value) used.insert(value);
  };
  std::ranges::for_each(wanted, use);
  const auto is_used = [&](const Node& node) {
    return std::ranges::any_of(node.outputs(), [&](ValueId output) { return used.contains(output); });
  };
  bool all = true;
  for (size_t index = scope.placed().size(); index-- > begin;) {
    const Node& node = *scope.placed()[index];
    if (is_used(node)) {
      for_each_used(node, use);
      continue;
    }
    for (const ValueId output : node.outputs()) types_.forget(scope, output);
    all = false;
  }
  if (all) return;
  struct Kept {
    const Node* node;
    int element_type;
  };
  std::vector<Kept> kept;
  for (size_t index = begin; index < scope.placed().size(); ++index) {
    const Node& node = *scope.placed()[index];
    if (is_used(node)) kept.push_back({&node, scope.nodes().placed_type(index)});
  }
  scope.take_back(begin);
  for (const auto& [node, element_type] : kept) {
    if (node->is_run()) {
      scope.place_run(*node, element_type, scope.placed().size());
    } else {
      scope.nodes().place(*node, element_type);
    }
  }
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
