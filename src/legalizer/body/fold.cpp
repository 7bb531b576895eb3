// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/body/fold.h"

#include <optional>

#include "legalizer/nodes/node_message.h"
#include "rules/body.h"
#include "rules/values/constant_value.h"

namespace onnx_lower {
namespace {

ValueId folded_cast(const BodyInstance& body, const BodyTemplate::Node& node, const GraphScope& scope) {
  const int type = body.cast_type(node, scope);
  return type != 0 && body.input_type(node, 0, scope) == type ? body.input_of(node, 0) : absent_value;
}

ValueId item_of_list(const BodyInstance& body, const BodyTemplate::Node& node, const GraphScope& scope,
                     std::vector<ValueId>& lists) {
  const NodeView list = maker_of_list(scope, body.input_of(node, 0));
  const onnx::TensorProto* constant = scope.visible_constant(body.input_of(node, 1));
  const auto position = constant == nullptr ? std::nullopt : integer_elements(*constant);
  if (!list || !position || position->size() != 1) return absent_value;
  const auto size = static_cast<int64_t>(list.inputs.size());
  const int64_t index = position->front() < 0 ? position->front() + size : position->front();
  if (index < 0 || index >= size) return absent_value;
  lists.push_back(list.outputs[0]);
  return list.inputs[static_cast<size_t>(index)];
}

}  // namespace

bool may_fold(OperatorRole role) {
  return role == OperatorRole::cast || role == OperatorRole::cast_like || role == OperatorRole::sequence_at;
}

ValueId folded(const BodyInstance& body, const BodyTemplate::Node& node, const GraphScope& scope,
               std::vector<ValueId>& lists) {
  if (node.outputs().size() != 1) return absent_value;
  if (node.is_copy) return body.input_of(node, 0);
  switch (node.role) {
    case OperatorRole::cast:
    case OperatorRole::cast_like:
      return folded_cast(body, node, scope);
    case OperatorRole::sequence_at:
      return item_of_list(body, node, scope, lists);
    default:
      return absent_value;
  }
}

const Node& as_cast(const Node& node, const GraphScope& scope, Model& model) {
  if (scope.facts(node).role != OperatorRole::cast_like || node.inputs().size() != 2) return node;
  const int type = scope.element_type(node.inputs()[1]);
  if (type == 0) return node;
  onnx::NodeProto message = node_message(model, node);
  message.set_op_type("Cast");
  message.mutable_input()->RemoveLast();
  *message.add_attribute() = BodyAttribute("to", type).message();
  return keep_node(model, message, node.opsets);
}

}  // namespace onnx_lower
