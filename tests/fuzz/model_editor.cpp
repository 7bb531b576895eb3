// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/model_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "fuzz/lowering_oracle.h"
#include "onnx/defs/data_type_utils.h"
#include "rules/rule_library.h"

namespace onnx_lower::fuzz {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

void add_bodies(std::vector<Body>& bodies, int index) {
  Nodes& nodes = *bodies[static_cast<size_t>(index)].nodes;
  onnx::FunctionProto* const function = bodies[static_cast<size_t>(index)].function;
  for (int place = 0; place < nodes.size(); ++place) {
    for (onnx::AttributeProto& attribute : *nodes[place].mutable_attribute()) {
      const auto add = [&](onnx::GraphProto& graph) {
        bodies.push_back({graph.mutable_node(), &graph, function, index, place});
        add_bodies(bodies, static_cast<int>(bodies.size()) - 1);
      };
      if (attribute.has_g()) add(*attribute.mutable_g());
      for (onnx::GraphProto& graph : *attribute.mutable_graphs()) add(graph);
    }
  }
}

// Every value that the nodes read, those inside of them included.
void add_reads(const Nodes& nodes, std::set<std::string>& reads) {
  for (const onnx::NodeProto& node : nodes) {
    reads.insert(node.input().begin(), node.input().end());
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) {
        add_reads(attribute.g().node(), reads);
        for (const onnx::ValueInfoProto& output : attribute.g().output()) reads.insert(output.name());
      }
      for (const onnx::GraphProto& graph : attribute.graphs()) add_reads(graph.node(), reads);
    }
  }
}

bool has_reference(const onnx::NodeProto& node) {
  return std::ranges::any_of(node.attribute(), [](const onnx::AttributeProto& attribute) {
    return !attribute.ref_attr_name().empty() ||
           (attribute.has_g() && std::ranges::any_of(attribute.g().node(), has_reference));
  });
}

}  // namespace

int element_type_of(onnx::DataType type) {
  const onnx::TypeProto& proto = onnx::Utils::DataTypeUtils::ToTypeProto(type);
  return proto.has_tensor_type() ? proto.tensor_type().elem_type() : 0;
}

const onnx::OpSchema* schema_of(const onnx::NodeProto& node, int64_t version) {
  return onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(version),
                                        node.domain() == "ai.onnx" ? "" : node.domain());
}

std::vector<Body> bodies_of(onnx::ModelProto& model) {
  std::vector<Body> bodies;
  bodies.push_back({model.mutable_graph()->mutable_node(), model.mutable_graph()});
  add_bodies(bodies, 0);
  for (onnx::FunctionProto& function : *model.mutable_functions()) {
    bodies.push_back({function.mutable_node(), nullptr, &function});
    add_bodies(bodies, static_cast<int>(bodies.size()) - 1);
  }
  return bodies;
}

const std::set<std::string>& ModelEditor::names() {
  if (!names_.empty()) return names_;
  names_.insert("");
  for (const Body& body : bodies_of(model_)) {
    for (const onnx::NodeProto& node : *body.nodes) {
      names_.insert(node.input().begin(), node.input().end());
      names_.insert(node.output().begin(), node.output().end());
    }
    if (body.graph != nullptr) {
      for (const auto& value : body.graph->input()) names_.insert(value.name());
      for (const auto& value : body.graph->output()) names_.insert(value.name());
      for (const auto& tensor : body.graph->initializer()) names_.insert(tensor.name());
      for (const auto& tensor : body.graph->sparse_initializer()) names_.insert(tensor.values().name());
    } else {
      names_.insert(body.function->input().begin(), body.function->input().end());
      names_.insert(body.function->name());
      names_.insert(body.function->attribute().begin(), body.function->attribute().end());
    }
  }
  return names_;
}

std::string ModelEditor::fresh_name() {
  constexpr std::string_view bases[] = {"x",   "y",        "t",   "low", "tx", "n/low",  "n/t",  "y_0",
                                        "t_1", "\xc3\xa4", "a b", "0",   "::", "node:n", "axes", "k"};
  const std::string_view base = random_.pick(bases);
  std::string name(base);
  for (int number = 1; names().contains(name); ++number) name = fmt::format("{}_{}", base, number);
  names_.insert(name);
  return name;
}

