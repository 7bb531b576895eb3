// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/body/fold.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "legalizer/nodes/node_message.h"
#include "model_file/onnx_fields.h"
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

// Whether the node's fields stand in the order in which protobuf writes them, each no more often
// than it does.
bool is_as_protobuf_writes(const Node& node) {
  uint32_t last = 0;
  WireField field;
  for (WireReader reader(node.wire); reader.next(field);) {
    const bool may_repeat = field.number == field::Node::input || field.number == field::Node::output ||
                            field.number == field::Node::attribute || field.number == field::Node::metadata_props;
    if (field.type != WireType::length_delimited || field.number < last || (field.number == last && !may_repeat) ||
        field.number > field::Node::metadata_props)
      return false;
    last = field.number;
  }
  return true;
}

constexpr std::string_view to_name = "to";

// The attribute `to` of a Cast as a field of the node. Returns the place behind what it wrote.
char* write_to(char* out, size_t content_size, int type) {
  out = write_header(out, field::Node::attribute, content_size);
  out = write_field(out, field::Attribute::name, to_name);
  out = write_varint_field(out, onnx::AttributeProto::kIFieldNumber, static_cast<uint64_t>(type));
  return write_varint_field(out, field::Attribute::type, onnx::AttributeProto::INT);
}

// The CastLike, written as protobuf writes, as a Cast to the type. On the wire, since a model may
// have as many of them as it has nodes of its own.
const Node& written_as_cast(const Node& node, int type, Model& model) {
  constexpr std::string_view op_type = "Cast";
  const Operator& before = model.op(node.op);
  const size_t to_size = field_size(field::Attribute::name, to_name.size()) +
                         varint_field_size(onnx::AttributeProto::kIFieldNumber, static_cast<uint64_t>(type)) +
                         varint_field_size(field::Attribute::type, onnx::AttributeProto::INT);
  const size_t size = node.wire.size() - field_size(field::Node::input, model.value_name(node.inputs()[1]).size()) -
                      field_size(field::Node::op_type, before.op_type.size()) +
                      field_size(field::Node::op_type, op_type.size()) + field_size(field::Node::attribute, to_size);
  char* const content = model.new_field(field::Graph::node, size);
  char* out = content;
  size_t inputs = 0;
  bool has_to = false;
  WireField field;
  for (WireReader reader(node.wire); reader.next(field);) {
    if (field.number == field::Node::input && ++inputs == node.inputs().size()) continue;
    if (field.number > field::Node::attribute && !has_to) {
      out = write_to(out, to_size, type);
      has_to = true;
    }
    out =
        field.number == field::Node::op_type ? write_field(out, field.number, op_type) : write_bytes(out, field.whole);
  }
  if (!has_to) write_to(out, to_size, type);

  Node& cast = *new (model.made().allocate(sizeof(Node), alignof(Node))) Node(node);
  const std::span<ValueId> values = model.made().allocate_array<ValueId>(1 + node.outputs().size());
  values[0] = node.inputs()[0];
  std::ranges::copy(node.outputs(), values.begin() + 1);
  cast.op = model.intern_operator({.domain = before.domain, .op_type = op_type, .overload = before.overload});
  cast.wire = {content, size};
  cast.header = static_cast<uint8_t>(header_size(field::Graph::node, size));
  cast.values = values.data();
  cast.input_count = 1;
  cast.has_attributes = true;
  cast.stands_in_graph = true;
  return cast;
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
  return type == 0 ? node : as_cast_to(type, node, model);
}

const Node& as_cast_to(int type, const Node& node, Model& model) {
  if (node.bodies == nullptr && is_as_protobuf_writes(node)) return written_as_cast(node, type, model);
  onnx::NodeProto message = node_message(model, node);
  message.set_op_type("Cast");
  message.mutable_input()->RemoveLast();
  *message.add_attribute() = BodyAttribute("to", type).message();
  return keep_node(model, message, node.opsets);
}

}  // namespace onnx_lower
