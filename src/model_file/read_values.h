// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which values of a graph are read.
#pragma once

#include <algorithm>

#include "model_file/model.h"

namespace onnx_lower {

// Inserts into `values`, which may be any set of values, the outputs of the graph and the inputs of
// its nodes, and the same for the subgraphs.
template <typename Values>
void add_read_values(const Graph& graph, Values& values) {
  for (const ValueInfo& output : graph.outputs) values.insert(output.value);
  for (const GraphPiece& piece : graph.pieces) {
    for (const Node* node : piece.nodes) for_each_used(*node, [&](ValueId value) { values.insert(value); });
  }
}

// Visits a graph's own nodes from the last to the first. `needed` is any set of values; the graph's
// outputs are added to it, and the inputs of each node that makes a needed value. `on_needed` is
// called for these nodes, and may visit their subgraphs; `on_other` is called for the others.
template <typename Values, typename OnNeeded, typename OnOther>
void for_each_by_need(const Graph& graph, Values& needed, const OnNeeded& on_needed, const OnOther& on_other) {
  for (const ValueInfo& output : graph.outputs) needed.insert(output.value);
  for (auto piece = graph.pieces.rbegin(); piece != graph.pieces.rend(); ++piece) {
    for (auto at = piece->nodes.rbegin(); at != piece->nodes.rend(); ++at) {
      const Node& node = **at;
      const bool is_needed = std::ranges::any_of(
          node.outputs(), [&](ValueId output) { return output != absent_value && needed.contains(output); });
      if (!is_needed) {
        on_other(node);
        continue;
      }
      for (const ValueId input : node.inputs()) needed.insert(input);
      on_needed(node);
    }
  }
}

}  // namespace onnx_lower
