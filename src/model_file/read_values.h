// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which values of a graph somebody reads.
#pragma once

#include <unordered_set>

#include "model_file/model.h"

namespace onnx_lower {

// Adds the inputs of the graph's nodes and its outputs, and those of the subgraphs.
void add_read_values(const Graph& graph, std::unordered_set<ValueId>& values);

}  // namespace onnx_lower
