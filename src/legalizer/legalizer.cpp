// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legalizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "error.h"
#include "legalizer/attachment.h"
#include "legalizer/drop_released.h"
#include "legalizer/drop_unneeded.h"
#include "legalizer/expansion_size.h"
#include "legalizer/graph_legalizer.h"
#include "legalizer/input_shapes.h"
#include "legalizer/ir_version.h"
#include "legalizer/legalization.h"
#include "legalizer/node_message.h"
#include "legalizer/opset_imports.h"
#include "legalizer/rule_book.h"
#include "legalizer/target.h"
#include "legalizer/whole_model.h"
#include "model_file/onnx_fields.h"
#include "model_file/read_values.h"
#include "model_file/tensor_skeleton.h"
#include "model_file/typed_elements.h"
#include "standard_operators/operator_role.h"

namespace onnx_lower {
namespace {

// Each is a walk through the function.
constexpr size_t most_types_of_calls = 64;

bool has_constant_nodes(const Model& model) {
  for (OperatorId op = 0; op < model.operator_count(); ++op) {
    if (role_of(model.op(op).op_type) == OperatorRole::constant) return true;
  }
  return false;
}

// Legalizes the main graph, and then the functions that stay.
class Legalizer {
 public:
  Legalizer(Model& model, RuleLibrary& library, const LegalizeOptions& options)
      : options_(with_versions_of_targets(model, library, options)),
        opsets_(target_opsets(model, options_)),
        has_constant_nodes_(onnx_lower::has_constant_nodes(model)),
        all_(model, library, options_, opsets_) {}

  LegalizeResult run() {
    Model& model = all_.model;
    all_.result.nodes_before = model.node_count();
    check_expansion_size();
    fix_input_shapes(model, all_.options);
    legalize(model.graph, all_.known.contexts.intern(opsets_), all_.known.contexts.intern(model.opset_imports));
    drop_unneeded(model.graph);
    drop_released(model.graph);
    legalize_functions();
    drop_lists();
    if (all_.result.unlowered.empty()) check_whole_model(model, options_);
    all_.result.computed_as_float = computed_as_float(model, options_);
    all_.result.attached_functions = attachment_.functions().size();
    attachment_.add_to_model();
    settle_ir_version(model, all_.ir_version, all_.options, all_.result);
    const bool drops_standard = all_.options.target_opset || all_.options.ir_version || model.graph.changed;
    all_.result.dropped_domains = update_opset_imports(model, opsets_, all_.known.contexts, drops_standard);
    all_.result.nodes_after = model.node_count();
    all_.result.unused.settings = all_.settings.unused();
    all_.result.unused.attachments = attachment_.unused_patterns();
    return std::move(all_.result);
  }

 private:
  void legalize(Graph& graph, OpsetContext target, OpsetContext own) {
    const auto [found, inserted] =
        targets_.try_emplace(target,
                             Target::Sources{all_.model, all_.known.contexts, all_.known.facts, all_.known.functions,
                                             all_.library, all_.options},
                             target);
    GraphLegalizer(all_, rules_, attachment_, found->second, own, graph).legalize();
  }

  struct StayedFunction {
    OpsetContext written;
    bool is_changed;
  };

  void check_expansion_size();
  void release_lacking(const Graph& graph);
  // Of the graph and its subgraphs: those that nothing else reads are dropped.
  template <typename InitializerGoes, typename ConstantGoes>
  void release_constants(const Graph& graph, const InitializerGoes& initializer_goes,
                         const ConstantGoes& constant_goes);
  void drop_unneeded(Graph& graph);
  void drop_released(Graph& graph);
  void tell_dropped(const Node& node);
  void legalize_functions();
  void check_other_calls(const std::map<size_t, StayedFunction>& stayed);
  void drop_lists();
  void drop_lists(Graph& graph, const std::unordered_set<ValueId>& lists, const std::unordered_set<ValueId>& used);

