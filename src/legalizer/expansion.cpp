#include "legalizer/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "legalizer/body_graph.h"
#include "model_file/onnx_fields.h"
#include "model_file/read_model.h"
#include "model_file/tensor_skeleton.h"
#include "rules/converted_attribute.h"
#include "standard_operators/operator_table.h"
#include "types/constants.h"
#include "types/element_type_source.h"
#include "types/known_attribute.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

bool holds_graph(const AttributeProto& attribute) { return attribute.has_g() || attribute.graphs_size() > 0; }

void append_message(std::string& out, uint32_t number, const google::protobuf::MessageLite& message) {
  append_field(out, number, message.SerializeAsString());
}

// Makes a Constant's number or list a tensor, which is how every runtime reads it at every opset: OpenVINO refuses value_float below opset 13.
// False when it is neither.
bool write_as_tensor(const AttributeProto& attribute, const std::string& name, AttributeProto& value) {
  value.Clear();
  if (!fill_constant_tensor(attribute, name, *value.mutable_t())) return false;
  value.set_name("value");
  value.set_type(AttributeProto::TENSOR);
  return true;
}

// The same on the wire for what bodies hold most: to make messages of all these numbers would take longer than the rest of their nodes.
bool write_number_as_tensor(const AttributeProto& attribute, const std::string& name, WireWriter& content) {
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
  if (!is_known(attribute)) return false;
  const Bytes data(number, static_cast<size_t>(end - number));
  constexpr std::string_view value_name = "value";
  const size_t tensor_size = varint_field_size(TensorProto::kDataTypeFieldNumber, static_cast<uint64_t>(data_type)) +
                             header_size(data_field, data.size()) + data.size();
  const size_t size = header_size(field::Attribute::name, value_name.size()) + value_name.size() +
                      header_size(field::Attribute::t, tensor_size) + tensor_size +
                      varint_field_size(field::Attribute::type, AttributeProto::TENSOR);
  content.begin_field(field::Node::attribute, size);
  content.field(field::Attribute::name, value_name);
  content.begin_field(field::Attribute::t, tensor_size);
  content.varint_field(TensorProto::kDataTypeFieldNumber, static_cast<uint64_t>(data_type));
  content.field(data_field, data);
  content.varint_field(field::Attribute::type, AttributeProto::TENSOR);
  return true;
}

void write_metadata(WireWriter& metadata, std::string_view key, std::string_view value) {
  const auto size = [](uint32_t number, std::string_view text) {
    return header_size(number, text.size()) + text.size();
  };
  metadata.begin_field(field::Node::metadata_props,
                       size(field::StringPair::key, key) + size(field::StringPair::value, value));
  metadata.field(field::StringPair::key, key);
  metadata.field(field::StringPair::value, value);
}

}  // namespace

void write_origin_metadata(std::string_view rule, std::string_view node, WireWriter& metadata) {
  metadata.clear();
  write_metadata(metadata, "onnx_lower.rule", rule);
  write_metadata(metadata, "onnx_lower.node", node);
}

std::string_view name_prefix(const Model& model, const Node& node) {
  if (!node.name.empty()) return node.name;
  for (const ValueId output : node.outputs()) {
    if (output != absent_value) return model.value_name(output);
  }
  return model.op(node.op).op_type;
}

BodyTemplate::BodyTemplate(Model& model, const onnx::FunctionProto& function, OpsetContext opsets)
    : model_(model),
      opsets_(opsets),
      function_name_(operator_name(function.domain(), function.name())),
      slot_names_(1),
      input_count_(static_cast<size_t>(function.input_size())),
      output_count_(static_cast<size_t>(function.output_size())),
      imports_(function.opset_import().begin(), function.opset_import().end()) {
  for (const std::string& input : function.input()) {
    slots_.try_emplace(input, static_cast<Slot>(slot_names_.size()));
    slot_names_.push_back(input);
  }
  // An output that is an input, or the same as another output, gets an Identity: a node's outputs are values of their own.
  std::unordered_set<std::string_view> body_names;
  for (const onnx::NodeProto& node : function.node()) body_names.insert(node.output().begin(), node.output().end());
  std::vector<std::pair<std::string, std::string>> copies;
  for (const std::string& output : function.output()) {
    if (slots_.contains(output)) {
      std::string copy = fmt::format("{}_output{}", output, copies.size());
      while (body_names.contains(copy) || slots_.contains(copy)) copy += '_';
      copies.emplace_back(output, copy);
      slots_.try_emplace(copy, static_cast<Slot>(slot_names_.size()));
      slot_names_.push_back(copy);
    } else {
      slots_.try_emplace(output, static_cast<Slot>(slot_names_.size()));
      slot_names_.push_back(output);
    }
  }
  for (const onnx::NodeProto& node : function.node()) add_node(node);
  for (const auto& [from, to] : copies) add_identity(from, to);
}

