// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legality/version_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "standard_operators/changed_meanings.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// takes_sequences for the type of a sequence, takes_optionals for that of an optional; else 0.
uint64_t container_of(const onnx::TypeProto& type) {
  return type.has_sequence_type() ? takes_sequences : type.has_optional_type() ? takes_optionals : 0;
}

// takes_sequences for an output that is always a sequence, takes_optionals for one that is always
// an optional; else 0.
uint64_t container_of(const OperatorParameter& output) {
  constexpr uint64_t containers = takes_optionals | takes_sequences;
  return (output.types & ~containers) != 0 ? 0 : output.types;
}

// takes_sequences for a value that is a sequence by its declaration or the operator that makes it,
// takes_optionals for one that is an optional; else 0.
uint64_t container_of(ValueId value, const GraphScope& scope) {
  for (const GraphScope* around = &scope; around != nullptr; around = around->enclosing()) {
    if (const onnx::TypeProto* type = around->declared_type(value)) return container_of(*type);
    const Node* maker = around->maker(value);
    if (maker == nullptr) continue;
    const OperatorVersion* version = around->facts(*maker).version;
    // An operator that makes a container has few outputs: those of all others are not searched.
    const auto makes_one = [](const OperatorParameter& output) { return container_of(output) != 0; };
    if (version == nullptr || std::ranges::none_of(version->outputs, makes_one)) return 0;
    const auto output = std::ranges::find(maker->outputs(), value) - maker->outputs().begin();
    const OperatorParameter* made = version->output(static_cast<int>(output));
    return made == nullptr ? 0 : container_of(*made);
  }
  return 0;
}

std::string refusal_of_container(const OperatorParameter& parameter, uint64_t container,
                                 const OperatorVersion& version) {
  return fmt::format("'{}' cannot be {} in version {} of the operator", parameter.name,
                     container == takes_sequences ? "a sequence" : "an optional", version.since_version);
}

// The problem of a value that is a sequence or an optional, where the version `here` takes tensors
// only. An output counts as one only where the model declares it so.
std::string problem_of_containers(const Node& node, const OperatorVersion& here, const GraphScope& scope,
                                  TypeInference& types) {
  const OperatorVersion& before = *scope.facts(node).version;
  const auto problem_of = [&](std::span<const ValueId> values,
                              const OperatorParameter* (OperatorVersion::*at)(int) const,
                              const auto& type_of) -> std::string {
    for (size_t index = 0; index < values.size(); ++index) {
      const OperatorParameter* ours = (before.*at)(static_cast<int>(index));
      const OperatorParameter* theirs = (here.*at)(static_cast<int>(index));
      if (values[index] == absent_value || ours == nullptr || theirs == nullptr) continue;
      const uint64_t lost = ours->types & ~theirs->types & (takes_optionals | takes_sequences);
      const onnx::TypeProto* type = lost == 0 ? nullptr : type_of(values[index]);
      const uint64_t container = type == nullptr ? 0 : container_of(*type);
      if ((lost & container) != 0) return refusal_of_container(*ours, container, here);
    }
    return {};
  };
  const auto type_of_input = [&](ValueId value) -> const onnx::TypeProto* {
    return scope.element_type(value) != 0 ? nullptr : types.type_of(scope, value, Detail::element_type);
  };
  std::string problem = problem_of(node.inputs(), &OperatorVersion::input, type_of_input);
  if (!problem.empty()) return problem;
  return problem_of(node.outputs(), &OperatorVersion::output,
                    [&](ValueId value) { return scope.declared_type(value); });
}

// The problem of an input that has another rank than the version `here` takes, as far as
// that is known.
std::string problem_of_ranks(const Node& node, const OperatorVersion& here, const GraphScope& scope,
                             TypeInference& types) {
  const OperatorVersion& before = *scope.facts(node).version;
  if (before.since_version == here.since_version) return {};
  for (const FormerRank& former : former_ranks()) {
    const auto place = static_cast<size_t>(former.input);
    if (former.op_type != before.name || before.since_version < former.since_version ||
        here.since_version >= former.since_version || place >= node.inputs().size())
      continue;
    const onnx::TensorShapeProto* shape = shape_of(types.type_of(scope, node.inputs()[place], Detail::shape));
    if (shape == nullptr) continue;
    const bool is_single_in_list = shape->dim_size() == 1 && shape->dim(0).dim_value() == 1;
    if (shape->dim_size() != former.rank && !(former.rank == 0 && is_single_in_list)) return std::string(former.reason);
  }
  return {};
}

using ResultShapes = std::vector<std::optional<onnx::TensorShapeProto>>;

// The shapes of the outputs of a subgraph of the node, which is not legalized yet, as far as
// they are known.
ResultShapes result_shapes(const Graph& body, const Node& holder, const GraphScope& scope, TypeInference& types) {
  GraphScope inside(scope.sources(), body, &scope, &holder);
  for_each_own_node(body, [&](const Node& node) { inside.nodes().place(node); });
  ResultShapes shapes;
  for (const ValueInfo& output : body.outputs) {
    const onnx::TensorShapeProto* shape = shape_of(types.type_of(inside, output.value, Detail::dimensions));
    shapes.push_back(shape == nullptr ? std::nullopt : std::optional(*shape));
  }
  types.forget(inside);
  return shapes;
}

// The problem of an If whose branches have outputs of different shapes, where the version `here`
// wants equal ones.
std::string problem_of_branches(const Node& node, const OperatorVersion& here, const GraphScope& scope,
                                TypeInference& types) {
  constexpr int first_with_other_shapes = 11;
  const OperatorFacts& facts = scope.facts(node);
  if (facts.role != OperatorRole::conditional || node.bodies == nullptr || node.bodies->graphs.size() != 2 ||
      facts.version->since_version < first_with_other_shapes || here.since_version >= first_with_other_shapes)
    return {};
  const ResultShapes one = result_shapes(node.bodies->graphs[0], node, scope, types);
  const ResultShapes other = result_shapes(node.bodies->graphs[1], node, scope, types);
  for (size_t index = 0; index < std::min(one.size(), other.size()); ++index) {
    if (one[index] && other[index] && surely_differ(*one[index], *other[index]))
      return fmt::format(
          "its branches make results of different shapes, which version {} of the operator does not take",
          here.since_version);
  }
  return {};
}

}  // namespace

std::string version_problem(const Node& node, const OperatorVersion& here, const GraphScope& scope,
                            TypeInference& types) {
  std::string problem = problem_of_containers(node, here, scope, types);
  if (problem.empty()) problem = problem_of_ranks(node, here, scope, types);
  if (problem.empty()) problem = problem_of_branches(node, here, scope, types);
  return problem;
}

std::string container_problem(const Node& node, const OperatorVersion& version, const GraphScope& scope) {
  for (size_t index = 0; index < node.inputs().size(); ++index) {
    const ValueId value = node.inputs()[index];
    const OperatorParameter* parameter = version.input(static_cast<int>(index));
    if (value == absent_value || parameter == nullptr || scope.element_type(value) != 0) continue;
    const uint64_t container = container_of(value, scope);
    if (container != 0 && (parameter->types & container) == 0)
      return refusal_of_container(*parameter, container, version);
  }
  return {};
}

}  // namespace onnx_lower
