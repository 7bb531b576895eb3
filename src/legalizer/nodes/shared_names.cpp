// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/nodes/shared_names.h"

namespace onnx_lower {

SharedNames::SharedNames(const Model& model) {
  std::unordered_set<ValueId> values;
  std::unordered_set<std::string_view> nodes;
  const auto look = [&](const Graph& graph) {
    // An initializer that is an input, too, is one value.
    std::unordered_set<ValueId> own;
    for_each_defined(graph, [&](ValueId value) {
      if (value != absent_value && own.insert(value).second && !values.insert(value).second) values_.insert(value);
    });
    for_each_own_node(graph, [&](const Node& node) {
      if (!node.name.empty() && !nodes.insert(node.name).second) nodes_.insert(node.name);
    });
  };
  for_each_graph(model.graph, look);
  for (const Function& function : model.functions) for_each_graph(function.body, look);
}

}  // namespace onnx_lower