BodyTemplate::Slot BodyTemplate::slot(const std::string& name) {
  if (name.empty()) return 0;
  const auto [found, inserted] = slots_.try_emplace(name, static_cast<Slot>(slot_names_.size()));
  if (inserted) slot_names_.push_back(name);
  return found->second;
}

void BodyTemplate::add_identity(const std::string& from, const std::string& to) {
  onnx::NodeProto identity;
  identity.set_op_type("Identity");
  identity.add_input(from);
  identity.add_output(to);
  add_node(identity);
}

void BodyTemplate::add_node(const onnx::NodeProto& node) {
  BodyNode body_node;
  const auto imported = std::find_if(imports_.begin(), imports_.end(),
                                     [&](const auto& import) { return import.domain() == node.domain(); });
  const OperatorVersion* schema =
      imported == imports_.end() ? nullptr : find_operator(node.domain(), node.op_type(), imported->version());
  body_node.op =
      model_.intern_operator({model_.keep(node.domain()), model_.keep(node.op_type()), model_.keep(node.overload())});
  body_node.name = node.name();
  body_node.is_constant = node.domain().empty() && node.op_type() == "Constant";
  body_node.casts = node.domain().empty() && (node.op_type() == "Cast" || node.op_type() == "CastLike");
  if (body_node.casts) body_node.cast_type = element_type_that_cast_makes(node);
  for (int index = 0; index < node.input_size(); ++index) {
    body_node.inputs.push_back(slot(node.input(index)));
    const OperatorParameter* parameter = schema == nullptr ? nullptr : schema->input(index);
    if (parameter != nullptr && parameter->kind != ParameterKind::optional)
      body_node.required.push_back(body_node.inputs.back());
  }
  for (const std::string& output : node.output()) body_node.outputs.push_back(slot(output));
  constant_types_.resize(slot_names_.size(), 0);
  if (body_node.is_constant && node.output_size() > 0)
    constant_types_[body_node.outputs[0]] = element_type_of_constant(node.SerializeAsString());
  append_field(body_node.head, field::Node::op_type, node.op_type());
  for (const AttributeProto& attribute : node.attribute()) {
    if (!attribute.ref_attr_name().empty()) {
      body_node.references.push_back(attribute);
      const OperatorAttribute* declared = schema == nullptr ? nullptr : schema->attribute(attribute.name());
      if (declared != nullptr)
        body_node.references.back().set_type(static_cast<AttributeProto::AttributeType>(declared->type));
    } else if (holds_graph(attribute)) {
      body_node.graphs.push_back(attribute);
      for (const std::string& name : captured_names(attribute)) {
        if (slots_.contains(name)) body_node.captured.push_back(slot(name));
      }
    } else {
      const bool as_tensor = body_node.is_constant && write_as_tensor(attribute, attribute.name(), attribute_);
      append_message(body_node.fixed_attributes, field::Node::attribute, as_tensor ? attribute_ : attribute);
    }
  }
  if (!node.doc_string().empty())
    append_field(body_node.tail, onnx::NodeProto::kDocStringFieldNumber, node.doc_string());
  if (!node.domain().empty()) append_field(body_node.tail, field::Node::domain, node.domain());
  if (!node.overload().empty()) append_field(body_node.tail, field::Node::overload, node.overload());
  nodes_.push_back(std::move(body_node));
}

