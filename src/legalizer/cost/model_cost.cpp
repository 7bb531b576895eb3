// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/cost/model_cost.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "legalizer/cost/multiplications.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/record/lowering_record.h"
#include "model_file/tensor_skeleton.h"
#include "onnx/defs/printer.h"
#include "types/type_inference.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// Operators whose results runtimes do not compute at load although all inputs are constants: they
// hold weights as these are quantized, and numbers drawn at random are drawn anew in each run.
constexpr std::string_view computed_in_each_run[] = {"Bernoulli",     "DequantizeLinear", "Dropout",
                                                     "Multinomial",   "RandomNormal",     "RandomNormalLike",
                                                     "RandomUniform", "RandomUniformLike"};

uint64_t bytes_of(const onnx::TypeProto* type) {
  const onnx::TensorShapeProto* shape = shape_of(type);
  if (shape == nullptr || !has_dimensions(*type) || !type->has_tensor_type()) return 0;
  uint64_t elements = 1;
  for (const auto& dim : shape->dim()) elements *= static_cast<uint64_t>(dim.dim_value());
  constexpr int bits_of_byte = 8;
  const auto bits = static_cast<uint64_t>(bits_per_element(type->tensor_type().elem_type()));
  return (elements * bits + bits_of_byte - 1) / bits_of_byte;
}

class CostCounter {
 public:
  CostCounter(Legalization& all, OpsetContext written, OpsetContext own)
      : all_(all), sources_{all.model, all.known.facts, all.known.functions, all.known.values, written, own} {}

  ModelCost count() && {
    count(all_.model.graph, nullptr, nullptr, true);
    for (const Function& function : all_.model.functions) {
      if (!function.dropped) count(function.body, nullptr, nullptr, false);
    }
    cost_.nodes = all_.model.node_count();
    return std::move(cost_);
  }

 private:
  // What is known of a value that constants alone decide.
  struct Constant {
    ValueId weight = absent_value;  // the largest constant that it is computed from
    uint64_t weight_bytes = 0;
    bool is_computed = false;
    bool is_read = false;
    bool is_held = false;  // and has been counted
  };

  // `runs_once`: the nodes run once in each run of the model.
  void count(const Graph& graph, const GraphScope* enclosing, const Node* holder, bool runs_once);
  void count(const Node& node, GraphScope& scope, bool runs_once);
  void count_multiplications(const Node& node, const GraphScope& scope, bool runs_once);
  void count_constants(const Node& node, const GraphScope& scope);
  void add_weight(ValueId value, uint64_t bytes, bool is_constant) {
    cost_.weight_bytes += bytes;
    if (is_constant) {
      constants_[value] = {.weight = value, .weight_bytes = bytes};
    } else {
      cost_.held_bytes += bytes;
    }
  }
  // The value is read by something that needs it when the model runs.
  void hold(ValueId value, const GraphScope& scope);
  // The type of a value, which need not be inferred where the model declares its dimensions.
  const onnx::TypeProto* type_of(ValueId value, const GraphScope& scope);

  Legalization& all_;
  ScopeSources sources_;
  InferredCalls calls_;
  TypeInference types_{calls_};
  ModelCost cost_;
  std::unordered_map<ValueId, Constant> constants_;
};

void CostCounter::count(const Graph& graph, const GraphScope* enclosing, const Node* holder, bool runs_once) {
  GraphScope scope(sources_, graph, enclosing, holder);
  for (const ValueInfo& input : graph.inputs) constants_.erase(input.value);
  for (const TensorSkeleton& initializer : graph.initializers) {
    // Whether no caller may replace it.
    const bool is_constant = scope.constant_type(initializer.value) != nullptr;
    add_weight(initializer.value, read_tensor_facts(initializer.wire).byte_size, is_constant);
  }
  for_each_own_node(graph, [&](const Node& node) {
    if (!node.is_run()) {
      count(node, scope, runs_once);
    } else {
      for (const Node* made : nodes_of_run(all_.model, node)) count(*made, scope, runs_once);
    }
  });
  for (const ValueInfo& output : graph.outputs) hold(output.value, scope);
  // An initializer that nothing reads takes memory, too.
  for (const TensorSkeleton& initializer : graph.initializers) {
    const auto constant = constants_.find(initializer.value);
    if (constant != constants_.end() && !constant->second.is_read) hold(initializer.value, scope);
  }
  types_.forget(scope);
}

