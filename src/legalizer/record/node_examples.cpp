// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/record/node_examples.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "legalizer/record/shown_node.h"

namespace onnx_lower {
namespace {

bool have_same_form(const onnx::NodeProto& a, const onnx::NodeProto& b) {
  if (a.input_size() != b.input_size() || a.output_size() != b.output_size()) return false;
  const auto declared_in = [](const onnx::NodeProto& node) {
    std::vector<std::pair<std::string, int>> attributes;
    for (const auto& attribute : node.attribute()) attributes.emplace_back(attribute.name(), attribute.type());
    std::ranges::sort(attributes);
    return attributes;
  };
  return declared_in(a) == declared_in(b);
}

onnx::TypeProto copy_of(const onnx::TypeProto* type) { return type == nullptr ? onnx::TypeProto() : *type; }

}  // namespace

void note_example(const CallSite& call, std::string name, std::vector<NodeExample>& examples) {
  const auto same = std::ranges::find_if(
      examples, [&](const NodeExample& example) { return have_same_form(example.node, call.node()); });
  if (same != examples.end()) {
    ++same->nodes;
    return;
  }
  // The elements of a small constant are part of what a node means: axes, sizes.
  constexpr int64_t most_elements = 64;
  NodeExample& example = examples.emplace_back();
  example.name = std::move(name);
  example.node = call.node();
  example.opset = call.own_opset();
  example.nodes = 1;
  for (const auto& attribute : call.node().attribute()) example.attribute_texts.push_back(shown_attribute(attribute));
  for (int input = 0; input < call.input_count(); ++input) {
    example.input_types.push_back(copy_of(call.input_type(input)));
    const onnx::TensorProto* constant = call.constant(input);
    example.are_constants.push_back(constant != nullptr);
    example.constants.push_back(constant != nullptr && has_at_hand(*constant, most_elements) ? *constant
                                                                                             : onnx::TensorProto());
  }
  for (int output = 0; output < call.output_count(); ++output)
    example.output_types.push_back(copy_of(call.output_type(output)));
}

}  // namespace onnx_lower
