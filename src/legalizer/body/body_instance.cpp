// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/body/body_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "legalizer/body/graph_instance.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "model_file/read_model.h"
#include "rules/values/converted_attribute.h"
#include "source_text/characters.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

// The encoded attributes of the node that is being made: those that refer to attributes of the
// call, and those that hold graphs. Its memory serves one node after another.
thread_local std::string attributes;
static_assert(header_size(field::Node::input, 1) == header_size(field::Node::output, 1),
              "inputs and outputs take the same");

// write_as_tensor() for the attributes that bodies hold most, without messages: to make messages of
// all these numbers would take longer than all else about their nodes.
bool write_number_as_tensor(const AttributeProto& attribute, const std::string& name) {
  char number[10];
  char* end = number;
  uint32_t data_field = 0;
  int data_type = 0;
  if (name == "value_float") {
    const float value = attribute.f();
    std::memcpy(number, &value, sizeof(value));
    end += sizeof(value);
    data_field = TensorProto::kFloatDataFieldNumber;
    data_type = TensorProto::FLOAT;
  } else if (name == "value_int") {
    end = write_varint(number, static_cast<uint64_t>(attribute.i()));
    data_field = TensorProto::kInt64DataFieldNumber;
    data_type = TensorProto::INT64;
  } else {
    return false;
  }
  if (is_open(attribute)) return false;
  const Bytes data(number, static_cast<size_t>(end - number));
  constexpr std::string_view value_name = "value";
  const size_t tensor_size = varint_field_size(TensorProto::kDataTypeFieldNumber, static_cast<uint64_t>(data_type)) +
                             header_size(data_field, data.size()) + data.size();
  const size_t size = header_size(field::Attribute::name, value_name.size()) + value_name.size() +
                      header_size(field::Attribute::t, tensor_size) + tensor_size +
                      varint_field_size(field::Attribute::type, AttributeProto::TENSOR);
  char* out = append_room(attributes, field_size(field::Node::attribute, size));
  out = write_header(out, field::Node::attribute, size);
  out = write_field(out, field::Attribute::name, value_name);
  out = write_header(out, field::Attribute::t, tensor_size);
  out = write_varint_field(out, TensorProto::kDataTypeFieldNumber, static_cast<uint64_t>(data_type));
  out = write_field(out, data_field, data);
  write_varint_field(out, field::Attribute::type, AttributeProto::TENSOR);
  return true;
}

void write_reference(const AttributeProto& reference, const AttributeProto& value, bool as_tensor) {
  if (as_tensor && write_number_as_tensor(value, reference.name())) return;
  static thread_local AttributeProto attribute;
  if (!as_tensor || !write_as_tensor(value, reference.name(), attribute)) {
    attribute = value;
    attribute.set_name(reference.name());
    attribute.clear_doc_string();
  }
  append_field(attributes, field::Node::attribute, attribute);
}

// The first part of a name, which is repeated in the names of many made nodes and values.
std::string_view beginning_of(std::string_view name) {
  constexpr size_t longest_prefix = 256;
  if (name.size() <= longest_prefix) return name;
  size_t end = longest_prefix;
  // Ends between two characters of UTF-8.
  while (end > 0 && continues_character(name[end])) --end;
  return name.substr(0, end);
}

}  // namespace

std::string_view name_prefix(const Model& model, const Node& node) {
  if (!node.name.empty()) return beginning_of(node.name);
  for (const ValueId output : node.outputs()) {
    if (output != absent_value) return beginning_of(model.value_name(output));
  }
  return beginning_of(model.op(node.op).op_type);
}

BodyInstance::BodyInstance(const BodyTemplate& body, const Node& node, const AttributeBinding& binding,
                           const Origin& origin, bool constants_refer, FreshNames& names)
    : body_(body),
      model_(body.model()),
      binding_(binding),
      origin_(origin),
      constants_refer_(constants_refer),
      names_(names),
      prefix_(name_prefix(model_, node)),
      slots_(body.slot_count()) {
  const size_t inputs = std::min(node.inputs().size(), body.input_count());
  for (size_t index = 0; index < inputs; ++index) slots_[body.input(index)].value = node.inputs()[index];
  const size_t outputs = std::min(node.outputs().size(), body.output_count());
  for (size_t index = 0; index < outputs; ++index) slots_[body.output(index)].value = node.outputs()[index];
  const bool all_outputs =
      outputs == body.output_count() && std::ranges::find(node.outputs(), absent_value) == node.outputs().end();
  if (!all_outputs) need_outputs([this](size_t index) { return output(index) != absent_value; });
  prefetch_names_of_next();
}

