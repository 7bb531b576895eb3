// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/placement/graph_legalizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "legalizer/after/complete_declarations.h"
#include "legalizer/before/dense_initializers.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/placement/made_run.h"
#include "legalizer/record/open_inputs.h"
#include "model_file/onnx_fields.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// How deep rules may nest subgraphs in subgraphs. Protobuf's parsers take messages that are nested
// 100 deep, and a graph in a graph is three of them.
constexpr int deepest_made_graph = 31;

// Notes the element types of the outputs of a node that holds the body: they are those of the
// values that the body hands out.
void note_output_types(const Graph& body, const GraphScope& scope, const GraphScope& enclosing, const Node& holder) {
  const OperatorRole role = scope.holder_role();
  if (role != OperatorRole::conditional && role != OperatorRole::loop && role != OperatorRole::scan) return;
  // The first output of a Loop's body is the condition.
  const size_t first = role == OperatorRole::loop ? 1 : 0;
  for (size_t index = 0; index < holder.outputs().size() && first + index < body.outputs.size(); ++index) {
    if (holder.outputs()[index] == absent_value) continue;
    enclosing.element_types().note(holder.outputs()[index], scope.element_type(body.outputs[first + index].value));
  }
}

// What speaks against the element types of the values that a body hands to the node around it,
// before note_output_types() has noted them: every runtime wants the branches of an If to give
// equal types, and a Loop to keep the type of each state. A clause; empty where the types are
// right, or where one is not known without a declaration.
std::string problem_of_results(const Graph& body, const GraphScope& scope, const GraphScope& enclosing,
                               const Node& holder) {
  const OperatorRole role = scope.holder_role();
  const auto made = [&](size_t output) {
    const ValueId value = body.outputs[output].value;
    return scope.element_types().are_told_by_operator(value) ? scope.element_type(value) : 0;
  };
  if (role == OperatorRole::conditional && &body != holder.bodies->graphs.data()) {
    for (size_t index = 0; index < holder.outputs().size() && index < body.outputs.size(); ++index) {
      const int of_other = enclosing.element_types().noted(holder.outputs()[index]);
      const int type = made(index);
      if (of_other != 0 && type != 0 && of_other != type)
        return fmt::format("its branches give '{}' elements of two types, {} and {}",
                           scope.sources().model.value_name(holder.outputs()[index]), element_type_text(of_other),
                           element_type_text(type));
    }
  }
  if (role != OperatorRole::loop) return {};
  // The inputs of a Loop for the number of iterations and the condition.
  constexpr size_t before_states = 2;
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

// Makes the placed nodes the content of the graph's only piece of nodes.
void take_placed(GraphScope& scope, Graph& graph) {
  std::vector<const Node*>& nodes = std::ranges::find(graph.pieces, GraphPiece::Kind::nodes, &GraphPiece::kind)->nodes;
  if (scope.placed().size() <= nodes.capacity()) {
    nodes = scope.placed();  // a copy: the scope's list serves the next graph
    return;
  }
  nodes = scope.nodes().take();
  // There is room for all nodes from before they were joined to runs, which are far fewer.
  if (nodes.capacity() > 4 * nodes.size()) nodes.shrink_to_fit();
}

// The tensor as an initializer field of a graph. It is a field of another graph already, mostly
// with the header that it would get here: then its bytes are not copied.
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
  // Where the graph has one piece of nodes, the placed nodes become that piece: in the end, when
  // nobody asks the scope for them any more.
  bool takes_all = false;
  for (GraphPiece& piece : graph.pieces) {
    if (piece.kind != GraphPiece::Kind::nodes) continue;
    // Room for the nodes that rules add: memory that is not used costs nothing, and to move all
    // nodes would cost much.
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
  if (!refusal) {
    settle_declarations(graph, scope, types_, all_, origin);
    if (holder != nullptr) note_output_types(graph, scope, *enclosing, *holder);
    if (all_.keeps_calls()) all_.known.call_types.note(scope, types_);
  }
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
    const size_t refused = all_.result.unlowered.size();
    const bool is_as_it_was = (!folds() && !packed_.contains(node) && place_as_it_is(*node, scope, origin)) ||
                              ((node->graphs().empty() || !leave_out(*node, scope)) && place_own(*node, scope, origin));
    changed |= !is_as_it_was;
    if (all_.options.fixes_inputs()) refuse_by_given_shapes(*node, scope, refused);
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

void GraphLegalizer::check_types(const Graph& graph, const GraphScope* enclosing, const Node* holder, bool is_changed) {
  GraphScope scope(sources_, graph, enclosing, holder);
  const auto check = [&](const Node& node) {
    if (std::string problem = legality_.problem_of_written_types(node, scope); is_changed && !problem.empty()) {
      problem = fmt::format(
          "its function stays and is called with several types (without --keep, each call would get "
          "nodes of its own): {}",
          problem);
      record_.unlowered(node, scope, {record_.as_it_is(node, std::move(problem))});
    }
    for (const Graph& body : node.graphs()) check_types(body, &scope, &node, is_changed);
    scope.nodes().place(node);
  };
  for_each_own_node(graph, [&](const Node& node) {
    if (!node.is_run()) {
      check(node);
    } else {
      for (const Node* made : nodes_of_run(all_.model, node)) check(*made);
    }
  });
  if (holder != nullptr) note_output_types(graph, scope, *enclosing, *holder);
  all_.known.call_types.note(scope, types_);
  types_.forget(scope);
}

std::optional<Refusal> GraphLegalizer::legalize_bodies(const Node& node, const GraphScope& scope,
                                                       const Origin& origin) {
  if (!node.bodies) return std::nullopt;
  Origin inside = origin.in_graph();
  // The made node that holds the graph says where it comes from; the nodes of the graph need not
  // say it again.
  inside.metadata = {};
  for (Graph& body : node.bodies->graphs) {
    if (std::optional<Refusal> refusal = legalize_graph(body, &scope, &node, inside)) return refusal;
    node.bodies->changed |= body.changed;
  }
  return std::nullopt;
}

bool GraphLegalizer::is_as_it_was(const Node& node, const Placement& placement, const GraphScope& scope, size_t mark) {
  return !placement.changed && scope.nodes().is_only_since(mark, node) && !(node.bodies && node.bodies->changed);
}

bool GraphLegalizer::place_own(const Node& node, GraphScope& scope, const Origin& origin) {
  const size_t mark = scope.placed().size();
  if (folds()) {
    if (place_constants(node, scope, origin) || place_branch(node, scope, origin)) return false;
    if (place_as_it_is(node, scope, origin)) return true;
  }
  MadeRun made(all_, scope);
  const TriesOfNode tries(all_.tries);
  Placement placement = place_packed(node, scope, origin);
  if (!placement.placed) placement = place_node(node, scope, origin);
  if (!placement.placed && leave_out(node, scope)) return false;
  if (!placement.placed && place_if_unread(node, scope, origin, placement)) {
    made.settle(node, types_);
    return true;
  }
  if (!placement.placed) {
    if (all_.tries.have_ended()) placement.refusals.insert(placement.refusals.begin(), record_.too_many_tries(node));
    const bool asks = !all_.options.targets.empty() && rest_on(placement.refusals, &Refusal::wants_shapes);
    record_.unlowered(node, scope, std::move(placement.refusals),
                      asks ? options_for_open_inputs(node, scope) : std::vector<std::string>());
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

void GraphLegalizer::refuse_by_given_shapes(const Node& node, const GraphScope& scope, size_t refused_before) {
  const auto output = std::ranges::find_if(node.outputs(), [](ValueId value) { return value != absent_value; });
  if (output == node.outputs().end()) return;
  std::string problem = types_.problem_of_maker(scope, *output, TypeInference::any_number);
  if (problem.empty()) return;
  problem = "the inputs that are given do not go with it: " + problem;
  Refusal refusal = record_.as_it_is(node, std::move(problem));
  std::vector<UnloweredNode>& unlowered = all_.result.unlowered;
  if (unlowered.size() > refused_before && unlowered.back().node == display_name(all_.model, node)) {
    unlowered.back().refusals.insert(unlowered.back().refusals.begin(), std::move(refusal));
  } else {
    record_.unlowered(node, scope, {std::move(refusal)}, options_for_open_inputs(node, scope));
  }
}

bool GraphLegalizer::leave_out(const Node& node, const GraphScope& scope) {
  if (all_.options.targets.empty() || all_.known.readers.need(node)) return false;
  left_out_.insert(node.outputs().begin(), node.outputs().end());
  release_unread(node, scope.placed().size(), scope);
  return true;
}

bool GraphLegalizer::leaves_out_unneeded_of(const Origin& origin) const {
  return !all_.options.targets.empty() && origin.is_made() &&
         origin.expansion->body.form->origin == RuleOrigin::model && !origin.attaches;
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

// The constants may be such as a rule took for an attribute, or has no use for.
void GraphLegalizer::release_unread(const Node& lowered, size_t mark, const GraphScope& scope) {
  if (scope.nodes().is_only_since(mark, lowered)) return;
  const auto is_constant = [&](ValueId value) {
    const GraphScope* around = &scope;
    while (around != nullptr && around->constant_type(value) == nullptr) around = around->enclosing();
    return around != nullptr;
  };
  std::vector<ValueId> constants;
  std::ranges::copy_if(lowered.inputs(), std::back_inserter(constants), is_constant);
  if (constants.empty()) return;
  ValueSet& used = sources_.tables.used;
  used.clear(all_.model.values().size());
  for (const Node* made : std::span(scope.placed()).subspan(mark))
    for_each_used(*made, [&](ValueId value) { used.insert(value); });
  for (const ValueId constant : constants) {
    if (used.contains(constant)) continue;
    all_.left_over.released.push_back(constant);
    used.insert(constant);  // so that it is released once
  }
}

void GraphLegalizer::drop_unused(GraphScope& scope, size_t begin, std::span<const ValueId> wanted) {
  ValueSet& used = sources_.tables.used;
  used.clear(all_.model.values().size());
  const auto use = [&](ValueId value) {
    if (value != absent_value) used.insert(value);
  };
  std::ranges::for_each(wanted, use);
  struct Kept {
    const Node* node;
    int element_type;
  };
  std::vector<Kept> kept;  // in reverse order
  for (size_t index = scope.placed().size(); index-- > begin;) {
    const Node& node = *scope.placed()[index];
    if (std::ranges::any_of(node.outputs(), [&](ValueId output) { return used.contains(output); })) {
      for_each_used(node, use);
      kept.push_back({&node, scope.nodes().placed_type(index)});
    } else {
      for (const ValueId output : node.outputs()) types_.forget(scope, output);
    }
  }
  if (kept.size() == scope.placed().size() - begin) return;
  scope.take_back(begin);
  for (; !kept.empty(); kept.pop_back()) {
    const auto& [node, element_type] = kept.back();
    if (node->is_run()) {
      scope.place_run(*node, element_type, scope.placed().size());
    } else {
      scope.nodes().place(*node, element_type);
    }
  }
}

}  // namespace onnx_lower
