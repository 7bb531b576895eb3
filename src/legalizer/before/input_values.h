// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The tensor that an input of a model is fixed to, from the text that the user gave.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "legalizer/legalize_options.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The dimensions that the value's elements fill of an input that declares `shape`; null where it
// declares none. A list fills one open dimension, and others that are open are 1. Throws UsageError
// where the elements do not fill the shape.
std::vector<int64_t> dims_of_value(const InputValue& value, const onnx::TensorShapeProto* shape);

// The value as a tensor of that element type. Throws UsageError where the type does not hold an
// element, or no text says elements of that type.
onnx::TensorProto tensor_of_value(const InputValue& value, int element_type, const std::vector<int64_t>& dims);

}  // namespace onnx_lower
