// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/body/body_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "model_file/derivation.h"
#include "model_file/onnx_fields.h"
#include "model_file/tensor_skeleton.h"
#include "rules/body.h"
#include "standard_operators/element_type_source.h"
#include "standard_operators/node_attribute.h"
#include "standard_operators/node_conditions.h"
#include "standard_operators/schema_problem.h"
#include "types/captured_values.h"
#include "types/constants.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;

// Whether the attribute of a Constant is a number.
bool is_number(const AttributeProto& attribute) {
  return attribute.name() == "value_float" || attribute.name() == "value_int";
}

}  // namespace

bool write_as_tensor(const AttributeProto& attribute, const std::string& name, AttributeProto& value) {
  value.Clear();
  if (!fill_constant_tensor(attribute, name, *value.mutable_t())) return false;
  value.set_name("value");
  value.set_type(AttributeProto::TENSOR);
  return true;
}

BodyTemplate::BodyTemplate(Model& model, OperatorFactsTable& facts, const Form& form, OpsetContext opsets)
    : model_(model), opsets_(opsets), slot_names_(1) {
  const onnx::FunctionProto& function = form.function;
  input_count_ = static_cast<size_t>(function.input_size());
  output_count_ = static_cast<size_t>(function.output_size());
  const std::vector<std::pair<std::string, std::string>> copies = add_formal_values(function);
  nodes_.reserve(static_cast<size_t>(function.node_size()) + copies.size());
  for (int index = 0; index < function.node_size(); ++index) {
    const auto position = static_cast<size_t>(index);
    add_node(function.node(index), position < form.node_lines.size() ? form.node_lines[position] : 0, facts);
  }
  for (const auto& [from, to] : copies) {
    add_node(node_of("Identity", {from}, {to}), 0, facts);
    nodes_.back().is_copy = true;
  }
  needed_values_ = needed_values([](size_t) { return true; });
  // Slots are looked up by name later for what subgraphs capture, and for nothing else.
  if (std::ranges::all_of(nodes_, [](const Node& node) { return node.graphs().empty(); })) slots_ = {};
}

// Numbers the formal inputs and outputs. Returns the outputs that need a copy, as pairs of the
// copied name and the copy's: an output that is an input, or the same as another output, is to be a
// value of its own.
std::vector<std::pair<std::string, std::string>> BodyTemplate::add_formal_values(const onnx::FunctionProto& function) {
  std::unordered_set<std::string_view> body_names;
  for (const onnx::NodeProto& node : function.node()) body_names.insert(node.output().begin(), node.output().end());
  for (const std::string& input : function.input()) add_slot(input);
  std::vector<std::pair<std::string, std::string>> copies;
  for (const std::string& output : function.output()) {
    if (!slots_.contains(output)) {
      add_slot(output);
      continue;
    }
    std::string copy = fmt::format("{}_output{}", output, copies.size());
    while (body_names.contains(copy) || slots_.contains(copy)) copy += '_';
    copies.emplace_back(output, copy);
    add_slot(copy);
  }
  return copies;
}

BodyTemplate::Slot BodyTemplate::find(std::string_view name) const {
  const auto found = slots_.find(name);
  return found == slots_.end() ? 0 : found->second;
}

BodyTemplate::Slot BodyTemplate::add_slot(std::string_view name) {
  const auto slot = static_cast<Slot>(slot_names_.size());
  slot_names_.push_back(arena_.copy(name));
  slots_.try_emplace(slot_names_.back(), slot);
  return slot;
}

BodyTemplate::Slot BodyTemplate::slot(std::string_view name) {
  if (name.empty()) return 0;
  const auto found = slots_.find(name);
  return found == slots_.end() ? add_slot(name) : found->second;
}

struct BodyTemplate::Parts {
  std::vector<Slot> values;  // the inputs, then the outputs
  std::vector<Slot> captured;
  std::vector<Slot> required;
  std::string head;
  Node::Rest rest;
};

void BodyTemplate::add_node(const onnx::NodeProto& node, int line, OperatorFactsTable& facts) {
  Node made;
  Parts parts;
  made.line = line;
  made.op = model_.intern_operator({node.domain(), node.op_type(), node.overload()});
  const OperatorFacts& op = facts.of(made.op, opsets_);
  made.role = op.role;
  made.version = op.version;
  if (made.version != nullptr) parts.rest.problem = schema_problem(node, *made.version);
  if (made.role == OperatorRole::cast) made.cast_type = made_type(op, node);
  add_inputs(node, made, parts);
  if (made.version != nullptr && parts.rest.problem.empty()) check_conditions(node, *made.version, parts);
  const size_t inputs = parts.values.size();
  for (const std::string& output : node.output()) parts.values.push_back(slot(output));
  constant_types_.resize(slot_names_.size(), 0);
  made.is_derived =
      made.role == OperatorRole::constant && node.attribute_size() == 1 && is_derived(node.attribute(0).t());
  if (made.role == OperatorRole::constant && node.output_size() > 0)
    constant_types_[parts.values[inputs]] = element_type_of_constant(node.SerializeAsString());
  append_field(parts.head, field::Node::op_type, node.op_type());
  const size_t before_attributes = parts.head.size();
  for (const AttributeProto& attribute : node.attribute()) add_attribute(made, attribute, parts);
  made.has_fixed_attributes_ = parts.head.size() != before_attributes;
  parts.rest.makes_type_of_reference = made.role == OperatorRole::constant
                                           ? !std::ranges::all_of(parts.rest.references, is_number)
                                           : op.first_output.attribute != nullptr && !parts.rest.references.empty();
  if (!parts.rest.graphs.empty()) {
    for (const std::string_view name : captured_values(node)) {
      if (const Slot known = find(name); known != 0) parts.captured.push_back(known);
    }
  }
  made.slots_.inputs = static_cast<uint32_t>(inputs);
  made.slots_.outputs = static_cast<uint32_t>(node.output_size());
  keep_slots(made, parts);
  keep_text(made, node, parts.head);
  if (!parts.rest.references.empty() || !parts.rest.graphs.empty() || parts.rest.has_open_conditions ||
      !parts.rest.problem.empty())
    made.rest_ = rests_.emplace_back(std::make_unique<const Node::Rest>(std::move(parts.rest))).get();
  nodes_.push_back(made);
}

