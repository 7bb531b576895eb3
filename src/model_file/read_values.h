// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which values of a graph somebody reads.
#pragma once

#include <algorithm>

#include "model_file/model.h"

namespace onnx_lower {

// Inserts the inputs of the graph's nodes and its outputs, and those of the subgraphs, into any set
// of values.
template <typename Values>
void add_read_values(const Graph& graph, Values& values) {
  for (const ValueInfo& output : graph.outputs) values.insert(output.value);
  for (const GraphPiece& piece : graph.pieces) {
    for (const Node* node : piece.nodes) for_each_used(*node, [&](ValueId value) { values.insert(value); });
  }
}

// Goes through a graph's own nodes from the last to the first. `needed` is any set of values, and
// gets the graph's outputs and what the nodes read that make needed values: these nodes are visited
// by `on_needed`, which may go on with their subgraphs, and the others by `on_other`.
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
