// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify/determined.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "standard_operators/operator_role.h"

namespace onnx_lower {
namespace {

constexpr std::string_view drawing_operators[] = {"Multinomial", "Bernoulli", "Sampling"};
constexpr std::string_view quantizing_operators[] = {"QuantizeLinear", "DynamicQuantizeLinear"};
constexpr std::string_view drawing_in_training = "Dropout";
constexpr std::string_view about_shapes[] = {"Shape", "Size"};

bool is_among_names(std::span<const std::string_view> names, std::string_view op_type) {
  return std::ranges::find(names, op_type) != names.end();
}

// Whether the operator draws random numbers. Dropout does so only in training, where its third
// input says so; what that is, is known where it is a constant.
bool draws(const Model& model, const GraphUses& uses, const Node& node) {
  const std::string_view op_type = model.op(node.op).op_type;
  if (op_type.starts_with("Random") || is_among_names(drawing_operators, op_type)) return true;
  if (op_type != drawing_in_training || node.inputs().size() < 3 || node.inputs()[2] == absent_value) return false;
  const ValueId training = node.inputs()[2];
  const TensorSkeleton* const constant = uses.initializer(training);
  const Node* const maker = uses.maker_of(training);
  if (constant == nullptr && (maker == nullptr || role_of(model.op(maker->op).op_type) != OperatorRole::constant))
    return true;
  onnx::TensorProto tensor;
  if (constant != nullptr) {
    tensor.ParseFromArray(constant->wire.data(), static_cast<int>(constant->wire.size()));
  } else {
    const onnx::NodeProto message = message_of(*maker);
    for (const onnx::AttributeProto& attribute : message.attribute()) tensor = attribute.t();
  }
  const bool is_raw = std::ranges::any_of(tensor.raw_data(), [](char byte) { return byte != 0; });
  return is_raw || std::ranges::any_of(tensor.int32_data(), [](int32_t element) { return element != 0; });
}

// Whether the node, one of its bodies, or a function that it calls does.
bool draws_within(const Model& model, const GraphUses& uses, const Node& node, int depth) {
  constexpr int deepest = 16;
  bool found = false;
  for_each_node_of(node, [&](const Node& inner) { found = found || draws(model, uses, inner); });
  if (found || depth == deepest) return found;
  const Operator& op = model.op(node.op);
  for (const Function& function : model.functions) {
    if (op != Operator{function.domain, function.name, function.overload}) continue;
    const GraphUses own(model, function.body);
    return std::ranges::any_of(own.nodes(),
                               [&](const Node* inner) { return draws_within(model, own, *inner, depth + 1); });
  }
  return false;
}

}  // namespace

std::unordered_set<ValueId> undetermined_values(const Model& model, const GraphUses& uses) {
  std::unordered_set<ValueId> found;
  for (const Node* const node : uses.nodes()) {
    bool depends = false;
    for_each_used(*node, [&](ValueId input) { depends = depends || found.contains(input); });
    if (!depends && !draws_within(model, uses, *node, 0)) continue;
    // The shape of a random value is none.
    if (is_among_names(about_shapes, model.op(node->op).op_type)) continue;
    for (const ValueId output : node->outputs()) {
      if (output != absent_value) found.insert(output);
    }
  }
  return found;
}

bool holds_codes(const Model& model, const GraphUses& uses, ValueId value) {
  constexpr int most_steps = 16;
  for (int step = 0; step < most_steps; ++step) {
    const Node* const maker = uses.maker_of(value);
    if (maker == nullptr || maker->inputs().empty()) return false;
    const std::string_view op_type = model.op(maker->op).op_type;
    if (op_type.starts_with("QLinear") || is_among_names(quantizing_operators, op_type)) return true;
    constexpr std::string_view handing_on[] = {"Identity", "Reshape",   "Transpose", "MaxPool", "Concat",
                                               "Squeeze",  "Unsqueeze", "Flatten",   "Slice",   "Split",
                                               "Pad",      "Gather",    "Expand"};
    if (std::ranges::find(handing_on, op_type) == std::end(handing_on)) return false;
    value = maker->inputs()[0];
  }
  return false;
}

}  // namespace onnx_lower