  LegalizeOptions options_;
  std::vector<OpsetImport> opsets_;  // of the written model
  bool has_constant_nodes_;          // as it was read: what rules make of them goes with what reads it
  Legalization all_;
  RuleBook rules_{all_};
  Attachment attachment_{all_};
  std::map<OpsetContext, Target> targets_;
};

void Legalizer::check_expansion_size() {
  if (all_.model.functions.empty() && !all_.library.has_any_user_rule()) return;
  const size_t most = all_.nodes_made.most();
  if (ExpansionSize(all_).of(all_.model.graph, most) == most) all_.nodes_made.fail();
}

// Nodes that read them are refused; but a runtime reads all tensors.
void Legalizer::release_lacking(const Graph& graph) {
  uint64_t lacking = 0;
  for (const auto& target : options_.targets) lacking |= target->lacking_types;
  if (lacking == 0) return;
  const auto lacks = [&](int element_type) { return is_among(lacking, static_cast<uint64_t>(element_type)); };
  release_constants(
      graph, [&](const TensorSkeleton& initializer) { return lacks(read_tensor_facts(initializer.wire).data_type); },
      [&](const Node& constant) { return lacks(element_type_of_constant(constant.wire)); });
}

template <typename InitializerGoes, typename ConstantGoes>
void Legalizer::release_constants(const Graph& graph, const InitializerGoes& initializer_goes,
                                  const ConstantGoes& constant_goes) {
  for (const TensorSkeleton& initializer : graph.initializers) {
    if (initializer_goes(initializer)) all_.left_over.released.push_back(initializer.value);
  }
  if (!has_constant_nodes_ && all_.left_over.made_constants.empty() && !graph.has_bodies) return;
  for (const GraphPiece& piece : graph.pieces) {
    for (const Node* node : piece.nodes) {
      const bool is_constant = !node->is_run() && node->inputs().empty() && node->outputs().size() == 1 &&
                               role_of(all_.model.op(node->op).op_type) == OperatorRole::constant;
      if (is_constant && constant_goes(*node)) all_.left_over.released.push_back(node->outputs()[0]);
      for (const Graph& body : node->graphs()) release_constants(body, initializer_goes, constant_goes);
    }
  }
}

// With a target, what nothing needs any more: another run would not find it needed either.
void Legalizer::drop_unneeded(Graph& graph) {
  if (options_.targets.empty() || !all_.model.training_graphs.empty()) return;
  const std::vector<ValueId> inputs = onnx_lower::drop_unneeded(graph, all_.model.values().size());
  if (inputs.empty()) return;
  // Of these the constants go as well, where nothing else reads them.
  const std::unordered_set<ValueId> read(inputs.begin(), inputs.end());
  release_constants(
      graph, [&](const TensorSkeleton& initializer) { return read.contains(initializer.value); },
      [&](const Node& constant) { return read.contains(constant.outputs()[0]); });
}

// What only nodes of the graph read that are gone.
void Legalizer::drop_released(Graph& graph) {
  release_lacking(graph);
  if (all_.left_over.released.empty()) return;
  std::vector<ValueId> read_in_training;
  if (&graph == &all_.model.graph) {
    for (const Graph& training : all_.model.training_graphs) {
      for_each_node(training, [&](const Node& node) {
        read_in_training.insert(read_in_training.end(), node.inputs().begin(), node.inputs().end());
      });
    }
  }
  const auto stays = [&](const Node& node) {
    const Operator& op = all_.model.op(node.op);
    return std::ranges::any_of(all_.options.kept,
                               [&](const OperatorPattern& kept) { return kept.fits(op.domain, op.op_type); });
  };
  onnx_lower::drop_released(graph, all_.model.values().size(), all_.left_over.released, read_in_training, stays,
                            [&](const Node& node) {
                              if (all_.left_over.made_constants.contains(&node)) return;  // it has been told of
                              tell_dropped(node);
                            });
  all_.left_over.released.clear();
}

void Legalizer::tell_dropped(const Node& node) {
  const auto tell = [&](std::string_view name, std::string_view domain, std::string_view op_type) {
    all_.result.folded.push_back({name, domain, op_type, FoldedNode::Into::nothing});
  };
  if (!node.is_run()) {
    const Operator& op = all_.model.op(node.op);
    tell(display_name(all_.model, node), op.domain, op.op_type);
    return;
  }
  WireField made;
  for (WireReader reader(node.wire); reader.next(made);) {
    const Bytes name = last_field(made.content, delimited_tag(field::Node::name));
    tell(name.empty() ? last_field(made.content, delimited_tag(field::Node::output)) : name, {},
         last_field(made.content, delimited_tag(field::Node::op_type)));
  }
}

// What the main graph still calls stays, and so does what those functions call; their bodies are legalized for the versions that they import, or for those of
// the written model where these are others than before.
void Legalizer::legalize_functions() {
  Model& model = all_.model;
  std::vector<bool> called(model.functions.size(), false);
  std::vector<size_t> found;
  all_.known.functions.find_called(model.graph, called, found);
  for (const Graph& graph : model.training_graphs) all_.known.functions.find_called(graph, called, found);
  // Attached functions are legal as they were made; they call others only where the user keeps an operator.
  size_t seen = 0;
  std::map<size_t, StayedFunction> stayed;
  const auto find_called_by_attached = [&] {
    for (; seen < attachment_.functions().size(); ++seen)
      all_.known.functions.find_called(attachment_.functions()[seen].body, called, found);
    for (const OperatorId op : attachment_.reused()) all_.known.functions.find_called(op, called, found);
  };
  find_called_by_attached();
  for (size_t next = 0; next < found.size(); ++next) {
    Function& function = model.functions[found[next]];
    const OpsetContext own =
        all_.known.contexts.intern(function.opset_imports.empty() ? model.opset_imports : function.opset_imports);
    std::vector<OpsetImport> imports = function.opset_imports.empty() ? opsets_ : function.opset_imports;
    follow_model_opsets(imports, model.opset_imports, opsets_);
    const OpsetContext written = all_.known.contexts.intern(imports);
    // What a training graph or an attached function calls it with nobody has looked at.
    if (model.training_graphs.empty() && seen == 0) all_.known.call_types.declare_inputs(function);
    legalize(function.body, written, own);
    drop_unneeded(function.body);
    stayed.emplace(found[next], StayedFunction{written, function.body.changed || written != own});
    drop_released(function.body);
    if (!function.opset_imports.empty()) write_imports(model, function, std::move(imports));
    complete_imports(model, function, all_.known.contexts, written);
    all_.known.functions.find_called(function.body, called, found);
    find_called_by_attached();
  }
  check_other_calls(stayed);
  for (size_t index = 0; index < model.functions.size(); ++index) model.functions[index].dropped = !called[index];
}

// A function was legalized for the types in which all of its calls agree. What it became has to take those of each.
void Legalizer::check_other_calls(const std::map<size_t, StayedFunction>& stayed) {
  if (std::ranges::none_of(stayed, [](const auto& function) { return function.second.is_changed; })) return;
  std::map<size_t, size_t> checked;
  while (const std::optional<CallTypes::TypedCall> call = all_.known.call_types.next_other_call()) {
    const auto found = stayed.find(call->function);
    if (found == stayed.end()) continue;
    const auto& [written, is_changed] = found->second;
    Function& function = all_.model.functions[call->function];
    if (++checked[call->function] > most_types_of_calls)
      throw InvalidInput(
          fmt::format("{}: the function {} stays, and is called with more than {} combinations of element types, which "
                      "is the limit",
                      all_.model.input().path(), operator_name(function.domain, function.name), most_types_of_calls));
    all_.known.call_types.declare_inputs(*call);
    GraphLegalizer(all_, rules_, attachment_, targets_.at(written), written, function.body).check_types(is_changed);
  }
}

// Lists whose tensors rules took go with their last use.
void Legalizer::drop_lists() {
  if (all_.left_over.taken_lists.empty()) return;
  const std::unordered_set<ValueId> lists(all_.left_over.taken_lists.begin(), all_.left_over.taken_lists.end());
  // A name in a function says nothing of the same name in the graph, or in another function.
  const auto drop_in = [&](Graph& graph) {
    std::unordered_set<ValueId> used;
    add_read_values(graph, used);
    drop_lists(graph, lists, used);
  };
  drop_in(all_.model.graph);
  for (Function& function : all_.model.functions) drop_in(function.body);
}

void Legalizer::drop_lists(Graph& graph, const std::unordered_set<ValueId>& lists,
                           const std::unordered_set<ValueId>& used) {
  const auto is_left_over = [&](const Node* node) {
    return node->outputs().size() == 1 && lists.contains(node->outputs()[0]) && !used.contains(node->outputs()[0]);
  };
  for (GraphPiece& piece : graph.pieces) {
    if (std::erase_if(piece.nodes, is_left_over) != 0) graph.changed = true;
    for (const Node* node : piece.nodes) {
      edit_graphs_of(*node, graph, [&](Graph& inner) { drop_lists(inner, lists, used); });
    }
  }
}

}  // namespace

LegalizeResult legalize(Model& model, RuleLibrary& library, const LegalizeOptions& options) {
  return Legalizer(model, library, options).run();
}

}  // namespace onnx_lower
