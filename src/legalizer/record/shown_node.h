// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Nodes and tensors as text that is short enough to be shown.
#pragma once

#include <string>

#include "legalizer/legalize_result.h"
#include "model_file/model.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

ShownNode shown_node(const Model& model, const Node& node, const onnx::NodeProto& message);

// Whether the tensor's elements stand in the model, and are no more than so many.
bool has_at_hand(const onnx::TensorProto& tensor, int64_t most_elements);

// As ONNX's textual syntax writes them; of a tensor with many elements only its type.
std::string shown_tensor(const onnx::TensorProto& tensor);
std::string shown_attribute(const onnx::AttributeProto& attribute);

}  // namespace onnx_lower
