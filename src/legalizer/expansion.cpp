#include "legalizer/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "legalizer/body_graph.h"
#include "model_file/onnx_fields.h"
#include "model_file/read_model.h"
#include "rules/converted_attribute.h"
#include "standard_operators/operator_table.h"
#include "types/constants.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;

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

void append_metadata(std::string& out, std::string_view key, std::string_view value) {
  std::string entry;
  append_field(entry, field::StringPair::key, key);
  append_field(entry, field::StringPair::value, value);
  append_field(out, field::Node::metadata_props, entry);
}

}  // namespace

std::string origin_metadata(std::string_view rule, std::string_view node) {
  std::string fields;
  append_metadata(fields, "onnx_lower.rule", rule);
  append_metadata(fields, "onnx_lower.node", node);
  return fields;
}

std::string_view name_prefix(const Model& model, const Node& node) {
  if (!node.name.empty()) return node.name;
  for (const ValueId output : node.outputs) {
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
  for (int index = 0; index < node.input_size(); ++index) {
    body_node.inputs.push_back(slot(node.input(index)));
    const OperatorParameter* parameter = schema == nullptr ? nullptr : schema->input(index);
    if (parameter != nullptr && parameter->kind != ParameterKind::optional)
      body_node.required.push_back(body_node.inputs.back());
  }
  for (const std::string& output : node.output()) body_node.outputs.push_back(slot(output));
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

std::vector<bool> BodyTemplate::needed_nodes(const std::vector<ValueId>& values) const {
  std::vector<bool> wanted(slot_names_.size(), false);
  for (size_t slot = 1; slot < slot_names_.size(); ++slot) {
    const bool is_output = slot > input_count_ && slot <= input_count_ + output_count_;
    wanted[slot] = is_output && values[slot] != absent_value;
  }
  std::vector<bool> needed(nodes_.size(), false);
  for (size_t index = nodes_.size(); index-- > 0;) {
    const BodyNode& node = nodes_[index];
    needed[index] = std::any_of(node.outputs.begin(), node.outputs.end(), [&](Slot slot) { return wanted[slot]; });
    if (!needed[index]) continue;
    for (const Slot slot : node.inputs) wanted[slot] = slot != 0;
    for (const Slot slot : node.captured) wanted[slot] = true;
  }
  return needed;
}

void BodyTemplate::write_reference(const AttributeProto& reference, const AttributeProto& value, bool as_tensor) const {
  if (!as_tensor || !write_as_tensor(value, reference.name(), attribute_)) {
    attribute_ = value;
    attribute_.set_name(reference.name());
    attribute_.clear_doc_string();
  }
  content_.field(field::Node::attribute, attribute_);
}

std::optional<Refusal> BodyTemplate::instantiate(const Node& node, const AttributeBinding& binding,
                                                 const Origin& origin, FreshNames& names,
                                                 std::vector<Node>& nodes) const {
  std::vector<ValueId>& values = values_;
  values.assign(slot_names_.size(), absent_value);
  for (size_t index = 0; index < node.inputs.size() && index < input_count_; ++index)
    values[1 + index] = node.inputs[index];
  bool all_outputs = node.outputs.size() == output_count_;
  for (size_t index = 0; index < node.outputs.size() && index < output_count_; ++index) {
    values[1 + input_count_ + index] = node.outputs[index];
    all_outputs &= node.outputs[index] != absent_value;
  }
  const std::vector<bool> needed = all_outputs ? std::vector<bool>() : needed_nodes(values);

  const std::string_view prefix = name_prefix(model_, node);

  WireWriter& content = content_;
  nodes.reserve(nodes_.size());
  for (size_t index = 0; index < nodes_.size(); ++index) {
    if (!needed.empty() && !needed[index]) continue;
    const BodyNode& body_node = nodes_[index];
    for (const Slot slot : body_node.required) {
      if (slot != 0 && slot <= input_count_ && values[slot] == absent_value) {
        Refusal refusal;
        refusal.reason =
            fmt::format("input '{}' is absent, and {} needs it", slot_names_[slot], model_.op(body_node.op).op_type);
        return refusal;
      }
    }
    // Absent inputs at the end are left out: some runtimes take an empty name there for an input.
    size_t input_count = body_node.inputs.size();
    while (input_count > 0 && values[body_node.inputs[input_count - 1]] == absent_value) --input_count;
    const std::span<ValueId> inputs = model_.new_ids(input_count);
    const std::span<ValueId> outputs = model_.new_ids(body_node.outputs.size());
    for (size_t k = 0; k < inputs.size(); ++k) inputs[k] = values[body_node.inputs[k]];
    for (size_t k = 0; k < outputs.size(); ++k) {
      const Slot slot = body_node.outputs[k];
      if (slot != 0 && values[slot] == absent_value) values[slot] = names.make(prefix, slot_names_[slot]);
      outputs[k] = values[slot];
    }

    content.clear();
    for (const ValueId input : inputs) content.field(field::Node::input, model_.value_name(input));
    for (const ValueId output : outputs) content.field(field::Node::output, model_.value_name(output));
    // A node without a name of its own is called after its first output; where that kept the replaced node's name, after the formal output.
    std::string_view name;
    const Slot first = body_node.outputs.empty() ? 0 : body_node.outputs[0];
    if (first > input_count_ + output_count_ && (body_node.name.empty() || body_node.name == slot_names_[first])) {
      name = model_.value_name(values[first]);
    } else {
      name = model_.value_name(names.make(prefix, !body_node.name.empty() ? body_node.name
                                                  : first == 0            ? "node"
                                                                          : slot_names_[first]));
    }
    content.field(field::Node::name, name);
    content.append(body_node.head);
    const size_t attributes_begin = content.size();
    content.append(body_node.fixed_attributes);
    bool has_graphs = !body_node.graphs.empty();
    for (const AttributeProto& reference : body_node.references) {
      const AttributeProto* value = binding.find(reference.ref_attr_name());
      if (value == nullptr) continue;
      has_graphs |= holds_graph(*value);
      std::optional<AttributeProto> fitting;
      if (reference.type() != AttributeProto::UNDEFINED && reference.type() != value->type()) {
        fitting = converted(*value, reference.type());
        if (!fitting) {
          Refusal refusal;
          refusal.reason =
              fmt::format("attribute '{}' is {}, and {} wants {} for its attribute '{}'", reference.ref_attr_name(),
                          attribute_type_name(value->type()), model_.op(body_node.op).op_type,
                          attribute_type_name(reference.type()), reference.name());
          return refusal;
        }
        value = &*fitting;
      }
      write_reference(reference, *value,
                      body_node.is_constant && (value->ref_attr_name().empty() || !origin.constants_refer));
    }
    for (const AttributeProto& graph : body_node.graphs) {
      AttributeProto attribute = graph;
      const OuterNames outer = [&](const std::string& known) -> std::optional<std::string_view> {
        const auto found = slots_.find(known);
        if (found == slots_.end() || (values[found->second] == absent_value && found->second > input_count_))
          return std::nullopt;
        return model_.value_name(values[found->second]);
      };
      instantiate_graphs(attribute, outer, binding, [&](std::string_view inner) {
        return std::string(model_.value_name(names.make(prefix, inner)));
      });
      content.field(field::Node::attribute, attribute);
    }
    const bool has_attributes = content.size() != attributes_begin;
    // The one operator that needs one of several attributes, so that no schema says which.
    if (body_node.is_constant && !has_attributes) {
      Refusal refusal;
      refusal.reason = body_node.references.empty() ? std::string("its body has a Constant without a value")
                                                    : fmt::format("attribute '{}' is missing, and Constant needs it",
                                                                  body_node.references.front().ref_attr_name());
      return refusal;
    }
    content.append(body_node.tail);
    content.append(origin.metadata);

    const size_t header = header_size(field::Graph::node, content.size());
    const Bytes wire = model_.keep_field(field::Graph::node, content.written());
    if (has_graphs) {
      nodes.push_back(read_node(model_, wire, header, opsets_));
      continue;
    }
    Node made;
    made.wire = wire;
    made.header = static_cast<uint8_t>(header);
    made.opsets = opsets_;
    made.op = body_node.op;
    made.has_attributes = has_attributes;
    made.name = name;
    made.inputs = inputs;
    made.outputs = outputs;
    nodes.push_back(std::move(made));
  }
  return std::nullopt;
}

}  // namespace onnx_lower
