// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Replaces nodes by what is known before the model runs: constants for outputs that are known, the
// taken branch for an If whose condition is known, and products of weights that nodes unpack by
// products of weights of a few bits.

#include <algorithm>

#include "legalizer/before/version_choice.h"
#include "legalizer/body/branch.h"
#include "legalizer/legality/known_tensors.h"
#include "legalizer/legalization/trial.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/placement/graph_legalizer.h"
#include "legalizer/weights/packed_weights.h"
#include "model_file/onnx_fields.h"
#include "rules/body.h"
#include "standard_operators/onnx_releases.h"

namespace onnx_lower {
namespace {

bool has_input_named(const OperatorVersion& version, const OperatorParameter* input) {
  return input == nullptr ||
         std::ranges::any_of(version.inputs, [&](const OperatorParameter& of) { return of.name == input->name; });
}

}  // namespace

const OperatorVersion* GraphLegalizer::older_version(const Node& node, const GraphScope& scope) const {
  const OperatorVersion* own = scope.facts(node).version;
  if (!all_.options.target_opset || own == nullptr || !own->domain.empty() || !is_for_all_calls()) return nullptr;
  // Which pixels the Resize of opset 10 takes depends on its scales, and it was Upsample before.
  constexpr int opset_of_upsample = 8, opset_of_centres = 11;
  const bool is_upsample = own->name == "Resize" && target_.opset() < opset_of_centres;
  const OperatorVersion* written =
      is_upsample ? find_operator("", "Upsample", opset_of_upsample) : find_operator("", own->name, target_.opset());
  return written != nullptr && written->since_version < own->since_version ? written : nullptr;
}

std::map<int, KnownTensor> GraphLegalizer::known_inputs(const Node& node, const Call& call, GraphScope& scope) {
  const OperatorVersion* older = folds_for_targets() ? nullptr : older_version(node, scope);
  if (!folds_for_targets() && older == nullptr) return {};
  KnownTensors known(all_, types_);
  std::map<int, KnownTensor> constants;
  for (int index = 0; index < call.input_count(); ++index) {
    if (!call.has_input(index) || call.constant(index) != nullptr) continue;
    if (older != nullptr && has_input_named(*older, scope.facts(node).version->input(index))) continue;
    const KnownTensor* input = known.find(scope, node.inputs()[static_cast<size_t>(index)]);
    if (input != nullptr && input->is_known()) constants.emplace(index, *input);
  }
  return constants;
}

bool GraphLegalizer::place_constants(const Node& node, GraphScope& scope, const Origin& origin) {
  if (scope.facts(node).evaluator == nullptr || target_.keeps(node.op)) return false;
  std::optional<std::vector<KnownTensor>> outputs = KnownTensors(all_, types_).evaluate(scope, node);
  if (!outputs) return false;
  outputs->resize(node.outputs().size());
  if (!std::ranges::all_of(*outputs, &KnownTensor::is_known)) return false;
  // Before opset 9, a Constant holds floating-point numbers only.
  const OperatorVersion* constant_version = find_operator("", "Constant", target_.opset());
  const bool holds_all = constant_version != nullptr && std::ranges::all_of(*outputs, [&](const KnownTensor& output) {
                           return (constant_version->outputs[0].types >> output.element_type & 1) != 0;
                         });
  // An initializer can hold the others. But a function has none, and below IR version 4 each has to
  // be an input of the graph.
  if (!holds_all && (scope.is_function() || all_.ir_version < first_ir_version::with_free_initializers)) return false;
  onnx::NodeProto constant = node_message(all_.model, node);
  constant.clear_input();
  constant.clear_domain();
  constant.clear_overload();
  constant.clear_attribute();
  constant.set_op_type("Constant");
  onnx::AttributeProto& value = *constant.add_attribute();
  std::vector<const Node*> made_constants;
  for (size_t index = 0; index < node.outputs().size(); ++index) {
    if (node.outputs()[index] == absent_value) continue;
    if (!holds_all) {
      onnx::TensorProto tensor = tensor_of((*outputs)[index]);
      tensor.set_name(std::string(all_.model.value_name(node.outputs()[index])));
      const Bytes wire = all_.model.keep_field(field::Graph::initializer, tensor.SerializeAsString());
      scope.add_initializer({.value = node.outputs()[index], .wire = wire});
      continue;
    }
    value = BodyAttribute("value", tensor_of((*outputs)[index])).message();
    constant.clear_output();
    constant.add_output(std::string(all_.model.value_name(node.outputs()[index])));
    const Node& made = keep_node(all_.model, constant, node.opsets);
    if (!all_.options.targets.empty() && !legality_.is_taken(made, scope, origin)) return false;
    made_constants.push_back(&made);
    constant.clear_name();  // only the first of several constants gets the name of the node
  }
  for (const Node* made : made_constants) {
    all_.left_over.made_constants.insert(made);
    scope.nodes().place(*made);
  }
  all_.left_over.released.insert(all_.left_over.released.end(), node.inputs().begin(), node.inputs().end());
  if (origin.is_made()) origin.findings->may_leave_unused = true;
  record_.folded(node, FoldedNode::Into::constant);
  return true;
}

std::optional<Refusal> GraphLegalizer::place_part(const Node& node, GraphScope& scope, const Origin& origin) {
  if (!origin.is_made()) {
    place_own(node, scope, origin);
    return std::nullopt;
  }
  Placement placement = place_made(node, scope, origin, legality_.problem_of_schema(node, scope));
  if (placement.placed) return std::nullopt;
  return record_.not_lowered(node, 0, std::move(placement.refusals));
}

std::optional<Refusal> GraphLegalizer::place_branch_nodes(const Branch& branch, GraphScope& scope,
                                                          const Origin& inside) {
  for (const TensorSkeleton& initializer : branch.initializers) scope.add_initializer(initializer);
  for (const Node* each : branch.nodes) {
    const size_t refused = all_.result.unlowered.size();
    if (std::optional<Refusal> refusal = place_part(*each, scope, inside)) return refusal;
    if (!inside.is_made() && all_.options.fixes_inputs()) refuse_by_given_shapes(*each, scope, refused);
  }
  return std::nullopt;
}

std::optional<Branch> GraphLegalizer::open_branch_of(const Node& node, bool condition, const GraphScope& scope,
                                                     const Origin& origin) {
  // Names in what a rule makes are used nowhere else in the model.
  if (!origin.is_made() && !all_.shared_names) all_.shared_names.emplace(all_.model);
  const SharedNames* shared = origin.is_made() ? nullptr : &*all_.shared_names;
  return open_branch(all_.model, node, condition, shared, origin.metadata, origin.is_made() || scope.is_function(),
                     all_.names);
}

std::optional<GraphLegalizer::Placement> GraphLegalizer::place_branch(const Node& node, GraphScope& scope,
                                                                      const Origin& origin) {
  if (scope.facts(node).role != OperatorRole::conditional || node.inputs().size() != 1 || target_.keeps(node.op) ||
      all_.known.functions.own(node.op) != nullptr)
    return std::nullopt;
  const std::optional<bool> condition = KnownTensors(all_, types_).boolean(scope, node.inputs()[0]);
  if (!condition) return std::nullopt;
  const std::optional<Branch> branch = open_branch_of(node, *condition, scope, origin);
  if (!branch) return std::nullopt;

  Origin inside = origin.in_graph();
  // The nodes do not stand in the If any more, but beside it.
  if (!all_.options.targets.empty()) inside.in_made_graph = origin.in_made_graph;
  Placement placement{.placed = true, .changed = true};
  if (std::optional<Refusal> refusal = place_branch_nodes(*branch, scope, inside))
    return Placement{.refusals = {std::move(*refusal)}};
  for (const auto& [output, value] : branch->copies) {
    if (origin.in_body && !origin.wanted.contains(output)) {
      placement.substitutions.push_back({output, value});
      continue;
    }
    const auto name = [&](ValueId named) { return all_.model.value_name(named); };
    const Node& copy = keep_node(all_.model, node_of("Identity", {name(value)}, {name(output)}), node.opsets);
    if (!folds() || !place_constants(copy, scope, inside)) scope.nodes().place(copy);
  }
  for_each_used(node, [&](ValueId value) { all_.left_over.released.push_back(value); });
  if (origin.is_made()) origin.findings->may_leave_unused = true;
  record_.folded(node, *condition ? FoldedNode::Into::then_branch : FoldedNode::Into::else_branch);
  return placement;
}

void GraphLegalizer::find_packed_weights() {
  if (root_.is_function || all_.options.attaches() || !may_unpack_weights(all_.model)) return;
  GraphScope scope(sources_, root_, nullptr, nullptr);
  KnownTensors known(all_, types_);
  PackedTensors tensors(all_.model, scope, known);
  const auto has_other_meaning = [&](const Node& node) {
    const Operator& op = all_.model.op(node.op);
    return all_.library.has_user_rule(op.domain, op.op_type) || all_.options.keeps(op);
  };
  for_each_own_node(root_, [&](const Node& node) {
    if (is_product(all_.model.op(node.op)) && node.inputs().size() >= 2 && !has_other_meaning(node)) {
      std::optional<PackedWeights> weights =
          packed_weights(tensors, all_.model, scope, node, node_message(all_.model, node));
      if (weights &&
          std::ranges::none_of(weights->unpacked_by, [&](const Node* maker) { return has_other_meaning(*maker); })) {
        unpacking_.insert(weights->unpacked_by.begin(), weights->unpacked_by.end());
        packed_.emplace(&node, *std::move(weights));
      }
      tensors.forget();
    }
    scope.nodes().place(node);
  });
  types_.forget(scope);
}

GraphLegalizer::Placement GraphLegalizer::place_packed(const Node& node, GraphScope& scope, const Origin& origin) {
  static const Candidate by_weights{.where_from = "weights that stay as small as they are stored"};
  const auto found = packed_.find(&node);
  if (found == packed_.end()) return {};
  const auto borrowed = borrow_message();
  onnx::NodeProto& message = *borrowed;
  read_node_message(all_.model, node, message);
  Findings findings;
  const Origin inside = metadata_.begin(all_, node, message, findings);
  const Call call(message, node, scope, types_, target_.opset(), inside.folds_types(), all_);
  // An IR version that is asked for may lack integers of a few bits.
  const bool has_small_types =
      !all_.options.ir_version || all_.ir_version >= first_ir_version_with_type(onnx::TensorProto::INT4);
  const std::optional<int64_t> rank = call.rank(0);
  for (const WeightForm form :
       {WeightForm::blocks, WeightForm::blocks_without_zeros, WeightForm::blocks_of_bytes, WeightForm::bytes}) {
    const bool is_arithmetic = form == WeightForm::bytes;
    const bool is_small = !is_arithmetic && form != WeightForm::blocks_of_bytes;
    if (!may_have(found->second, form, rank) || (is_small && !has_small_types) ||
        (!is_arithmetic && first_opset(found->second, form) > target_.opset()))
      continue;
    AttributeBinding binding;
    PreparedBody prepared =
        rules_.prepare(with_packed_weights(message, found->second, form, rank.value_or(0)), call, binding);
    if (!is_arithmetic) prepared.as_it_is = "DequantizeLinear";
    Placement placement = try_out(by_weights, node, scope, origin, findings,
                                  [&] { return place_body(prepared, binding, node, scope, inside); });
    if (!placement.placed) continue;
    // All of them, as a rule may have taken what one of them took from its maker.
    for (const Node* maker : found->second.unpacked_by)
      all_.left_over.released.insert(all_.left_over.released.end(), maker->outputs().begin(), maker->outputs().end());
    if (const int opset = first_opset(found->second, WeightForm::blocks);
        !is_small && opset > target_.opset() && has_blocks(found->second))
      note_widened(node, found->second.bits, opset);
    return placement;
  }
  return {};
}

void GraphLegalizer::note_widened(const Node& product, int64_t bits, int opset) {
  const auto& targets = all_.options.targets;
  if (!targets.empty() && !common_opsets(targets, "").contains(opset)) return;
  WidenedWeights& widened = all_.result.widened_weights;
  if (widened.products++ == 0) {
    widened.node = display_name(all_.model, product);
    widened.op_type = all_.model.op(product.op).op_type;
    widened.bits = bits;
  }
  widened.opset = std::max(widened.opset, opset);
}

}  // namespace onnx_lower
