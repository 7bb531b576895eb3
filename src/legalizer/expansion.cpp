#include "legalizer/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "legalizer/body_graph.h"
#include "model_file/onnx_fields.h"
#include "model_file/read_model.h"
#include "standard_operators/operator_table.h"
#include "types/constants.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;

bool holds_graph(const AttributeProto& attribute) { return attribute.has_g() || attribute.graphs_size() > 0; }

void append_message(std::string& out, uint32_t number, const google::protobuf::MessageLite& message) {
  append_field(out, number, message.SerializeAsString());
}

// A Constant's number or list as a tensor, which is how every runtime reads it at every opset: OpenVINO refuses value_float below opset 13.
AttributeProto as_tensor_value(const AttributeProto& attribute) {
  onnx::NodeProto constant;
  constant.set_op_type("Constant");
  *constant.add_attribute() = attribute;
  std::optional<onnx::TensorProto> tensor = tensor_of_constant_node(constant);
  if (!tensor) return attribute;
  AttributeProto value;
  value.set_name("value");
  value.set_type(AttributeProto::TENSOR);
  *value.mutable_t() = std::move(*tensor);
  return value;
}

void append_metadata(std::string& out, std::string_view key, std::string_view value) {
  std::string entry;
  append_field(entry, field::StringPair::key, key);
  append_field(entry, field::StringPair::value, value);
  append_field(out, field::Node::metadata_props, entry);
}

}  // namespace

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
      append_message(body_node.fixed_attributes, field::Node::attribute,
                     body_node.is_constant ? as_tensor_value(attribute) : attribute);
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

std::optional<Refusal> BodyTemplate::instantiate(const Node& node, const AttributeBinding& binding,
                                                 const Origin& origin, FreshNames& names,
                                                 std::vector<Node>& nodes) const {
  std::vector<ValueId> values(slot_names_.size(), absent_value);
  for (size_t index = 0; index < node.inputs.size() && index < input_count_; ++index)
    values[1 + index] = node.inputs[index];
  bool all_outputs = node.outputs.size() == output_count_;
  for (size_t index = 0; index < node.outputs.size() && index < output_count_; ++index) {
    values[1 + input_count_ + index] = node.outputs[index];
    all_outputs &= node.outputs[index] != absent_value;
  }
  const std::vector<bool> needed = all_outputs ? std::vector<bool>() : needed_nodes(values);

  std::string_view prefix = node.name;
  for (size_t index = 0; prefix.empty() && index < node.outputs.size(); ++index)
    prefix = model_.value_name(node.outputs[index]);
  if (prefix.empty()) prefix = model_.op(node.op).op_type;

  std::string content;
  std::string field_bytes;
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
    for (const ValueId input : inputs) append_field(content, field::Node::input, model_.value_name(input));
    for (const ValueId output : outputs) append_field(content, field::Node::output, model_.value_name(output));
    // A node is called after its first output; where that kept the replaced node's name, after the formal output.
    std::string_view name;
    const Slot first = body_node.outputs.empty() ? 0 : body_node.outputs[0];
    if (first > input_count_ + output_count_) {
      name = model_.value_name(values[first]);
    } else {
      name = model_.value_name(names.make(prefix, !body_node.name.empty() ? body_node.name
                                                  : first == 0            ? "node"
                                                                          : slot_names_[first]));
    }
    append_field(content, field::Node::name, name);
    content += body_node.head;
    content += body_node.fixed_attributes;
    bool has_graphs = !body_node.graphs.empty();
    for (const AttributeProto& reference : body_node.references) {
      const AttributeProto* value = binding.find(reference.ref_attr_name());
      if (value == nullptr) continue;
      has_graphs |= holds_graph(*value);
      AttributeProto attribute = *value;
      if (reference.type() != AttributeProto::UNDEFINED && reference.type() != value->type()) {
        std::optional<AttributeProto> fitting = converted(*value, reference.type());
        if (!fitting) {
          Refusal refusal;
          refusal.reason =
              fmt::format("attribute '{}' is {}, and {} wants {} for its attribute '{}'", reference.ref_attr_name(),
                          attribute_type_name(value->type()), model_.op(body_node.op).op_type,
                          attribute_type_name(reference.type()), reference.name());
          return refusal;
        }
        attribute = std::move(*fitting);
      }
      attribute.set_name(reference.name());
      attribute.clear_doc_string();
      append_message(content, field::Node::attribute, body_node.is_constant ? as_tensor_value(attribute) : attribute);
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
      append_message(content, field::Node::attribute, attribute);
    }
    content += body_node.tail;
    if (!origin.rule.empty()) {
      append_metadata(content, "onnx_lower.rule", origin.rule);
      append_metadata(content, "onnx_lower.node", origin.node);
    }

    field_bytes.clear();
    append_field(field_bytes, field::Graph::node, content);
    const Bytes kept = model_.keep(field_bytes);
    const size_t header = kept.size() - content.size();
    const Bytes wire = kept.substr(header);
    if (has_graphs) {
      nodes.push_back(read_node(model_, wire, header, opsets_));
      continue;
    }
    Node made;
    made.wire = wire;
    made.header = static_cast<uint8_t>(header);
    made.opsets = opsets_;
    made.op = body_node.op;
    made.name = name;
    made.inputs = inputs;
    made.outputs = outputs;
    nodes.push_back(std::move(made));
  }
  return std::nullopt;
}

}  // namespace onnx_lower
