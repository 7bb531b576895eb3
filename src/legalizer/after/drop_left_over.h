// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What nothing needs or reads any more when the nodes of a graph are lowered.
#pragma once

#include "legalizer/legalization/legalization.h"

namespace onnx_lower {

// With a target, drops the nodes with graphs that no output of the graph needs, and the nodes that
// read what these make; from the graph and its subgraphs. Nodes of the model are left out so while
// they are being lowered; here that is done with what they have become, which may need less:
// another run would not find it needed either. What was released is dropped by the next one.
void drop_unneeded(Graph& graph, Legalization& all);

// Drops the nodes and initializers that make the values which were released, unless other nodes
// read them or the user keeps them, and then what only these read; from the graph and its
// subgraphs. So goes what only folded nodes read, and constants that only lowered nodes read or
// that are of a type which a target lacks.
void drop_released(Graph& graph, Legalization& all);

// Lists whose tensors rules took go with their last use, from the whole model.
void drop_lists(Legalization& all);

}  // namespace onnx_lower
