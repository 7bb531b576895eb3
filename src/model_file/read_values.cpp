// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/read_values.h"

namespace onnx_lower {

void add_read_values(const Graph& graph, std::unordered_set<ValueId>& values) {
  for (const ValueInfo& output : graph.outputs) values.insert(output.value);
  for_each_node(graph, [&](const Node& node) {
    values.insert(node.inputs().begin(), node.inputs().end());
    for (const Graph& body : node.graphs()) {
      for (const ValueInfo& output : body.outputs) values.insert(output.value);
    }
  });
}

}  // namespace onnx_lower
