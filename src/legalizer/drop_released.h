// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What only folded nodes read goes with them, and so do constants that only lowered nodes read.
#pragma once

#include <functional>
#include <span>

#include "model_file/model.h"

namespace onnx_lower {

// Drops the nodes and initializers that make the values of `released`, which nodes read that are gone, if no other node reads them, and then what only these
// read; from the graph and its subgraphs. `also_used`: values that other graphs read. `stays`: whether a node is to stay all the same. `dropped` is called with each node.
void drop_released(Graph& graph, size_t value_count, std::span<const ValueId> released,
                   std::span<const ValueId> also_used, const std::function<bool(const Node&)>& stays,
                   const std::function<void(const Node&)>& dropped);

}  // namespace onnx_lower
