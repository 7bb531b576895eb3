// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "types/captured_values.h"

#include <algorithm>
#include <unordered_set>

#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;

void append_bodies(const NodeProto& node, std::vector<const GraphProto*>& bodies) {
  for (const AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g()) bodies.push_back(&attribute.g());
    for (const GraphProto& graph : attribute.graphs()) bodies.push_back(&graph);
  }
}

}  // namespace

bool has_body(const NodeProto& node) { return std::ranges::any_of(node.attribute(), holds_graph); }

std::vector<std::string_view> captured_values(const NodeProto& node) {
  std::unordered_set<std::string_view> defined;
  std::vector<std::string_view> used;
  std::vector<const GraphProto*> open;
  append_bodies(node, open);
  while (!open.empty()) {
    const GraphProto& graph = *open.back();
    open.pop_back();
    for (const auto& input : graph.input()) defined.insert(input.name());
    for (const auto& initializer : graph.initializer()) defined.insert(initializer.name());
    for (const auto& initializer : graph.sparse_initializer()) defined.insert(initializer.values().name());
    for (const NodeProto& inner : graph.node()) {
      defined.insert(inner.output().begin(), inner.output().end());
      used.insert(used.end(), inner.input().begin(), inner.input().end());
      append_bodies(inner, open);
    }
    for (const auto& output : graph.output()) used.push_back(output.name());
  }
  std::vector<std::string_view> captured;
  for (const std::string_view name : used) {
    if (!name.empty() && defined.insert(name).second) captured.push_back(name);
  }
  return captured;
}

}  // namespace onnx_lower