void BodyInstance::need_outputs(const std::function<bool(size_t output)>& is_wanted) {
  needed_here_ = body_.needed_values(is_wanted);
  needed_ = &needed_here_;
}

void BodyInstance::leave_out_unread(const Readers& readers) {
  const auto is_read = [&](size_t index) { return output(index) != absent_value && readers.need(output(index)); };
  for (size_t index = 0; index < body_.output_count(); ++index) {
    if (output(index) != absent_value && !is_read(index)) return need_outputs(is_read);
  }
}

const BodyTemplate::Node* BodyInstance::next(std::optional<Refusal>& refusal) {
  while (next_ < body_.nodes().size()) {
    const size_t index = next_++;
    const BodyTemplate::Node& node = body_.nodes()[index];
    if (needed_ != nullptr && std::ranges::none_of(node.outputs(), [this](Slot slot) { return is_needed(slot); }))
      continue;
    for (const Slot slot : node.required()) {
      if (!body_.is_formal_input(slot) || slots_[slot].value != absent_value) continue;
      refusal = refusal_of(
          fmt::format("input '{}' is absent, and {} needs it", body_.slot_name(slot), model_.op(node.op).op_type));
      return nullptr;
    }
    return &node;
  }
  return nullptr;
}

void BodyInstance::prefetch_names_of_next() {
  if (next_ == body_.nodes().size()) return;
  // A node that makes an output of the function gets a name of its own, see name_of().
  for (const Slot slot : body_.nodes()[next_].outputs()) {
    if (slot != 0 && (slots_[slot].value == absent_value || body_.is_formal(slot)))
      names_.prefetch(prefix_, body_.slot_name(slot));
  }
}

int BodyInstance::input_type(const BodyTemplate::Node& node, size_t input, const GraphScope& scope) const {
  if (input >= node.inputs().size()) return 0;
  const Slot slot = node.inputs()[input];
  if (const int known = body_.constant_type(slot); known != 0) return known;
  if (slots_[slot].element_type == 0)
    slots_[slot].element_type = static_cast<int8_t>(scope.element_type(slots_[slot].value));
  return slots_[slot].element_type;
}

std::optional<BodyTemplate::Signature> BodyInstance::signature(const BodyTemplate::Node& node,
                                                               const GraphScope& scope) const {
  const std::optional<uint64_t> references = reference_types(node);
  if (!references || node.inputs().size() > sizeof(uint64_t)) return std::nullopt;
  BodyTemplate::Signature signature{.reference_types = *references};
  for (size_t input = 0; input < node.inputs().size(); ++input) {
    const int type = input_type(node, input, scope);
    if (type == 0 && input_of(node, input) != absent_value) return std::nullopt;
    signature.input_types |= static_cast<uint64_t>(type) << (8 * input);
  }
  return signature;
}

int BodyInstance::formal_type(size_t index, const GraphScope& scope) const {
  SlotState& input = slots_[body_.input(index)];
  if (input.element_type == 0 && input.value != absent_value)
    input.element_type = static_cast<int8_t>(scope.element_type(input.value));
  return input.element_type;
}

std::optional<uint64_t> BodyInstance::reference_types(const BodyTemplate::Node& node) const {
  const std::span<const AttributeProto> references = node.references();
  if (references.size() > sizeof(uint64_t) || node.makes_type_of_reference()) return std::nullopt;
  uint64_t types = 0;
  for (size_t index = 0; index < references.size(); ++index) {
    const AttributeProto* value = binding_.find(references[index].ref_attr_name());
    if (value == nullptr) continue;
    // What is written for a reference depends on whether the node is attached.
    if (!value->ref_attr_name().empty()) return std::nullopt;
    types |= static_cast<uint64_t>(value->type()) << (8 * index);
  }
  return types;
}

