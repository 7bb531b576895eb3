// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Products of weights that nodes unpack from codes of a few bits.

#include <algorithm>
#include <utility>

#include "legalizer/before/version_choice.h"
#include "legalizer/legality/known_tensors.h"
#include "legalizer/legalization/trial.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/placement/graph_legalizer.h"
#include "standard_operators/onnx_releases.h"

namespace onnx_lower {

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
  for (const WeightForm form : {WeightForm::blocks, WeightForm::blocks_of_bytes, WeightForm::bytes}) {
    const bool may_have_form = form == WeightForm::bytes ||
                               (has_blocks(found->second) && first_opset(found->second, form) <= target_.opset() &&
                                (form != WeightForm::blocks || has_small_types));
    if (!may_have_form) continue;
    AttributeBinding binding;
    const PreparedBody prepared = rules_.prepare(with_packed_weights(message, found->second, form), call, binding);
    Placement placement = try_out(by_weights, node, scope, origin, findings,
                                  [&] { return place_body(prepared, binding, node, scope, inside); });
    if (!placement.placed) continue;
    all_.left_over.released.push_back(node.inputs()[1]);
    if (const int opset = first_opset(found->second, WeightForm::blocks);
        form != WeightForm::blocks && opset > target_.opset() && has_blocks(found->second))
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
