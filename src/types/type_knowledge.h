// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a TypeProto says and what it leaves open.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The shape of a tensor, dense or sparse, where it is known; null for any other type, and for no
// type.
const onnx::TensorShapeProto* shape_of(const onnx::TypeProto* type);

// A tensor's element type is known; for sequences and optionals, that of their elements.
bool has_element_type(const onnx::TypeProto& type);
bool has_shape(const onnx::TypeProto& type);
// The shape is known and every dimension is a number.
bool has_dimensions(const onnx::TypeProto& type);

// A tensor of the types that shapes are of, whatever its own shape is.
bool has_elements_of_a_shape(const onnx::TypeProto& type);
// An integer scalar or vector, such as a shape: its elements can decide the shapes of other values.
bool may_hold_a_shape(const onnx::TypeProto& type);

// A sequence or an optional.
bool is_container(const onnx::TypeProto& type);

// Fills what `type` leaves open from `other`; where the two contradict each other, `type` stays as
// it is.
void fill_from(onnx::TypeProto& type, const onnx::TypeProto& other);

// Whether they differ in their rank, or in a dimension that both say.
bool surely_differ(const onnx::TensorShapeProto& one, const onnx::TensorShapeProto& other);
// Whether both say something, and not the same.
bool contradict(const onnx::TypeProto& type, const onnx::TypeProto& other);

// Dimensions such as -1, which some exporters write for "unknown", become unknown.
void drop_negative_dimensions(onnx::TypeProto& type);
void drop_dimension_names(onnx::TypeProto& type);
void drop_shape(onnx::TypeProto& type);
// Removes one dimension of a tensor (negative: from the end). Forgets the shape if it has no such
// dimension.
void drop_dimension(onnx::TypeProto& type, int64_t axis);

onnx::TypeProto tensor_type(int element_type, std::span<const int64_t> dims = {});
onnx::TypeProto type_of_tensor(const onnx::TensorProto& tensor);
// Of tensors of the element type (TensorProto.DataType), without a shape. Lives as long as the
// program; the same pointer for the same type.
const onnx::TypeProto* tensor_type_of(int element_type);

// "FLOAT", "INT64" …, as TensorProto.DataType names them; a number that it does not know, as a
// number.
std::string element_type_text(int element_type);

}  // namespace onnx_lower