int BodyInstance::cast_type(const BodyTemplate::Node& node, const GraphScope& scope) const {
  if (node.role == OperatorRole::cast_like) return input_type(node, 1, scope);
  for (const AttributeProto& reference : node.references()) {
    const AttributeProto* to = reference.name() == "to" ? binding_.find(reference.ref_attr_name()) : nullptr;
    if (to != nullptr) return static_cast<int>(to->i());
  }
  return node.cast_type;
}

void BodyInstance::substitute(const BodyTemplate::Node& node, std::span<const Substitution> substitutions) {
  for (const Slot slot : node.outputs()) {
    if (substitutions.empty()) return;
    if (slots_[slot].value != substitutions.front().output) continue;
    slots_[slot] = {substitutions.front().value, 0};
    substitutions = substitutions.subspan(1);
  }
}

// The name of the node that is made. One without a name in the body is called after its first
// output; where that output kept the name of the replaced node's output, after the formal output.
std::string_view BodyInstance::name_of(const BodyTemplate::Node& node) {
  const Slot first = node.outputs().empty() ? 0 : node.outputs()[0];
  if (first != 0 && !body_.is_formal(first) && (node.name().empty() || node.name() == body_.slot_name(first)))
    return model_.value_name(slots_[first].value);
  return model_.value_name(names_.make(prefix_, !node.name().empty() ? node.name()
                                                : first == 0         ? "node"
                                                                     : body_.slot_name(first)));
}

// Encodes the attributes that refer to attributes of the call. False with a refusal.
bool BodyInstance::write_references(const BodyTemplate::Node& node, std::string& problem,
                                    std::optional<Refusal>& refusal) {
  for (const AttributeProto& reference : node.references()) {
    const AttributeProto* value = binding_.find(reference.ref_attr_name());
    if (value == nullptr) {
      const OperatorAttribute* declared = node.version == nullptr ? nullptr : node.version->attribute(reference.name());
      if (declared != nullptr && declared->required)
        problem = fmt::format("attribute '{}' is missing, and {} needs it", reference.ref_attr_name(),
                              model_.op(node.op).op_type);
      continue;
    }
    std::optional<AttributeProto> fitting;
    if (reference.type() != AttributeProto::UNDEFINED && reference.type() != value->type()) {
      fitting = converted(*value, reference.type());
      if (!fitting) {
        refusal = refusal_of(fmt::format("attribute '{}' is {}, and {} wants {} for its attribute '{}'",
                                         reference.ref_attr_name(), attribute_type_name(value->type()),
                                         model_.op(node.op).op_type, attribute_type_name(reference.type()),
                                         reference.name()));
        return false;
      }
      value = &*fitting;
    }
    const bool as_tensor = node.role == OperatorRole::constant && !is_open(*value) &&
                           (value->ref_attr_name().empty() || !constants_refer_);
    write_reference(reference, *value, as_tensor);
  }
  return true;
}

bool BodyInstance::holds_graphs(const BodyTemplate::Node& node) const {
  return !node.graphs().empty() || std::ranges::any_of(node.references(), [this](const AttributeProto& reference) {
    const bool may_hold = reference.type() == AttributeProto::UNDEFINED || reference.type() == AttributeProto::GRAPH ||
                          reference.type() == AttributeProto::GRAPHS;
    const AttributeProto* value = may_hold ? binding_.find(reference.ref_attr_name()) : nullptr;
    return value != nullptr && holds_graph(*value);
  });
}

void BodyInstance::write_graphs(const BodyTemplate::Node& node) {
  for (const AttributeProto& graph : node.graphs()) {
    AttributeProto attribute = graph;
    const OuterName outer = [&](const std::string& known) -> std::optional<std::string_view> {
      const Slot slot = body_.find(known);
      if (slot == 0 || (slots_[slot].value == absent_value && !body_.is_formal_input(slot))) return std::nullopt;
      return model_.value_name(slots_[slot].value);
    };
    const FreshName fresh = [&](std::string_view inner) {
      return std::string(model_.value_name(names_.make(prefix_, inner)));
    };
    GraphInstance(outer, binding_, fresh).rename_graphs(attribute);
    append_field(attributes, field::Node::attribute, attribute);
  }
}

