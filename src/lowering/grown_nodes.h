// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Nodes that became many, for which it is asked whether they become fewer another way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "legalizer/legalize_result.h"

namespace onnx_lower {

// Runtimes join what small bodies hold, and a lowering costs as much as it did before.
constexpr size_t many_nodes = 32;

// The first node of each operator that became many nodes.
inline std::vector<const LoweredNode*> grown_nodes(const LegalizeResult& result) {
  std::vector<const LoweredNode*> grown;
  for (const LoweredNode& node : result.lowered) {
    const auto is_same = [&](const LoweredNode* other) {
      return other->domain == node.domain && other->op_type == node.op_type;
    };
    if (node.nodes_made >= many_nodes && !node.attached && std::ranges::none_of(grown, is_same)) grown.push_back(&node);
  }
  return grown;
}

// How many nodes the same node became in `there`, the model lowered another way; 0: it stays.
inline size_t nodes_made_there(const LoweredNode& node, const LegalizeResult& there) {
  const auto same = std::ranges::find_if(there.lowered, [&](const LoweredNode& other) {
    return other.node == node.node && other.op_type == node.op_type;
  });
  return same == there.lowered.end() ? 0 : same->nodes_made;
}

}  // namespace onnx_lower