BodyInstance::BodyInstance(const BodyTemplate& body, const Node& node, const AttributeBinding& binding,
                           const Purpose& purpose, FreshNames& names)
    : body_(body),
      model_(body.model_),
      binding_(binding),
      purpose_(purpose),
      names_(names),
      prefix_(name_prefix(model_, node)),
      values_(body.slot_names_.size(), absent_value) {
  const size_t inputs = std::min(node.inputs().size(), body.input_count_);
  std::copy_n(node.inputs().begin(), inputs, values_.begin() + 1);
  const size_t outputs = std::min(node.outputs().size(), body.output_count_);
  std::copy_n(node.outputs().begin(), outputs, values_.begin() + 1 + static_cast<std::ptrdiff_t>(body.input_count_));
  const bool all_outputs = outputs == body.output_count_ && std::find(node.outputs().begin(), node.outputs().end(),
                                                                      absent_value) == node.outputs().end();
  if (!all_outputs) needed_ = needed_nodes();
}

std::vector<bool> BodyInstance::needed_nodes() const {
  std::vector<bool> wanted(values_.size(), false);
  for (Slot slot = 1; slot < values_.size(); ++slot)
    wanted[slot] = body_.is_formal_output(slot) && values_[slot] != absent_value;
  std::vector<bool> needed(body_.nodes_.size(), false);
  for (size_t index = body_.nodes_.size(); index-- > 0;) {
    const BodyNode& node = body_.nodes_[index];
    needed[index] = std::any_of(node.outputs.begin(), node.outputs.end(), [&](Slot slot) { return wanted[slot]; });
    if (!needed[index]) continue;
    for (const Slot slot : node.inputs) wanted[slot] = slot != 0;
    for (const Slot slot : node.captured) wanted[slot] = true;
  }
  return needed;
}

int BodyInstance::element_type(Slot slot) const {
  const int known = body_.constant_types_[slot];
  return known != 0 ? known : purpose_.scope->element_type(values_[slot]);
}

ValueId BodyInstance::uncast(const BodyNode& node) const {
  if (!node.casts || purpose_.scope == nullptr || node.inputs.empty() || node.outputs.size() != 1) return absent_value;
  const ValueId output = values_[node.outputs[0]];
  const auto wanted = purpose_.wanted_outputs;
  if (output != absent_value && std::find(wanted.begin(), wanted.end(), output) != wanted.end()) return absent_value;
  int type = node.cast_type;
  if (type == 0 && node.inputs.size() > 1) type = element_type(node.inputs[1]);
  for (const AttributeProto& reference : node.references) {
    const AttributeProto* to = reference.name() == "to" ? binding_.find(reference.ref_attr_name()) : nullptr;
    if (to != nullptr) type = static_cast<int>(to->i());
  }
  return type != 0 && element_type(node.inputs[0]) == type ? values_[node.inputs[0]] : absent_value;
}

void BodyInstance::rename(ValueId output, ValueId value) {
  for (const Slot slot : body_.nodes_[next_ - 1].outputs) {
    if (values_[slot] == output) values_[slot] = value;
  }
}

const Node* BodyInstance::next(std::optional<Refusal>& refusal) {
  while (next_ < body_.nodes_.size()) {
    const size_t index = next_++;
    if (!needed_.empty() && !needed_[index]) continue;
    const BodyNode& node = body_.nodes_[index];
    for (const Slot slot : node.required) {
      if (slot != 0 && slot <= body_.input_count_ && values_[slot] == absent_value) {
        refusal.emplace();
        refusal->reason =
            fmt::format("input '{}' is absent, and {} needs it", body_.slot_names_[slot], model_.op(node.op).op_type);
        return nullptr;
      }
    }
    if (const ValueId value = uncast(node); value != absent_value) {
      values_[node.outputs[0]] = value;
      continue;
    }
    return make(node, refusal);
  }
  return nullptr;
}

void BodyInstance::write_reference(const AttributeProto& reference, const AttributeProto& value, bool as_tensor) const {
  if (as_tensor && write_number_as_tensor(value, reference.name(), body_.content_)) return;
  AttributeProto& attribute = body_.attribute_;
  if (!as_tensor || !write_as_tensor(value, reference.name(), attribute)) {
    attribute = value;
    attribute.set_name(reference.name());
    attribute.clear_doc_string();
  }
  body_.content_.field(field::Node::attribute, attribute);
}

