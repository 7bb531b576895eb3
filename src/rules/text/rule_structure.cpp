// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/text/rule_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

#include "domain.h"
#include "model_file/tensor_skeleton.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;
using onnx::TensorProto;
using Place = StructureFault::Place;

// The names that are visible in a body, from the innermost scope outwards.
struct Scope {
  const Scope* outer = nullptr;
  std::unordered_set<std::string_view> names = {};

  bool sees(std::string_view name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
      if (scope->names.contains(name)) return true;
    }
    return false;
  }
};

class StructureCheck {
 public:
  explicit StructureCheck(const Form& form) : form_(form) {
    for (const DeclaredAttribute& attribute : form.attributes) declared_.insert(attribute.name);
    for (const BoundAttribute& attribute : form.bound) declared_.insert(attribute.name);
    named_ = declared_;
    for (const Definition& definition : form.definitions) declared_.insert(definition.name());
    for (const auto& import : form.function.opset_import()) imported_.insert(import.domain());
  }

  std::vector<StructureFault> run() {
    const onnx::FunctionProto& function = form_.function;
    Scope scope;
    for (int i = 0; i < function.input_size(); ++i) {
      if (!scope.names.insert(function.input(i)).second)
        add(Place::input, i, fmt::format("input {} is there twice", function.input(i)));
    }
    std::unordered_set<std::string_view> outputs;
    for (int i = 0; i < function.output_size(); ++i) {
      if (!outputs.insert(function.output(i)).second)
        add(Place::output, i, fmt::format("output {} is there twice", function.output(i)));
    }
    if (function.output_size() == 0) add(Place::function, 0, "the function has no output");
    for (const auto& import : function.opset_import()) {
      const int64_t newest = newest_opset(import.domain());
      if (newest != 0 && (import.version() < 1 || import.version() > newest))
        add(Place::function, 0,
            fmt::format("opset {} of {} does not exist; the newest is {}", import.version(),
                        shown_domain(import.domain()), newest));
    }
    for (node_ = 0; node_ < function.node_size(); ++node_) check_node(function.node(node_), scope);
    for (int i = 0; i < function.output_size(); ++i) {
      if (!scope.names.contains(function.output(i))) {
        add(Place::output, i, fmt::format("output {} is not computed by the body", function.output(i)));
      }
    }
    check_definitions_and_condition();
    return std::move(faults_);
  }

 private:
  void add(Place place, int index, std::string message, std::size_t definition = 0) {
    faults_.push_back({place, index, {}, std::move(message), definition});
  }
  void add_at_node(std::string message) { add(Place::node, node_, std::move(message)); }

  void check_node(const NodeProto& node, Scope& scope) {
    if (!imported_.contains(node.domain()) && reported_domains_.insert(node.domain()).second) {
      add_at_node(fmt::format("the header has no opset_import for {}, the domain of {}", shown_domain(node.domain()),
                              node.op_type()));
    }
    for (const std::string& input : node.input()) {
      if (!input.empty() && !scope.sees(input))
        add_at_node(fmt::format("{} is used here and not defined before", input));
    }
    std::unordered_set<std::string_view> names;
    for (const AttributeProto& attribute : node.attribute()) {
      if (!names.insert(attribute.name()).second)
        add_at_node(fmt::format("attribute {} is given twice", attribute.name()));
      check_attribute(attribute, scope);
    }
    for (const std::string& output : node.output()) {
      if (output.empty()) continue;
      if (scope.sees(output)) add_at_node(fmt::format("{} is defined a second time here", output));
      scope.names.insert(output);
    }
  }

  void check_attribute(const AttributeProto& attribute, const Scope& scope) {
    if (!attribute.ref_attr_name().empty() && !declared_.contains(attribute.ref_attr_name())) {
      add_at_node(
          fmt::format("@{} is not declared in the signature of {}", attribute.ref_attr_name(), form_.function.name()));
    }
    if (attribute.has_g()) check_graph(attribute.g(), scope);
    for (const GraphProto& graph : attribute.graphs()) check_graph(graph, scope);
    if (attribute.has_t()) check_tensor(attribute.t());
    if (attribute.has_sparse_tensor()) check_tensor(attribute.sparse_tensor().values());
    for (const TensorProto& tensor : attribute.tensors()) check_tensor(tensor);
  }

  void check_tensor(const TensorProto& tensor) {
    // The path would be relative to each model that the rule is used on.
    if (tensor.data_location() == TensorProto::EXTERNAL) {
      add_at_node(
          fmt::format("tensor '{}' has its data in another file, and a rule has to hold its own", tensor.name()));
      return;
    }
    try {
      read_tensor_facts(tensor.SerializeAsString());
    } catch (const MalformedMessage& problem) {
      add_at_node(problem.what());
    }
  }

  void check_graph(const GraphProto& graph, const Scope& outer) {
    Scope scope{&outer};
    const auto define = [&](const std::string& name) {
      if (outer.sees(name)) add_at_node(fmt::format("{} is defined a second time in a body here", name));
      scope.names.insert(name);
    };
    for (const auto& input : graph.input()) define(input.name());
    // An initializer may be the default of a graph input with the same name.
    for (const auto& initializer : graph.initializer()) {
      check_tensor(initializer);
      if (!scope.names.contains(initializer.name())) define(initializer.name());
    }
    for (const auto& initializer : graph.sparse_initializer()) define(initializer.values().name());
    for (const NodeProto& node : graph.node()) check_node(node, scope);
    for (const auto& output : graph.output()) {
      if (!scope.sees(output.name()))
        add_at_node(fmt::format("output {} of a body is not computed by it", output.name()));
    }
  }