const std::vector<std::pair<std::string, std::string>>& ModelEditor::operators_with_rules() {
  static const std::vector<std::pair<std::string, std::string>> operators = [] {
    // Once each, also those that have several rules.
    std::set<std::pair<std::string, std::string>> result;
    for (const RuleSummary& rule : RuleLibrary().list())
      result.emplace(rule.domain == "ai.onnx" ? "" : rule.domain, rule.op_type);
    return std::vector(result.begin(), result.end());
  }();
  return operators;
}

int64_t ModelEditor::version_of(const Body& body, const std::string& domain) const {
  const auto find = [&domain](const auto& imports) {
    int64_t version = 0;
    for (const onnx::OperatorSetIdProto& entry : imports) {
      if (entry.domain() == domain || (domain.empty() && entry.domain() == "ai.onnx")) version = entry.version();
    }
    return version;
  };
  return body.function != nullptr ? find(body.function->opset_import()) : find(model_.opset_import());
}

void ModelEditor::import(const Body& body, const std::string& domain, int64_t version) {
  if (version_of(body, domain) != 0) return;
  onnx::OperatorSetIdProto& added =
      body.function != nullptr ? *body.function->add_opset_import() : *model_.add_opset_import();
  added.set_domain(domain);
  added.set_version(version);
}

// What the node at `place` of a body may read, with the types that declarations and schemas tell.
std::vector<ModelEditor::Visible> ModelEditor::visible(const std::vector<Body>& bodies, int index, int place) {
  const Body& body = bodies[static_cast<size_t>(index)];
  std::vector<Visible> values;
  if (body.outer >= 0) values = visible(bodies, body.outer, body.place);
  std::map<std::string, int> types;
  for (const Visible& value : values) types[value.name] = value.element_type;
  const auto add = [&](const std::string& name, int element_type) {
    if (name.empty()) return;
    types[name] = element_type;
    values.push_back({name, element_type});
  };
  if (body.graph != nullptr) {
    for (const auto& tensor : body.graph->initializer()) add(tensor.name(), tensor.data_type());
    for (const auto& input : body.graph->input()) add(input.name(), input.type().tensor_type().elem_type());
  } else {
    for (const std::string& input : body.function->input()) add(input, 0);
  }
  for (int i = 0; i < std::min(place, body.nodes->size()); ++i) {
    const onnx::NodeProto& node = (*body.nodes)[i];
    const onnx::OpSchema* schema = schema_of(node, version_of(body, node.domain()));
    std::map<std::string, int> bound;  // type parameters of the schema
    if (schema != nullptr) {
      for (int k = 0; k < node.input_size() && !schema->inputs().empty(); ++k) {
        const auto& formal = schema->inputs()[std::min<size_t>(static_cast<size_t>(k), schema->inputs().size() - 1)];
        if (const auto known = types.find(node.input(k)); known != types.end())
          bound[formal.GetTypeStr()] = known->second;
      }
    }
    for (int k = 0; k < node.output_size(); ++k) {
      int type = 0;
      if (schema != nullptr && !schema->outputs().empty()) {
        const auto& formal = schema->outputs()[std::min<size_t>(static_cast<size_t>(k), schema->outputs().size() - 1)];
        if (formal.GetTypes().size() == 1) type = element_type_of(*formal.GetTypes().begin());
        if (const auto known = bound.find(formal.GetTypeStr()); known != bound.end()) type = known->second;
        if (node.op_type() == "Cast" && node.attribute_size() == 1) type = static_cast<int>(node.attribute(0).i());
        if (node.op_type() == "Constant" && node.attribute_size() == 1) type = node.attribute(0).t().data_type();
      }
      add(node.output(k), type);
    }
  }
  return values;
}