const Node* BodyInstance::make(const BodyNode& node, std::optional<Refusal>& refusal) {
  // Absent inputs at the end are left out: some runtimes take an empty name there for an input.
  size_t input_count = node.inputs.size();
  while (input_count > 0 && values_[node.inputs[input_count - 1]] == absent_value) --input_count;
  const std::span<ValueId> values = model_.new_ids(input_count + node.outputs.size());
  const std::span<ValueId> inputs = values.first(input_count);
  const std::span<ValueId> outputs = values.subspan(input_count);
  for (size_t k = 0; k < inputs.size(); ++k) inputs[k] = values_[node.inputs[k]];
  for (size_t k = 0; k < outputs.size(); ++k) {
    const Slot slot = node.outputs[k];
    if (slot != 0 && values_[slot] == absent_value) values_[slot] = names_.make(prefix_, body_.slot_names_[slot]);
    outputs[k] = values_[slot];
  }

  WireWriter& content = body_.content_;
  content.clear();
  for (const ValueId input : inputs) content.field(field::Node::input, model_.value_name(input));
  for (const ValueId output : outputs) content.field(field::Node::output, model_.value_name(output));
  // A node without a name of its own is called after its first output; where that kept the replaced node's name, after the formal output.
  std::string_view name;
  const Slot first = node.outputs.empty() ? 0 : node.outputs[0];
  if (first > body_.input_count_ + body_.output_count_ &&
      (node.name.empty() || node.name == body_.slot_names_[first])) {
    name = model_.value_name(values_[first]);
  } else {
    name = model_.value_name(names_.make(prefix_, !node.name.empty() ? node.name
                                                  : first == 0       ? "node"
                                                                     : body_.slot_names_[first]));
  }
  content.field(field::Node::name, name);
  content.append(node.head);
  const size_t attributes_begin = content.size();
  content.append(node.fixed_attributes);
  bool has_graphs = !node.graphs.empty();
  for (const AttributeProto& reference : node.references) {
    const AttributeProto* value = binding_.find(reference.ref_attr_name());
    if (value == nullptr) continue;
    has_graphs |= holds_graph(*value);
    std::optional<AttributeProto> fitting;
    if (reference.type() != AttributeProto::UNDEFINED && reference.type() != value->type()) {
      fitting = converted(*value, reference.type());
      if (!fitting) {
        refusal.emplace();
        refusal->reason =
            fmt::format("attribute '{}' is {}, and {} wants {} for its attribute '{}'", reference.ref_attr_name(),
                        attribute_type_name(value->type()), model_.op(node.op).op_type,
                        attribute_type_name(reference.type()), reference.name());
        return nullptr;
      }
      value = &*fitting;
    }
    write_reference(reference, *value,
                    node.is_constant && (value->ref_attr_name().empty() || !purpose_.constants_refer));
  }
  for (const AttributeProto& graph : node.graphs) {
    AttributeProto attribute = graph;
    const OuterNames outer = [&](const std::string& known) -> std::optional<std::string_view> {
      const auto found = body_.slots_.find(known);
      if (found == body_.slots_.end() || (values_[found->second] == absent_value && found->second > body_.input_count_))
        return std::nullopt;
      return model_.value_name(values_[found->second]);
    };
    instantiate_graphs(attribute, outer, binding_, [&](std::string_view inner) {
      return std::string(model_.value_name(names_.make(prefix_, inner)));
    });
    content.field(field::Node::attribute, attribute);
  }
  const bool has_attributes = content.size() != attributes_begin;
  // The one operator that needs one of several attributes, so that no schema says which.
  if (node.is_constant && !has_attributes) {
    refusal.emplace();
    refusal->reason = node.references.empty() ? std::string("its body has a Constant without a value")
                                              : fmt::format("attribute '{}' is missing, and Constant needs it",
                                                            node.references.front().ref_attr_name());
    return nullptr;
  }
  content.append(node.tail);
  content.append(purpose_.metadata);

  const size_t header = header_size(field::Graph::node, content.size());
  const Bytes wire = model_.keep_field(field::Graph::node, content.written());
  if (has_graphs) {
    return model_.keep(read_node(model_, wire, header, body_.opsets_));
  }
  Node made;
  made.wire = wire;
  made.header = static_cast<uint8_t>(header);
  made.opsets = body_.opsets_;
  made.op = node.op;
  made.has_attributes = has_attributes;
  made.name = name;
  made.values = values.data();
  made.input_count = static_cast<uint32_t>(inputs.size());
  made.output_count = static_cast<uint32_t>(outputs.size());
  made.stands_in_graph = true;
  return model_.keep(made);
}

}  // namespace onnx_lower