void CostCounter::count(const Node& node, GraphScope& scope, bool runs_once) {
  scope.nodes().place(node);
  ++cost_.operators[operator_name_of(all_.model, node)];
  for (const Graph& body : node.graphs()) count(body, &scope, &node, false);
  count_constants(node, scope);
  count_multiplications(node, scope, runs_once);
}

const onnx::TypeProto* CostCounter::type_of(ValueId value, const GraphScope& scope) {
  if (value == absent_value) return nullptr;
  if (const GraphScope* defining = defining_scope(&scope, value)) {
    const onnx::TypeProto* declared = defining->declared_type(value);
    if (declared != nullptr && has_element_type(*declared) && has_dimensions(*declared)) return declared;
  }
  return types_.type_of(scope, value, Detail::dimensions);
}

void CostCounter::count_multiplications(const Node& node, const GraphScope& scope, bool runs_once) {
  const Operator& op = all_.model.op(node.op);
  const bool is_standard = scope.facts(node).version != nullptr;
  if (is_standard && (!op.domain.empty() || !multiplies(op.op_type))) return;
  std::optional<uint64_t> counted;
  if (is_standard && runs_once) {
    const auto dims_of = [&](std::span<const ValueId> values, int index) -> Dims {
      if (static_cast<size_t>(index) >= values.size()) return std::nullopt;
      const onnx::TypeProto* type = type_of(values[static_cast<size_t>(index)], scope);
      if (shape_of(type) == nullptr || !has_dimensions(*type)) return std::nullopt;
      std::vector<int64_t> dims;
      for (const auto& dim : shape_of(type)->dim()) dims.push_back(dim.dim_value());
      return dims;
    };
    counted = multiplications_of(
        node_message(all_.model, node), [&](int index) { return dims_of(node.inputs(), index); },
        [&](int index) { return dims_of(node.outputs(), index); });
  }
  if (counted) {
    cost_.multiplications += *counted;
  } else {
    ++cost_.not_counted[operator_name_of(all_.model, node)];
  }
}

void CostCounter::count_constants(const Node& node, const GraphScope& scope) {
  const OperatorFacts& facts = scope.facts(node);
  if (facts.role == OperatorRole::constant) {
    for (const ValueId output : node.outputs()) add_weight(output, bytes_of(scope.constant_type(output)), true);
    return;
  }
  const auto find = [&](ValueId value) {
    const auto found = constants_.find(value);
    if (found == constants_.end()) return static_cast<const Constant*>(nullptr);
    found->second.is_read = true;
    return static_cast<const Constant*>(&found->second);
  };
  Constant made{.is_computed = true};
  bool has_inputs = false;
  bool is_constant =
      facts.version != nullptr && node.graphs().empty() &&
      std::ranges::find(computed_in_each_run, all_.model.op(node.op).op_type) == std::end(computed_in_each_run);
  for (const ValueId input : node.inputs()) {
    if (input == absent_value) continue;
    has_inputs = true;
    const Constant* constant = find(input);
    if (constant == nullptr) {
      is_constant = false;
    } else if (constant->weight_bytes >= made.weight_bytes) {
      made.weight = constant->weight;
      made.weight_bytes = constant->weight_bytes;
    }
  }
  if (is_constant && has_inputs) {
    for (const ValueId output : node.outputs()) {
      if (output != absent_value) constants_[output] = made;
    }
    return;
  }
  for (const ValueId input : node.inputs()) hold(input, scope);
  // A graph that stands beside may have a constant of this name.
  for (const ValueId output : node.outputs()) constants_.erase(output);
}

void CostCounter::hold(ValueId value, const GraphScope& scope) {
  const auto found = value == absent_value ? constants_.end() : constants_.find(value);
  if (found == constants_.end() || found->second.is_held) return;
  Constant& constant = found->second;
  constant.is_held = true;
  if (!constant.is_computed) {
    cost_.held_bytes += constant.weight_bytes;
    return;
  }
  const onnx::TypeProto* type = type_of(value, scope);
  const uint64_t bytes = bytes_of(type);
  cost_.held_bytes += bytes;
  constexpr uint64_t least_told = 1024;  // smaller ones are no weights
  if (bytes <= constant.weight_bytes || bytes < least_told) return;
  const Model& model = all_.model;
  cost_.grown.push_back({.weight = std::string(model.value_name(constant.weight)),
                         .value = std::string(model.value_name(value)),
                         .type = onnx::ProtoToString(*type),
                         .bytes = constant.weight_bytes,
                         .held_bytes = bytes});
}

}  // namespace

ModelCost cost_of(Legalization& all, OpsetContext written, OpsetContext own) {
  return CostCounter(all, written, own).count();
}

}  // namespace onnx_lower
