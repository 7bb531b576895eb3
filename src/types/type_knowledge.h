// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a TypeProto says and what it leaves open.
#pragma once

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// A tensor's element type is known; for sequences and optionals, that of their elements.
bool has_element_type(const onnx::TypeProto& type);
bool has_shape(const onnx::TypeProto& type);
// The shape is known and every dimension is a number.
bool has_dimensions(const onnx::TypeProto& type);

// A tensor of the types that shapes are of, whatever its own shape is.
bool has_elements_of_a_shape(const onnx::TypeProto& type);
// An integer scalar or vector, such as a shape: its elements can decide the shapes of other values.
bool may_hold_a_shape(const onnx::TypeProto& type);

// Fills what `type` leaves open from `other`; where the two contradict each other, `type` stays as it is.
void fill_from(onnx::TypeProto& type, const onnx::TypeProto& other);

// Whether both say something, and not the same.
bool contradict(const onnx::TypeProto& type, const onnx::TypeProto& other);

// Dimensions such as -1, which some exporters write for "unknown", become unknown.
void drop_negative_dimensions(onnx::TypeProto& type);
void drop_dimension_names(onnx::TypeProto& type);
void drop_shape(onnx::TypeProto& type);
// Removes one dimension of a tensor (negative: from the end). Forgets the shape if it has no such dimension.
void drop_dimension(onnx::TypeProto& type, int64_t axis);

onnx::TypeProto tensor_type(int element_type);  // a scalar
onnx::TypeProto type_of_tensor(const onnx::TensorProto& tensor);

}  // namespace onnx_lower
