// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The values that the bodies of a node (If, Loop, Scan) use from outer scopes.
#pragma once

#include <string_view>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

bool has_body(const onnx::NodeProto& node);

// The names of outer values that the node's bodies use, to any depth; each once, in order of first
// use. The names live as long as the node.
std::vector<std::string_view> captured_values(const onnx::NodeProto& node);

}  // namespace onnx_lower