void BodyTemplate::add_inputs(const onnx::NodeProto& node, const Node& made, Parts& parts) {
  std::string& problem = parts.rest.problem;
  for (int index = 0; index < node.input_size(); ++index) {
    if (!node.input(index).empty() && !slots_.contains(node.input(index))) {
      if (lacking_.empty()) lacking_ = node.input(index);
      if (problem.empty()) problem = fmt::format("nothing makes its input '{}'", node.input(index));
    }
    const Slot input = parts.values.emplace_back(slot(node.input(index)));
    const OperatorParameter* parameter = made.version == nullptr ? nullptr : made.version->input(index);
    if (parameter != nullptr && parameter->kind != ParameterKind::optional && is_formal_input(input))
      parts.required.push_back(input);
  }
}

void BodyTemplate::check_conditions(const onnx::NodeProto& node, const OperatorVersion& version, Parts& parts) const {
  const bool has_any = has_conditions(version);
  const bool refers = std::ranges::any_of(node.attribute(), [&](const AttributeProto& attribute) {
    return !attribute.ref_attr_name().empty() && (has_any || has_limits(version, attribute.name()));
  });
  const bool may_lack_inputs = has_any && std::ranges::any_of(node.input(), [&](const std::string& input) {
                                 return !input.empty() && is_formal_input(find(input));
                               });
  if (refers || may_lack_inputs) {
    parts.rest.has_open_conditions = true;
  } else {
    parts.rest.problem = condition_problem(node, version);
  }
}

void BodyTemplate::keep_slots(Node& made, const Parts& parts) {
  const size_t count = parts.values.size() + parts.captured.size() + parts.required.size();
  const std::span<Slot> kept = arena_.allocate_array<Slot>(count);
  auto end = kept.begin();
  for (const std::vector<Slot>* slots : {&parts.values, &parts.captured, &parts.required})
    end = std::ranges::copy(*slots, end).out;
  made.slots_.first = kept.data();
  made.slots_.captured = static_cast<uint32_t>(parts.captured.size());
  made.slots_.required = static_cast<uint32_t>(parts.required.size());
  made.slots_.all = static_cast<uint32_t>(count);
}

std::vector<bool> BodyTemplate::needed_values(const std::function<bool(size_t output)>& is_wanted) const {
  std::vector<bool> needed(slot_count(), false);
  for (size_t index = 0; index < output_count_; ++index) needed[output(index)] = is_wanted(index);
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    if (std::ranges::none_of(node->outputs(), [&](Slot slot) { return needed[slot]; })) continue;
    for (const Slot slot : node->inputs()) needed[slot] = slot != 0;
    for (const Slot slot : node->captured()) needed[slot] = true;
  }
  return needed;
}

void BodyTemplate::keep_text(Node& made, const onnx::NodeProto& node, const std::string& head) {
  std::string tail;
  if (!node.doc_string().empty()) append_field(tail, onnx::NodeProto::kDocStringFieldNumber, node.doc_string());
  if (!node.domain().empty()) append_field(tail, field::Node::domain, node.domain());
  if (!node.overload().empty()) append_field(tail, field::Node::overload, node.overload());
  made.text_.name = static_cast<uint32_t>(node.name().size());
  made.text_.head = static_cast<uint32_t>(head.size());
  made.text_.tail = static_cast<uint32_t>(tail.size());
  char* text = arena_.allocate(node.name().size() + head.size() + tail.size());
  made.text_.begin = text;
  for (const std::string* part : {&node.name(), &head, static_cast<const std::string*>(&tail)})
    text = std::ranges::copy(*part, text).out;
}

void BodyTemplate::add_attribute(const Node& node, const AttributeProto& attribute, Parts& parts) {
  if (!attribute.ref_attr_name().empty()) {
    AttributeProto& reference = parts.rest.references.emplace_back(attribute);
    const OperatorAttribute* declared = node.version == nullptr ? nullptr : node.version->attribute(attribute.name());
    if (declared != nullptr) reference.set_type(static_cast<AttributeProto::AttributeType>(declared->type));
  } else if (holds_graph(attribute)) {
    parts.rest.graphs.push_back(attribute);
  } else {
    AttributeProto tensor;
    const bool as_tensor = node.role == OperatorRole::constant && write_as_tensor(attribute, attribute.name(), tensor);
    append_field(parts.head, field::Node::attribute, (as_tensor ? tensor : attribute).SerializeAsString());
  }
}

}  // namespace onnx_lower
