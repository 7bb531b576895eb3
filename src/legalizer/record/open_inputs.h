// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which inputs of the model leave open what a runtime wants to know of a node.
#pragma once

#include <string>
#include <vector>

#include "legalizer/scope/graph_scope.h"

namespace onnx_lower {

// The options that give the open dimensions of an input the size 1, as an example that works:
// --dim for dimensions with names, else --input-shape; nothing where no dimension is open.
std::vector<std::string> options_that_fix(const onnx::ValueInfoProto& info);

// The options that say more of the inputs of the main graph: these for those on which the node's
// values depend, and --input-value for a single number that decides whether the node runs at all,
// by the condition of an If around it, or of the node itself.
std::vector<std::string> options_for_open_inputs(const Node& node, const GraphScope& scope);

}  // namespace onnx_lower
