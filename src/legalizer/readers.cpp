// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/readers.h"

#include <algorithm>
#include <ranges>

namespace onnx_lower {

void Readers::add(const Graph& graph) const {
  for_each_node(graph, [&](const Node& node) {
    for (const ValueId input : node.inputs()) {
      if (input != absent_value) readers_->emplace(input, &node);
    }
  });
}

bool Readers::has(ValueId value, std::span<const std::string> op_types) const {
  if (op_types.empty()) return true;
  if (value == absent_value) return false;
  if (!readers_) {
    readers_.emplace();
    add(model_.graph);
    for (const Function& function : model_.functions) add(function.body);
  }
  const auto [begin, end] = readers_->equal_range(value);
  return std::ranges::any_of(std::ranges::subrange(begin, end) | std::views::values, [&](const Node* reader) {
    const Operator& op = model_.op(reader->op);
    return op.domain.empty() && op.op_type == op_types.front() && !reader->outputs().empty() &&
           has(reader->outputs()[0], op_types.subspan(1));
  });
}

}  // namespace onnx_lower
