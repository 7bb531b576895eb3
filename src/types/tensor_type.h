// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Types of tensors as messages.
#pragma once

#include <string>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The shape of a tensor, dense or sparse, where it is known; null for any other type, and for no type.
const onnx::TensorShapeProto* shape_of(const onnx::TypeProto* type);

// "FLOAT", "INT64" …, as TensorProto.DataType names them; a number that it does not know, as a number.
std::string element_type_text(int element_type);

// Of tensors of the element type (TensorProto.DataType), without a shape. Lives as long as the program; the same pointer for the same type.
const onnx::TypeProto* tensor_type_of(int element_type);

}  // namespace onnx_lower
