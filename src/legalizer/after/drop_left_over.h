// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Drops what nothing needs or reads any more when the nodes of a graph are lowered.
#pragma once

#include "legalizer/legalization/legalization.h"

namespace onnx_lower {

// With a target, drops the nodes that hold subgraphs and that no output of the graph needs, and the
// nodes that read their outputs; from the graph and its subgraphs. Such nodes of the model were
// left out while the model was lowered. This does the same for what nodes were lowered to, which
// may need less than the nodes did: without it, a second run would change the model again.
// Constants that only dropped nodes read are released, for drop_released().
void drop_unneeded(Graph& graph, Legalization& all);

// Drops the nodes and initializers that make released values (those that folded nodes read, and
// constants that lowered or dropped nodes read or that are of a type which a target lacks), unless
// other nodes read them or the user keeps the nodes; and then what only these nodes read. From the
// graph and its subgraphs.
void drop_released(Graph& graph, Legalization& all);

// Drops, from the whole model, the nodes that make lists which nothing reads any more, as rules
// took their tensors one by one, and the Casts whose results nothing reads any more, as rules took
// their inputs. Lists and constants that the target lacks, and that are needed nevertheless, are
// refused then.
void drop_bypassed(Legalization& all);

}  // namespace onnx_lower
