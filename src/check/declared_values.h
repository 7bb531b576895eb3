// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a graph declares of its values, as far as no reader of ONNX would take it.
#pragma once

#include <functional>
#include <string>

#include "model_file/model.h"

namespace onnx_lower {

// Why a graph input and the initializer that is its default do not fit together, to be put behind "graph input 'x' "; empty if they do. `input` is a
// ValueInfoProto, `initializer` a TensorProto.
std::string fault_of_default(Bytes input, Bytes initializer);

// The declarations in a graph that would be written with an element type left undefined: the names of their values, and what piece of the graph each is.
// Exporters write such of what custom operators make.
void for_each_undefined(const Graph& graph,
                        const std::function<void(std::string_view name, GraphPiece::Kind kind)>& visit);

}  // namespace onnx_lower
