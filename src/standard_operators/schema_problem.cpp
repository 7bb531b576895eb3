// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/schema_problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "counted.h"
#include "model_file/attribute_head.h"
#include "standard_operators/default_value.h"
#include "standard_operators/element_type_source.h"
#include "standard_operators/node_attribute.h"
#include "standard_operators/operator_role.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;

template <typename Names>
int count_present(const Names& names) {
  int count = names.size();
  while (count > 0 && names[count - 1].empty()) --count;
  return count;
}

// How many inputs a node must have. The schema of Loop requires its optional inputs to be there, at
// least as empty names; writers of nodes take care of this, so that they are not counted here.
int needed_inputs(const OperatorVersion& version) {
  int needed = version.min_inputs;
  while (needed > 0 && version.input(needed - 1)->kind == ParameterKind::optional) --needed;
  return needed;
}

std::string problem_of_values(const onnx::NodeProto& node, const OperatorVersion& version) {
  const int inputs = count_present(node.input());
  if (inputs < needed_inputs(version) || inputs > version.max_inputs)
    return fmt::format("it has {}, and the operator takes {}", counted(inputs, "input"),
                       counts_between(version.min_inputs, version.max_inputs));
  const int outputs = node.output_size();
  if (outputs < version.min_outputs || outputs > version.max_outputs)
    return fmt::format("it has {}, and the operator makes {}", counted(outputs, "output"),
                       counts_between(version.min_outputs, version.max_outputs));
  for (int index = 0; index < inputs; ++index) {
    const OperatorParameter* parameter = version.input(index);
    if (node.input(index).empty() && parameter != nullptr && parameter->kind == ParameterKind::single)
      return fmt::format("it lacks its input '{}'", parameter->name);
    if (node.input(index).empty() && parameter != nullptr && parameter->kind == ParameterKind::variadic &&
        parameter->type_variable != 0)
      return fmt::format("it leaves one of its inputs '{}' out", parameter->name);
  }
  for (int index = 0; index < outputs; ++index) {
    const OperatorParameter* parameter = version.output(index);
    if (node.output(index).empty() && parameter != nullptr && parameter->kind == ParameterKind::single)
      return fmt::format("it gives its output '{}' no name", parameter->name);
  }
  return {};
}

// Whether the attribute has a value of the type that it says, and no other value. A number 0 and an
// empty list may be left out when a message is written.
bool holds_its_type(const AttributeProto& attribute) {
  const std::string bytes = attribute.SerializeAsString();
  const uint32_t values = read_attribute_head(bytes).values;
  return (values & ~(1U << value_field(attribute.type()))) == 0 && (values != 0 || !holds_a_message(attribute.type()));
}

std::string problem_of_attribute(const AttributeProto& attribute, const OperatorVersion& version) {
  const OperatorAttribute* declared = version.attribute(attribute.name());
  if (declared == nullptr) {
    // Such names are private marks that every reader ignores.
    if (attribute.name().starts_with("__")) return {};
    return fmt::format("version {} of the operator has no attribute '{}'", version.since_version, attribute.name());
  }
  if (is_open(attribute)) return {};
  if (attribute.type() != declared->type) {
    return fmt::format("attribute '{}' is {}, and the operator wants {}", attribute.name(),
                       attribute_type_text(attribute.type()), attribute_type_text(declared->type));
  }
  if (!holds_its_type(attribute))
    return fmt::format("attribute '{}' does not hold what its type says", attribute.name());
  return {};
}

// Checks an output whose element type is given by an attribute.
std::string problem_of_output_type(const onnx::NodeProto& node, const OperatorVersion& version) {
  const ElementTypeSource source = element_type_source(version, 0);
  if (source.attribute == nullptr) return {};
  const AttributeProto* given = find_attribute(node, source.attribute->attribute);
  if (given == nullptr || is_open(*given)) return {};
  const int type = element_type_of_attribute(*source.attribute, version, node);
  // Where the default is 0, a 0 stands for no type.
  const OperatorAttribute* declared = version.attribute(given->name());
  const bool may_be_zero = declared != nullptr && !declared->default_value.empty() && default_value(*declared).i() == 0;
  if (type == 0 && !(given->i() == 0 && (may_be_zero || given->has_t())))
    return fmt::format("attribute '{}' is {}, which is no element type", given->name(), given->i());
  if (type == 0 || (version.outputs[0].types >> type & 1) != 0) return {};
  return fmt::format("version {} of the operator makes no elements of type {}", version.since_version,
                     onnx::TensorProto::DataType_Name(type));
}

struct Counts {
  int inputs;
  int outputs;
};

// How many inputs and outputs the node's subgraphs need; nothing for an operator without subgraphs.
std::optional<Counts> counts_of(const onnx::NodeProto& node, const OperatorVersion& version) {
  const int inputs = node.input_size();
  const int outputs = node.output_size();
  switch (version.domain.empty() ? role_of(version.name) : OperatorRole::none) {
    case OperatorRole::conditional:
      return Counts{0, outputs};
    // The subgraph also gets the iteration number and the condition, and
    // also returns the condition.
    case OperatorRole::loop:
      return Counts{2 + std::max(inputs - 2, 0), 1 + outputs};
    case OperatorRole::scan:  // below 9 the lengths of the sequences are an input of the node alone
      return Counts{version.since_version < 9 ? inputs - 1 : inputs, outputs};
    case OperatorRole::sequence_map:
      return Counts{inputs, outputs};
    default:
      return std::nullopt;
  }
}

// Why the subgraphs of an If, a Loop, a Scan or a SequenceMap have another number of inputs or
// outputs than the node needs.
std::string problem_of_graphs(const onnx::NodeProto& node, const OperatorVersion& version) {
  if (node.attribute().empty()) return {};
  const std::optional<Counts> needed = counts_of(node, version);
  if (!needed) return {};
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (!attribute.has_g()) continue;
    const int inputs = attribute.g().input_size();
    const int outputs = attribute.g().output_size();
    if (inputs != needed->inputs)
      return fmt::format("the graph '{}' has {}, and the node needs one with {}", attribute.name(),
                         counted(inputs, "input"), needed->inputs);
    if (outputs != needed->outputs)
      return fmt::format("the graph '{}' has {}, and the node needs one with {}", attribute.name(),
                         counted(outputs, "output"), needed->outputs);
  }
  return {};
}

}  // namespace

std::string schema_problem(const onnx::NodeProto& node, const OperatorVersion& version) {
  if (std::string problem = problem_of_values(node, version); !problem.empty()) return problem;
  for (const AttributeProto& attribute : node.attribute()) {
    if (std::string problem = problem_of_attribute(attribute, version); !problem.empty()) return problem;
    if (std::ranges::count(node.attribute(), attribute.name(), &AttributeProto::name) > 1)
      return fmt::format("it has the attribute '{}' twice", attribute.name());
  }
  for (const OperatorAttribute& declared : version.attributes) {
    if (declared.required && find_attribute(node, declared.name) == nullptr)
      return fmt::format("it lacks the attribute '{}'", declared.name);
  }
  if (version.domain.empty() && role_of(version.name) == OperatorRole::constant && node.attribute_size() != 1)
    return node.attribute_size() == 0 ? "its body has a Constant without a value" : "a Constant has one attribute";
  if (std::string problem = problem_of_output_type(node, version); !problem.empty()) return problem;
  return problem_of_graphs(node, version);
}

}  // namespace onnx_lower
