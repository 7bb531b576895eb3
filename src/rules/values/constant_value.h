// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The content of a constant tensor, as numbers and as an attribute.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The elements of a tensor of any integer (or bool), respectively floating-point, type, in
// whichever field they lie. Nothing for another type, for external data, and for data that do not
// fit the shape.
std::optional<std::vector<int64_t>> integer_elements(const onnx::TensorProto& tensor);
std::optional<std::vector<double>> float_elements(const onnx::TensorProto& tensor);

// INT, FLOAT or STRING for a tensor of rank 0; INTS, FLOATS or STRINGS for rank 1 (booleans are
// integers); TENSOR for all else.
// Nothing for a tensor whose data are not at hand.
std::optional<onnx::AttributeProto> attribute_of_constant(const onnx::TensorProto& tensor);

}  // namespace onnx_lower
