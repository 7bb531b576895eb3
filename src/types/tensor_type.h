// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Types as messages, of which only the element type is known.
#pragma once

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// Of tensors of the element type (TensorProto.DataType), without a shape. Lives as long as the program; the same pointer for the same type.
const onnx::TypeProto* tensor_type_of(int element_type);

}  // namespace onnx_lower