// Nodes that read nothing of each other's insides but what the call can hand in and out.
bool ModelEditor::choose_part(const Body& body, Part& part) {
  if (body.nodes->empty()) return false;
  const auto size = static_cast<size_t>(body.nodes->size());
  const size_t begin = random_.below(size);
  part.begin = static_cast<int>(begin);
  part.end = static_cast<int>(begin + 1 + random_.below(std::min<size_t>(size - begin, 4)));
  std::set<std::string> inner, made, outer;
  Nodes chosen, others;
  for (int i = 0; i < body.nodes->size(); ++i) {
    const onnx::NodeProto& node = (*body.nodes)[i];
    const bool is_inside = part.begin <= i && i < part.end;
    *(is_inside ? chosen : others).Add() = node;
    if (is_inside) made.insert(node.output().begin(), node.output().end());
  }
  add_reads(chosen, inner);
  add_reads(others, outer);
  if (body.graph != nullptr) {
    for (const auto& output : body.graph->output()) outer.insert(output.name());
  } else {
    outer.insert(body.function->output().begin(), body.function->output().end());
  }
  // What graphs inside make is no value of this body.
  std::set<std::string> made_inside;
  for (const onnx::NodeProto& node : chosen) {
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      for (const onnx::NodeProto& one : attribute.g().node())
        made_inside.insert(one.output().begin(), one.output().end());
      for (const auto& input : attribute.g().input()) made_inside.insert(input.name());
      for (const auto& tensor : attribute.g().initializer()) made_inside.insert(tensor.name());
    }
  }
  for (const std::string& name : inner) {
    if (!name.empty() && !made.contains(name) && !made_inside.contains(name)) part.reads.push_back(name);
  }
  for (const std::string& name : made) {
    if (!name.empty() && (outer.contains(name) || random_.chance(10))) part.gives.push_back(name);
  }
  return !part.gives.empty();
}

void ModelEditor::move_into_function() {
  const std::vector<Body> bodies = bodies_of(model_);
  const Body body = random_.pick(bodies);
  Part part;
  if (!choose_part(body, part)) return;
  onnx::FunctionProto function;
  constexpr std::string_view domains[] = {"local", "local", "pkg.onnxscript.torch_lib", "custom"};
  function.set_domain(std::string(random_.pick(domains)));
  function.set_name(fresh_name());
  if (model_.ir_version() >= 10 && random_.chance(20)) function.set_overload("one");
  *function.mutable_opset_import() = body.function != nullptr ? body.function->opset_import() : model_.opset_import();
  for (const std::string& name : part.reads) function.add_input(name);
  for (const std::string& name : part.gives) function.add_output(name);
  for (int i = part.begin; i < part.end; ++i) {
    if (has_reference((*body.nodes)[i])) return;
    *function.add_node() = (*body.nodes)[i];
  }
  onnx::NodeProto call;
  call.set_domain(function.domain());
  call.set_op_type(function.name());
  call.set_overload(function.overload());
  for (const std::string& name : part.reads) call.add_input(name);
  for (const std::string& name : part.gives) call.add_output(name);
  body.nodes->DeleteSubrange(part.begin, part.end - part.begin);
  *body.nodes->Add() = std::move(call);
  for (int i = body.nodes->size() - 1; i > part.begin; --i) body.nodes->SwapElements(i, i - 1);
  import(body, function.domain());
  *model_.add_functions() = std::move(function);
  model_.set_ir_version(std::max<int64_t>(model_.ir_version(), 8));
}

void ModelEditor::move_into_branch() {
  const std::vector<Body> bodies = bodies_of(model_);
  const Body body = random_.pick(bodies);
  Part part;
  if (version_of(body, "") < 1 || !choose_part(body, part)) return;
  onnx::NodeProto node;
  node.set_op_type("If");
  onnx::GraphProto branches[2];
  for (onnx::GraphProto& branch : branches) {
    branch.set_name("branch");
    std::map<std::string, std::string> renamed;
    for (int i = part.begin; i < part.end; ++i) {
      onnx::NodeProto& inner = *branch.add_node();
      inner = (*body.nodes)[i];
      for (const onnx::AttributeProto& attribute : inner.attribute()) {
        if (attribute.has_g()) return;  // whose names would have to be new, too
      }
      for (std::string& input : *inner.mutable_input()) {
        if (renamed.contains(input)) input = renamed[input];
      }
      for (std::string& output : *inner.mutable_output()) {
        if (!output.empty()) output = renamed[output] = fresh_name();
      }
    }
    for (const std::string& name : part.gives) branch.add_output()->set_name(renamed[name]);
  }
  for (const std::string& name : part.gives) node.add_output(name);
  for (const auto& [name, branch] : {std::pair("then_branch", &branches[0]), std::pair("else_branch", &branches[1])}) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    *attribute.mutable_g() = *branch;
  }
  body.nodes->DeleteSubrange(part.begin, part.end - part.begin);
  const int size = body.nodes->size();
  node.add_input(new_value(body, onnx::TensorProto::BOOL));
  const int place = part.begin + body.nodes->size() - size;
  *body.nodes->Add() = std::move(node);
  for (int i = body.nodes->size() - 1; i > place; --i) body.nodes->SwapElements(i, i - 1);
}

