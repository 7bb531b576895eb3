// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which inputs of the model leave open what a runtime wants to know of a node.
#pragma once

#include <string>
#include <vector>

#include "legalizer/scope/graph_scope.h"

namespace onnx_lower {

// The options that say more of the inputs of the main graph. --input-shape for those on which the
// node's values depend and that do not declare all of their dimensions as numbers: "x:N,3,?,?",
// with names where numbers have to be put, or "x:…" for one of unknown rank. --input-value for a
// single number that decides whether the node runs at all: by the condition of an If around it, or
// of the node itself.
std::vector<std::string> options_for_open_inputs(const Node& node, const GraphScope& scope);

}  // namespace onnx_lower
