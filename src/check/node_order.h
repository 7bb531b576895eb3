// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ONNX wants each node behind those whose values it uses. Runtimes take nodes in any order, and
// tools that rewrite models for them leave some behind their readers.
#pragma once

#include "error.h"
#include "model_file/model.h"

namespace onnx_lower {

// A node uses what nothing before it makes. In another order of the nodes something may.
class UndefinedValue : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

// Moves what a node uses before the node, in all graphs and functions; what needs not move keeps
// its order. False, and then nothing has moved in the graph that stands in the way, where nodes
// form a cycle.
bool put_in_order(Model& model);

}  // namespace onnx_lower
