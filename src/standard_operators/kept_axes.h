// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Past which nodes a runtime may move a Transpose.
#pragma once

#include <cstdint>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// Whether the outputs of a node have the axes of its inputs, and each element is computed of those
// at the same place, or of others along an axis that an attribute or an input names. `opset`: the
// version of ai.onnx that the node is written for.
bool keeps_axes(const onnx::NodeProto& node, int64_t opset);

}  // namespace onnx_lower
