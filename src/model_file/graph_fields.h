// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Edits fields of a graph that stay as they were read: declarations, initializers.
#pragma once

#include <functional>

#include "model_file/model.h"
#include "model_file/wire.h"

namespace onnx_lower {

// `replacement` is asked for each field of the graph but its nodes, and gives what stands there from now on: the field's `whole`, other whole fields that the
// model keeps, or nothing. What stays stays one range.
void replace_fields(Graph& graph, const std::function<Bytes(const WireField&)>& replacement);

}  // namespace onnx_lower
