// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify/graph_uses.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "model_file/tensor_skeleton.h"
#include "standard_operators/operator_role.h"
#include "types/constants.h"

namespace onnx_lower {
namespace {

// Nodes that hand on what they are given, in the same shape.
bool keeps_shape(std::string_view op_type) {
  constexpr std::string_view keeping[] = {"Identity", "Cast", "DequantizeLinear", "CastLike"};
  return std::ranges::find(keeping, op_type) != std::end(keeping);
}

std::optional<std::vector<int64_t>> integers_in(const onnx::TensorProto& tensor) {
  const std::optional<onnx::TensorShapeProto> elements = elements_of(tensor);
  if (!elements) return std::nullopt;
  std::vector<int64_t> integers;
  for (const onnx::TensorShapeProto::Dimension& element : elements->dim()) integers.push_back(element.dim_value());
  return integers;
}

}  // namespace

onnx::NodeProto message_of(const Node& node) {
  onnx::NodeProto message;
  message.ParseFromArray(node.wire.data(), static_cast<int>(node.wire.size()));
  return message;
}

int64_t integer_attribute(const Node& node, std::string_view name, int64_t otherwise) {
  if (!node.has_attributes) return otherwise;
  const onnx::NodeProto message = message_of(node);
  for (const onnx::AttributeProto& attribute : message.attribute()) {
    if (attribute.name() == name) return attribute.i();
  }
  return otherwise;
}

std::optional<std::vector<int64_t>> dims_in(const onnx::TypeProto& type) {
  if (type.has_sequence_type()) return dims_in(type.sequence_type().elem_type());
  if (type.has_optional_type()) return dims_in(type.optional_type().elem_type());
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return std::nullopt;
  std::vector<int64_t> dims;
  for (const onnx::TensorShapeProto::Dimension& dim : type.tensor_type().shape().dim())
    dims.push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value() : -1);
  return dims;
}

std::string_view shown_name(const Model& model, const Node& node) {
  if (!node.name.empty()) return node.name;
  for (const ValueId output : node.outputs()) {
    if (output != absent_value) return model.value_name(output);
  }
  return {};
}

GraphUses::GraphUses(const Model& model, const Graph& graph) : model_(model), graph_(graph) {
  for_each_own_node(graph, [this](const Node& node) { nodes_.push_back(&node); });
  for_each_graph(graph, [this](const Graph& each) { note(each); });
}

void GraphUses::note(const Graph& graph) {
  for (const TensorSkeleton& initializer : graph.initializers) initializers_.emplace(initializer.value, &initializer);
  for (const auto* const infos : {&graph.inputs, &graph.value_infos, &graph.outputs}) {
    for (const ValueInfo& info : *infos) declarations_.emplace(info.value, info.wire);
  }
  for_each_own_node(graph, [this](const Node& node) {
    const std::span<const ValueId> inputs = node.inputs();
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] != absent_value) uses_[inputs[i]].push_back({&node, i});
    }
    for (const ValueId output : node.outputs()) {
      if (output != absent_value) makers_.emplace(output, &node);
    }
  });
}

const std::vector<ValueUse>& GraphUses::uses_of(ValueId value) const {
  static const std::vector<ValueUse> none;
  const auto found = uses_.find(value);
  return found == uses_.end() ? none : found->second;
}

const Node* GraphUses::maker_of(ValueId value) const {
  const auto found = makers_.find(value);
  return found == makers_.end() ? nullptr : found->second;
}

const TensorSkeleton* GraphUses::initializer(ValueId value) const {
  const auto found = initializers_.find(value);
  return found == initializers_.end() ? nullptr : found->second;
}

std::optional<std::vector<int64_t>> GraphUses::dims_of(ValueId value) const {
  constexpr int most_steps = 8;
  for (int step = 0; step < most_steps; ++step) {
    if (const TensorSkeleton* const tensor = initializer(value)) return read_tensor_facts(tensor->wire).dims;
    const Node* const maker = maker_of(value);
    if (maker != nullptr && role_of(model_.op(maker->op).op_type) == OperatorRole::constant) {
      if (const std::optional<TensorFacts> facts = tensor_of_constant(maker->wire)) return facts->dims;
    }
    if (const auto declared = declarations_.find(value); declared != declarations_.end()) {
      onnx::ValueInfoProto info;
      info.ParseFromArray(declared->second.data(), static_cast<int>(declared->second.size()));
      if (std::optional<std::vector<int64_t>> dims = dims_in(info.type())) return dims;
    }
    if (maker == nullptr || maker->inputs().empty() || !keeps_shape(model_.op(maker->op).op_type)) break;
    value = maker->inputs()[0];
  }
  return std::nullopt;
}

std::vector<int64_t> GraphUses::rows_of_initializers() const {
  std::vector<int64_t> rows;
  for (const TensorSkeleton& initializer : graph_.initializers) {
    const std::vector<int64_t> dims = read_tensor_facts(initializer.wire).dims;
    for (size_t i = 0; i < std::min<size_t>(dims.size(), 2); ++i) {
      if (dims[i] > 1 && std::ranges::find(rows, dims[i]) == rows.end()) rows.push_back(dims[i]);
    }
  }
  return rows;
}

std::optional<std::vector<int64_t>> GraphUses::integers_of(ValueId value) const {
  onnx::TensorProto tensor;
  if (const TensorSkeleton* const found = initializer(value)) {
    tensor.ParseFromArray(found->wire.data(), static_cast<int>(found->wire.size()));
    return integers_in(tensor);
  }
  const Node* const maker = maker_of(value);
  if (maker == nullptr || role_of(model_.op(maker->op).op_type) != OperatorRole::constant) return std::nullopt;
  const onnx::NodeProto constant = message_of(*maker);
  for (const onnx::AttributeProto& attribute : constant.attribute()) {
    if (attribute.name() == "value") return integers_in(attribute.t());
    if (attribute.name() == "value_int") return std::vector<int64_t>{attribute.i()};
    if (attribute.name() == "value_ints") return std::vector<int64_t>(attribute.ints().begin(), attribute.ints().end());
  }
  return std::nullopt;
}

}  // namespace onnx_lower