// How many inputs the node is written with. Absent inputs at the end are left out, as some runtimes
// take an empty name there for an input; but the schemas of some operators, such as Loop, want them
// all the same.
size_t BodyInstance::input_count(const BodyTemplate::Node& node) const {
  const size_t least = node.version == nullptr ? 0 : static_cast<size_t>(node.version->min_inputs);
  size_t count = std::max(node.inputs().size(), least);
  while (count > least && input_of(node, count - 1) == absent_value) --count;
  return count;
}

// The values that the node reads and then those that it makes, which get their names here where
// they have none.
std::span<ValueId> BodyInstance::values_of(const BodyTemplate::Node& node, size_t input_count) {
  const std::span<ValueId> values = model_.made().allocate_array<ValueId>(input_count + node.outputs().size());
  for (size_t k = 0; k < input_count; ++k) values[k] = input_of(node, k);
  const bool makes_only_needed = functions_ != nullptr && functions_->own(node.op) != nullptr;
  for (size_t k = 0; k < node.outputs().size(); ++k) {
    const Slot slot = node.outputs()[k];
    if (makes_only_needed && !is_needed(slot)) {
      values[input_count + k] = absent_value;
      continue;
    }
    if (slot != 0 && slots_[slot].value == absent_value)
      slots_[slot].value = names_.make(prefix_, body_.slot_name(slot));
    values[input_count + k] = slots_[slot].value;
  }
  return values;
}

const Node* BodyInstance::make(const BodyTemplate::Node& node, std::string& problem, std::optional<Refusal>& refusal) {
  const size_t inputs = input_count(node);
  const std::span<ValueId> values = values_of(node, inputs);
  const std::span<ValueId> outputs = values.subspan(inputs);
  prefetch_names_of_next();

  const std::string_view name = name_of(node);
  attributes.clear();
  if (!write_references(node, problem, refusal)) return nullptr;
  if (!node.graphs().empty()) write_graphs(node);
  const bool has_attributes = node.has_fixed_attributes() || !attributes.empty();
  // Constant is the one operator that needs one of several attributes, which no schema can say.
  if (node.role == OperatorRole::constant && !has_attributes) {
    refusal = refusal_of(node.references().empty() ? std::string("its body has a Constant without a value")
                                                   : fmt::format("attribute '{}' is missing, and Constant needs it",
                                                                 node.references().front().ref_attr_name()));
    return nullptr;
  }
  // A doc_string in the body goes before that of the replaced node.
  const bool makes_wanted = !origin_.doc_string.empty() && !outputs.empty() && origin_.wanted.is_first(outputs[0]);
  size_t size = field_size(field::Node::name, name.size()) + node.head().size() + attributes.size() +
                node.tail().size() + origin_.metadata.size();
  for (const ValueId value : values) size += field_size(field::Node::input, model_.value_name(value).size());
  if (makes_wanted) size += field_size(field::Node::doc_string, origin_.doc_string.size());
  char* const content = model_.new_field(field::Graph::node, size);
  char* out = content;
  for (const ValueId input : values.first(inputs)) out = write_field(out, field::Node::input, model_.value_name(input));
  for (const ValueId output : outputs) out = write_field(out, field::Node::output, model_.value_name(output));
  out = write_field(out, field::Node::name, name);
  out = write_bytes(out, node.head());
  out = write_bytes(out, attributes);
  if (makes_wanted) out = write_field(out, field::Node::doc_string, origin_.doc_string);
  write_bytes(write_bytes(out, node.tail()), origin_.metadata);

  const size_t header = header_size(field::Graph::node, size);
  const Bytes wire(content, size);
  if (holds_graphs(node)) return model_.keep(read_node(model_, wire, header, body_.opsets()));
  Node& made = *new (model_.made().allocate(sizeof(Node), alignof(Node))) Node;
  made.wire = wire;
  made.header = static_cast<uint8_t>(header);
  made.opsets = body_.opsets();
  made.op = node.op;
  made.has_attributes = has_attributes;
  made.name = name;
  made.values = values.data();
  made.input_count = static_cast<uint32_t>(inputs);
  made.output_count = static_cast<uint32_t>(outputs.size());
  made.stands_in_graph = true;
  return &made;
}

}  // namespace onnx_lower
