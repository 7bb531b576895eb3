// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the bodies of a node (If, Loop, Scan) take from the scopes around it.
#pragma once

#include <string_view>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

bool has_body(const onnx::NodeProto& node);

// The names that the node's bodies use, to any depth, of values outside; each once, in order of
// first use. They last as long as the node.
std::vector<std::string_view> captured_values(const onnx::NodeProto& node);

}  // namespace onnx_lower