void ModelEditor::hand_attribute_in() {
  std::vector<std::pair<onnx::FunctionProto*, onnx::AttributeProto*>> found;
  std::vector<Body> bodies = bodies_of(model_);
  for (const Body& body : bodies) {
    if (body.function == nullptr) continue;
    for (onnx::NodeProto& node : *body.nodes) {
      for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
        if (attribute.ref_attr_name().empty() && !attribute.has_g() && attribute.graphs_size() == 0)
          found.emplace_back(body.function, &attribute);
      }
    }
  }
  if (found.empty()) return;
  const auto [function, attribute] = random_.pick(found);
  onnx::AttributeProto given = *attribute;
  given.set_name(fresh_name());
  if (model_.ir_version() >= 9 && random_.chance(50)) {
    *function->add_attribute_proto() = given;
  } else {
    function->add_attribute(given.name());
    for (const Body& body : bodies) {
      for (onnx::NodeProto& node : *body.nodes) {
        if (node.op_type() == function->name() && node.domain() == function->domain()) *node.add_attribute() = given;
      }
    }
  }
  onnx::AttributeProto reference;
  reference.set_name(attribute->name());
  reference.set_type(attribute->type());
  reference.set_ref_attr_name(given.name());
  *attribute = std::move(reference);
}

void ModelEditor::choose_arguments() {
  constexpr std::string_view arguments[] = {
      "--attach",
      "--attach=custom",
      "--attach=com.microsoft",
      "--expand",
      "--allow-unlowered",
      "--fold",
      "--keep custom",
      "--keep com.microsoft::Gelu",
      "--target onnxruntime",
      "--target openvino",
      "--external-data embed",
      "--external-data split",
      "--set rknn_cst::cstThreshold.threshold=0.5 --set rknn_cst::cstThreshold.value=2",
      "--set node:x.alpha=0.5",
      "--set com.microsoft::Gelu.k=1",
      "--allow-external-paths"};
  std::string text;
  for (size_t count = random_.below(3); count > 0; --count) text += std::string(random_.pick(arguments)) + " ";
  if (random_.chance(60)) text += fmt::format("--target-opset {}", 7 + random_.below(20));
  for (onnx::StringStringEntryProto& entry : *model_.mutable_metadata_props()) {
    if (entry.key() != arguments_key) continue;
    entry.set_value(text);
    return;
  }
  onnx::StringStringEntryProto& entry = *model_.add_metadata_props();
  entry.set_key(std::string(arguments_key));
  entry.set_value(text);
}

void ModelEditor::change_outputs() {
  onnx::GraphProto& graph = *model_.mutable_graph();
  if (graph.output_size() > 1 && random_.chance(30)) {
    graph.mutable_output()->DeleteSubrange(static_cast<int>(random_.below(static_cast<size_t>(graph.output_size()))),
                                           1);
    return;
  }
  const std::vector<Body> bodies = bodies_of(model_);
  const std::vector<Visible> values = visible(bodies, 0, graph.node_size());
  if (values.empty()) return;
  const Visible& value = random_.pick(values);
  for (const auto& output : graph.output()) {
    if (output.name() == value.name) return;
  }
  onnx::ValueInfoProto& output = *graph.add_output();
  output.set_name(value.name);
  // The checker wants a type of a model's output.
  onnx::TypeProto::Tensor& type = *output.mutable_type()->mutable_tensor_type();
  type.set_elem_type(value.element_type == 0 ? static_cast<int>(onnx::TensorProto::FLOAT) : value.element_type);
}

}  // namespace onnx_lower::fuzz