  // Checks definitions and condition in the order of evaluation: each knows the
  // names defined before it.
  void check_definitions_and_condition() {
    for (std::size_t index = 0; index <= form_.definitions.size(); ++index) {
      if (form_.where && index == form_.definitions_before_where) check_names(*form_.where, Place::where, 0);
      if (index == form_.definitions.size()) break;
      const Definition& definition = form_.definitions[index];
      check_names(definition, Place::definition, index);
      if (named_.insert(definition.name()).second) continue;
      faults_.push_back({Place::definition, static_cast<int>(definition.offset()), definition.name(),
                         fmt::format("{} is defined here, and is an attribute or defined before", definition.name()),
                         index});
    }
  }

  template <typename Text>
  void check_names(const Text& text, Place place, std::size_t definition) {
    for (const Condition::Name& name : text.attribute_names()) {
      if (named_.contains(name.name)) continue;
      add(place, static_cast<int>(name.offset),
          fmt::format("{} is no attribute in the signature of {}", name.name, form_.function.name()), definition);
    }
    for (const Condition::Name& name : text.value_names()) {
      if (has(form_.function.input(), name.name) || has(form_.function.output(), name.name)) continue;
      add(place, static_cast<int>(name.offset),
          fmt::format("{} is neither an input nor an output of {}", name.name, form_.function.name()), definition);
    }
  }

  template <typename Names>
  static bool has(const Names& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  }

  const Form& form_;
  std::set<std::string, std::less<>> declared_;
  std::set<std::string, std::less<>> named_;  // those that what is evaluated next may use
  std::set<std::string, std::less<>> imported_;
  std::set<std::string> reported_domains_;
  std::vector<StructureFault> faults_;
  int node_ = 0;
};

class Uses {
 public:
  explicit Uses(const Form& form) {
    for (const std::string& output : form.function.output()) values_.insert(output);
    add(form.function.node());
    for (const Definition& definition : form.definitions) {
      for (const Condition::Name& name : definition.attribute_names()) attributes_.insert(name.name);
    }
    if (!form.where) return;
    for (const Condition::Name& name : form.where->attribute_names()) attributes_.insert(name.name);
  }

  bool of_value(const std::string& name) const { return values_.contains(name); }
  bool of_attribute(const std::string& name) const { return attributes_.contains(name); }

 private:
  void add(const google::protobuf::RepeatedPtrField<NodeProto>& nodes) {
    for (const NodeProto& node : nodes) {
      values_.insert(node.input().begin(), node.input().end());
      for (const AttributeProto& attribute : node.attribute()) {
        if (!attribute.ref_attr_name().empty()) attributes_.insert(attribute.ref_attr_name());
        if (attribute.has_g()) add(attribute.g());
        for (const GraphProto& graph : attribute.graphs()) add(graph);
      }
    }
  }

  void add(const GraphProto& graph) {
    for (const auto& output : graph.output()) values_.insert(output.name());
    add(graph.node());
  }

  std::unordered_set<std::string> values_;
  std::unordered_set<std::string> attributes_;
};

}  // namespace

std::vector<StructureFault> structure_faults(const Form& form) { return StructureCheck(form).run(); }

std::vector<StructureFault> unused_parts(const Form& form) {
  const Uses uses(form);
  const onnx::FunctionProto& function = form.function;
  std::vector<StructureFault> faults;
  const auto add_attribute = [&](const std::string& name, const std::string& message) {
    faults.push_back({Place::attribute, 0, name, message});
  };
  for (const DeclaredAttribute& declared : form.attributes) {
    if (!uses.of_attribute(declared.name))
      add_attribute(declared.name, fmt::format("attribute {} is declared and not used", declared.name));
  }
  for (const BoundAttribute& bound : form.bound) {
    if (!uses.of_attribute(bound.name))
      add_attribute(bound.name, fmt::format("attribute {} is bound and not used", bound.name));
  }
  for (std::size_t index = 0; index < form.definitions.size(); ++index) {
    const Definition& definition = form.definitions[index];
    if (!uses.of_attribute(definition.name()))
      faults.push_back({Place::definition, static_cast<int>(definition.offset()), definition.name(),
                        fmt::format("{} is defined and not used", definition.name()), index});
  }
  for (int i = 0; i < function.node_size(); ++i) {
    const NodeProto& node = function.node(i);
    if (std::ranges::any_of(node.output(), [&](const std::string& output) { return uses.of_value(output); })) continue;
    const std::string& name = node.output_size() > 0 ? node.output(0) : node.op_type();
    faults.push_back({Place::node, i, {}, fmt::format("{} is computed and not used", name)});
  }
  return faults;
}

std::vector<std::string> used_inputs(const Form& form) {
  const Uses uses(form);
  std::vector<std::string> places;
  for (int i = 0; i < form.function.input_size(); ++i) {
    if (uses.of_value(form.function.input(i))) places.push_back(fmt::format("input {}", i));
  }
  return places;
}

std::size_t offset_of(const StructureFault& fault, std::string_view text, const FormPositions& positions) {
  const auto index = static_cast<std::size_t>(fault.index);
  switch (fault.place) {
    case StructureFault::Place::node:
      return positions.nodes.at(index);
    case StructureFault::Place::input:
      return positions.inputs.at(index);
    case StructureFault::Place::output:
      return positions.outputs.at(index);
    case StructureFault::Place::where:
      return offset_in_condition(text, positions.where, index);
    case StructureFault::Place::attribute:
      for (const auto& attribute : positions.attributes) {
        if (attribute.name == fault.attribute) return attribute.offset;
      }
      break;
    case StructureFault::Place::definition:
      return offset_in_condition(text, positions.definitions.at(fault.definition), index);
    case StructureFault::Place::function:
      break;
  }
  return positions.name;
}

}  // namespace onnx_lower
