// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which values of a graph somebody reads.
#pragma once

#include "model_file/model.h"

namespace onnx_lower {

// Inserts the inputs of the graph's nodes and its outputs, and those of the subgraphs, into any set of values.
template <typename Values>
void add_read_values(const Graph& graph, Values& values) {
  for (const ValueInfo& output : graph.outputs) values.insert(output.value);
  for_each_node(graph, [&](const Node& node) {
    for (const ValueId input : node.inputs()) values.insert(input);
    for (const Graph& body : node.graphs()) {
      for (const ValueInfo& output : body.outputs) values.insert(output.value);
    }
  });
}

}  // namespace onnx_lower
