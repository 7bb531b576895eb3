// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <vector>

#include "model_file/model.h"

namespace onnx_lower {

// Drops the nodes with graphs that no output of the graph needs, and the nodes that read what these make; from the graph and its subgraphs. Nodes of the model are
// left out so while they are being lowered; here that is done with what they have become, which may need less. Returns what the nodes had as inputs.
std::vector<ValueId> drop_unneeded(Graph& graph, size_t value_count);

}  // namespace onnx_lower
