// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The content of a constant tensor, as numbers and as an attribute.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The elements of a tensor of any integer type or bool, or of any floating-point type, in
// whichever field they are. Nothing for another type, for external data, and for data that do
// not fit the shape.
std::optional<std::vector<int64_t>> integer_elements(const onnx::TensorProto& tensor);
std::optional<std::vector<double>> float_elements(const onnx::TensorProto& tensor);

// An attribute with the value of the tensor: INT, FLOAT or STRING for rank 0; INTS, FLOATS
// or STRINGS for rank 1 (booleans become integers); TENSOR for all others. Nothing for a
// tensor with external data.
std::optional<onnx::AttributeProto> attribute_of_constant(const onnx::TensorProto& tensor);

}  // namespace onnx_lower
