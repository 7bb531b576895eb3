// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which inputs of the model leave open what a runtime wants to know of a node.
#pragma once

#include <string>
#include <vector>

#include "legalizer/scope/graph_scope.h"

namespace onnx_lower {

// The inputs of the main graph on which the node's values depend and that do not declare all of
// their dimensions as numbers, each as --input-shape takes it: "x:N,3,?,?", with the names of
// dimensions where numbers have to be put; "x:…" for one of unknown rank. Empty within functions.
std::vector<std::string> open_inputs(const Node& node, const GraphScope& scope);

}  // namespace onnx_lower
