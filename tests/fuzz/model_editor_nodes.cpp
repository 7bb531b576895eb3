// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The nodes that a model editor inserts.

#include <algorithm>
#include <span>
#include <utility>

#include "fuzz/drawn_values.h"
#include "fuzz/model_editor.h"
#include "rules/rule_library.h"

namespace onnx_lower::fuzz {
namespace {

bool takes_graphs(const onnx::OpSchema& schema) {
  return std::ranges::any_of(schema.attributes(), [](const auto& attribute) {
    return attribute.second.type == onnx::AttributeProto::GRAPH && attribute.second.required;
  });
}

}  // namespace

std::string ModelEditor::new_value(const Body& body, int element_type) {
  std::string name = fresh_name();
  if (body.graph == nullptr || body.function != nullptr || random_.chance(15)) {
    onnx::NodeProto constant;
    constant.set_op_type("Constant");
    constant.add_output(name);
    onnx::AttributeProto& value = *constant.add_attribute();
    value.set_name("value");
    value.set_type(onnx::AttributeProto::TENSOR);
    fill_tensor(*value.mutable_t(), element_type, random_);
    // In front of all others, so that it is there wherever it is read.
    body.nodes->Add(std::move(constant));
    for (int i = body.nodes->size() - 1; i > 0; --i) body.nodes->SwapElements(i, i - 1);
    return name;
  }
  onnx::GraphProto& main = *model_.mutable_graph();
  if (random_.chance(50)) {
    onnx::ValueInfoProto& input = *main.add_input();
    input.set_name(name);
    set_type(*input.mutable_type(), element_type, random_);
    return name;
  }
  fill_tensor(*main.add_initializer(), element_type, random_);
  main.mutable_initializer(main.initializer_size() - 1)->set_name(name);
  if (model_.ir_version() < 4 || random_.chance(10)) {
    onnx::ValueInfoProto& input = *main.add_input();
    input.set_name(name);
    input.mutable_type()->mutable_tensor_type()->set_elem_type(element_type);
    for (const int64_t length : main.initializer(main.initializer_size() - 1).dims())
      input.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(length);
  }
  return name;
}

std::string ModelEditor::value_of_type(const Body& body, const std::vector<Visible>& values, int element_type) {
  std::vector<const std::string*> fitting;
  for (const Visible& value : values) {
    if (value.element_type == element_type || (value.element_type == 0 && random_.chance(20)))
      fitting.push_back(&value.name);
  }
  if (!fitting.empty() && random_.chance(85)) return *random_.pick(fitting);
  return new_value(body, element_type);
}

void ModelEditor::fill_attribute(onnx::AttributeProto& attribute, const onnx::OpSchema::Attribute& declared) {
  attribute = declared.default_value;
  attribute.set_name(declared.name);
  attribute.set_type(declared.type);
  const bool keeps_default = declared.default_value.has_type() && random_.chance(50);
  if (keeps_default) return;
  const auto small = [this] { return static_cast<int64_t>(random_.below(5)) - 1; };
  switch (declared.type) {
    case onnx::AttributeProto::INT:
      attribute.set_i(declared.name == "to" || declared.name == "dtype" ? some_element_type(random_) : small());
      break;
    case onnx::AttributeProto::FLOAT:
      attribute.set_f(static_cast<float>(small()) / 2);
      break;
    case onnx::AttributeProto::INTS:
      attribute.clear_ints();
      for (size_t count = random_.below(4); count > 0; --count) attribute.add_ints(small());
      break;
    case onnx::AttributeProto::FLOATS:
      attribute.clear_floats();
      for (size_t count = random_.below(4); count > 0; --count) attribute.add_floats(static_cast<float>(small()));
      break;
    case onnx::AttributeProto::STRING: {
      constexpr std::string_view words[] = {"constant", "linear", "NOTSET", "SAME_UPPER", "sum",
                                            "forward",  "tanh",   "none",   "ij,jk->ik",  ""};
      if (attribute.s().empty() || random_.chance(30)) attribute.set_s(std::string(random_.pick(words)));
      break;
    }
    case onnx::AttributeProto::STRINGS:
      attribute.clear_strings();
      attribute.add_strings("Tanh");
      break;
    case onnx::AttributeProto::TENSOR:
      fill_tensor(*attribute.mutable_t(), some_element_type(random_), random_);
      break;
    default:
      break;
  }
}

// A graph that hands values of outside on.
void ModelEditor::fill_body(onnx::GraphProto& graph, const std::vector<Visible>& values, size_t inputs,
                            size_t outputs) {
  graph.set_name("body");
  std::vector<std::string> readable;
  for (const Visible& value : values) readable.push_back(value.name);
  for (size_t i = 0; i < inputs; ++i) {
    onnx::ValueInfoProto& input = *graph.add_input();
    input.set_name(fresh_name());
    if (random_.chance(50))
      set_type(*input.mutable_type(),
               i == 0   ? onnx::TensorProto::INT64
               : i == 1 ? onnx::TensorProto::BOOL
                        : onnx::TensorProto::FLOAT,
               random_);
    readable.push_back(input.name());
  }
  for (size_t i = 0; i < outputs; ++i) {
    onnx::NodeProto& node = *graph.add_node();
    if (readable.empty()) {
      node.set_op_type("Constant");
      onnx::AttributeProto& value = *node.add_attribute();
      value.set_name("value");
      value.set_type(onnx::AttributeProto::TENSOR);
      fill_tensor(*value.mutable_t(), onnx::TensorProto::FLOAT, random_);
    } else {
      node.set_op_type("Identity");
      node.add_input(i == 0 && inputs > 1 ? graph.input(1).name() : random_.pick(readable));
    }
    node.add_output(fresh_name());
    graph.add_output()->set_name(node.output(0));
  }
}

bool ModelEditor::fill_standard(onnx::NodeProto& node, const std::vector<Body>& bodies, int index, int place) {
  static const std::vector<std::string> standard = [] {
    std::set<std::string> names;
    for (const onnx::OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
      if (schema.domain().empty()) names.insert(schema.Name());
    }
    return std::vector<std::string>(names.begin(), names.end());
  }();
  const Body& body = bodies[static_cast<size_t>(index)];
  node.set_op_type(random_.pick(standard));
  const onnx::OpSchema* schema = schema_of(node, version_of(body, ""));
  if (schema == nullptr || schema->Deprecated()) return false;
  return fill_by_schema(node, *schema, body, visible(bodies, index, place));
}

bool ModelEditor::fill_by_schema(onnx::NodeProto& node, const onnx::OpSchema& schema, const Body& body,
                                 const std::vector<Visible>& values) {
  const int most = std::min(schema.max_input(), schema.min_input() + 3);
  const int count =
      schema.min_input() + static_cast<int>(random_.below(static_cast<size_t>(most - schema.min_input() + 1)));
  std::map<std::string, int> bound;
  for (int i = 0; i < count; ++i) {
    const auto& formal = schema.inputs()[std::min<size_t>(static_cast<size_t>(i), schema.inputs().size() - 1)];
    if (formal.GetOption() == onnx::OpSchema::Optional && random_.chance(30)) {
      node.add_input("");
      continue;
    }
    int& type = bound[formal.GetTypeStr()];
    if (type == 0) {
      std::vector<int> allowed, at_hand;
      for (const onnx::DataType one : formal.GetTypes()) {
        if (const int element_type = element_type_of(one)) allowed.push_back(element_type);
      }
      for (const Visible& value : values) {
        if (std::ranges::find(allowed, value.element_type) != allowed.end()) at_hand.push_back(value.element_type);
      }
      // sequences and optionals are left to models that have them
      if (allowed.empty()) return false;
      const int common = some_element_type(random_);
      type = !at_hand.empty() && random_.chance(70)                ? random_.pick(at_hand)
             : std::ranges::find(allowed, common) != allowed.end() ? common
                                                                   : random_.pick(allowed);
    }
    node.add_input(value_of_type(body, values, type));
  }
  for (const auto& [name, declared] : schema.attributes()) {
    if (declared.type == onnx::AttributeProto::GRAPH) {
      onnx::AttributeProto& attribute = *node.add_attribute();
      attribute.set_name(name);
      attribute.set_type(onnx::AttributeProto::GRAPH);
      const bool is_branch = node.op_type() == "If";
      fill_body(*attribute.mutable_g(), values,
                is_branch ? 0 : std::max<size_t>(static_cast<size_t>(node.input_size()), 2),
                is_branch ? 1 : std::max<size_t>(static_cast<size_t>(node.input_size()), 2) - 1);
      continue;
    }
    if (!declared.required && !random_.chance(30)) continue;
    // Of the ways to say a constant, one only.
    if (node.op_type() == "Constant" && name != "value") continue;
    fill_attribute(*node.add_attribute(), declared);
  }
  if (node.op_type() == "Constant" && node.attribute_size() == 0)
    fill_attribute(*node.add_attribute(), schema.attributes().at("value"));
  const int outputs =
      std::min(schema.max_output(), std::max(schema.min_output(), 1 + static_cast<int>(random_.below(3))));
  for (int i = 0; i < outputs; ++i) {
    const auto& formal = schema.outputs()[std::min<size_t>(static_cast<size_t>(i), schema.outputs().size() - 1)];
    node.add_output(formal.GetOption() == onnx::OpSchema::Optional && random_.chance(30) ? "" : fresh_name());
  }
  return !takes_graphs(schema) || random_.chance(50);
}

void ModelEditor::fill_by_rule(onnx::NodeProto& node, const Body& body, const std::vector<Visible>& values) {
  static RuleLibrary library;
  const auto& [domain, op_type] = random_.pick(operators_with_rules());
  node.set_domain(domain);
  node.set_op_type(op_type == "*" ? "add" : op_type);
  if (random_.chance(80)) {
    // A rule for a standard operator: a node as the model's opset has it, or one as the newest
    // opset has it that the model's lacks.
    const onnx::OpSchema* schema = schema_of(node, version_of(body, domain));
    if (schema == nullptr) schema = onnx::OpSchemaRegistry::Schema(op_type, domain);
    if (schema != nullptr && fill_by_schema(node, *schema, body, values)) {
      if (!domain.empty()) import(body, domain);
      return;
    }
    node.clear_input();
    node.clear_output();
    node.clear_attribute();
  }
  const std::span<const Form* const> forms = library.forms(domain, op_type);
  const int element_type = some_element_type(random_);
  const auto type_of_input = [&](const std::string& name) {
    for (const std::string_view word : {"axes", "axis", "ind", "shape", "dim", "size", "k", "offset", "len", "pads"}) {
      if (name.find(word) != std::string::npos && random_.chance(80)) return static_cast<int>(onnx::TensorProto::INT64);
    }
    return element_type;
  };
  if (forms.empty()) {  // a native rule: its signature is in its code
    for (size_t count = random_.below(5); count > 0; --count)
      node.add_input(random_.chance(10) ? "" : value_of_type(body, values, element_type));
    for (size_t count = 1 + random_.below(2); count > 0; --count) node.add_output(fresh_name());
  } else {
    const Form& form = *random_.pick(forms);
    for (const std::string& input : form.function.input())
      node.add_input(random_.chance(7) ? "" : value_of_type(body, values, type_of_input(input)));
    for (int i = 0; i < form.function.output_size(); ++i) node.add_output(random_.chance(10) ? "" : fresh_name());
    for (const DeclaredAttribute& declared : form.attributes) {
      if (!declared.required() && !random_.chance(40)) continue;
      constexpr onnx::AttributeProto::AttributeType any[] = {onnx::AttributeProto::FLOAT, onnx::AttributeProto::INT,
                                                             onnx::AttributeProto::INTS};
      const auto type = declared.type == onnx::AttributeProto::UNDEFINED ? random_.pick(any) : declared.type;
      fill_attribute(*node.add_attribute(), onnx::OpSchema::Attribute(declared.name, "", type, true));
    }
  }
  if (!domain.empty()) import(body, domain);
}

bool ModelEditor::fill_call(onnx::NodeProto& node, const Body& body, const std::vector<Visible>& values) {
  if (model_.functions_size() == 0) return false;
  const onnx::FunctionProto& function = random_.pick(model_.functions());
  // most such calls would be cycles
  if (body.function != nullptr && !random_.chance(5)) return false;
  node.set_domain(function.domain());
  node.set_op_type(function.name());
  node.set_overload(function.overload());
  for (int i = 0; i < function.input_size(); ++i)
    node.add_input(random_.chance(5) ? "" : value_of_type(body, values, some_element_type(random_)));
  for (int i = 0; i < function.output_size(); ++i) node.add_output(random_.chance(10) ? "" : fresh_name());
  for (const std::string& name : function.attribute())
    fill_attribute(*node.add_attribute(), onnx::OpSchema::Attribute(name, "", onnx::AttributeProto::FLOAT, true));
  import(body, function.domain());
  return true;
}

void ModelEditor::insert_node() {
  const std::vector<Body> bodies = bodies_of(model_);
  const int index = static_cast<int>(random_.below(bodies.size()));
  const Body& body = bodies[static_cast<size_t>(index)];
  const int place = static_cast<int>(random_.below(static_cast<size_t>(body.nodes->size()) + 1));
  if (version_of(body, "") < 1) return;
  const int size = body.nodes->size();
  onnx::NodeProto node;
  const size_t kind = random_.below(10);
  if (kind < 5) {
    if (!fill_standard(node, bodies, index, place)) return;
  } else if (kind < 9 || !fill_call(node, body, visible(bodies, index, place))) {
    node.Clear();
    fill_by_rule(node, body, visible(bodies, index, place));
  }
  if (random_.chance(50)) node.set_name(fresh_name());
  const int moved = body.nodes->size() - size;  // by constants that were put in front
  body.nodes->Add(std::move(node));
  for (int i = body.nodes->size() - 1; i > place + moved; --i) body.nodes->SwapElements(i, i - 1);
}

}  // namespace onnx_lower::fuzz
