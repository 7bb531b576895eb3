// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ONNX requires that each node stands behind those whose outputs it uses. Runtimes accept nodes in
// any order, and tools that rewrite models for runtimes leave some nodes in the wrong order.
#pragma once

#include "error.h"
#include "model_file/model.h"

namespace onnx_lower {

// A node uses a value that no node before it makes. In another order of the nodes, one may.
class UndefinedValue : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

// Moves nodes before those that use their outputs, in all graphs and functions; otherwise the order
// of the nodes is kept. Returns false where nodes of a graph form a cycle; then nothing has moved
// in that graph.
bool put_in_order(Model& model);

}  // namespace onnx_lower
