// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What reads a value: what comes behind a node, that a runtime joins to it or that suffers from it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model_file/model.h"

namespace onnx_lower {

class Readers {
 public:
  explicit Readers(const Model& model) : model_(model) {}

  // Whether a node of the model of the first operator of ONNX has the value as an input, one of the second its first output, and so on; without operators,
  // whether any node has it. Nodes that no output of the model needs do not count, as runtimes leave them out. Of what rules make nothing is known: their
  // bodies come node by node.
  bool has(ValueId value, std::span<const std::string> op_types) const;

 private:
  void find_all() const;

  const Model& model_;
  // Found at the first question: the nodes that read a value are those from its number among begins_ to the next one's.
  mutable std::vector<size_t> begins_;
  mutable std::vector<const Node*> nodes_;
};

}  // namespace onnx_lower
