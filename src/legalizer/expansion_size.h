// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How many nodes a model's functions and the user's rules make, without making them: a chain of functions that each call the one before twice is a few
// kilobytes, and would be more nodes than any machine holds.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "legalizer/legalization.h"

namespace onnx_lower {

class ExpansionSize {
 public:
  // What is kept or attached is not expanded, and counts as one node.
  explicit ExpansionSize(Legalization& all) : all_(all) {}

  // At least as many nodes are made of the graph's nodes that are lowered by functions or by the user's rules; no more than `most` are counted.
  size_t of(const Graph& graph, size_t most);

 private:
  size_t of(OperatorId op, size_t most);
  size_t of(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, size_t most);

  Legalization& all_;
  std::unordered_map<OperatorId, size_t> known_;
};

}  // namespace onnx_lower
