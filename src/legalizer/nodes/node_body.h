// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The graphs that a node holds, by the names of their attributes.
#pragma once

#include <string_view>

#include "model_file/model.h"

namespace onnx_lower {

// The graph that is the value of the node's attribute of that name; null when there is none, or
// where some attribute of the node is a list of graphs.
const Graph* body_of(const Node& node, std::string_view attribute_name);

}  // namespace onnx_lower
