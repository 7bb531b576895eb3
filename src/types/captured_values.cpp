// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "types/captured_values.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;

class Search {
 public:
  void look_into(const NodeProto& node) {
    for (const AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) look_at(attribute.g());
      for (const GraphProto& graph : attribute.graphs()) look_at(graph);
    }
  }

  std::vector<std::string_view> take() { return std::move(captured_); }

 private:
  void look_at(const GraphProto& graph) {
    std::vector<std::string_view> own;
    const auto define = [&](std::string_view name) {
      if (defined_.insert(name).second) own.push_back(name);
    };
    for (const auto& input : graph.input()) define(input.name());
    for (const auto& initializer : graph.initializer()) define(initializer.name());
    for (const auto& initializer : graph.sparse_initializer()) define(initializer.values().name());
    for (const NodeProto& node : graph.node()) {
      for (const std::string& input : node.input()) use(input);
      look_into(node);
      for (const std::string& output : node.output()) define(output);
    }
    for (const auto& output : graph.output()) use(output.name());
    for (const std::string_view name : own) defined_.erase(name);
  }

  void use(std::string_view name) {
    if (!name.empty() && !defined_.contains(name) && seen_.insert(name).second) captured_.push_back(name);
  }

  // The names that the current graph and those around it have defined so far.
  std::unordered_set<std::string_view> defined_;
  std::unordered_set<std::string_view> seen_;
  std::vector<std::string_view> captured_;
};

}  // namespace

bool has_body(const NodeProto& node) { return std::ranges::any_of(node.attribute(), holds_graph); }

std::vector<std::string_view> captured_values(const NodeProto& node) {
  Search search;
  search.look_into(node);
  return search.take();
}

}  // namespace onnx_lower
