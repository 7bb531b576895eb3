// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a TypeProto says and what it leaves unknown.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The shape of a tensor, dense or sparse, where it is known; null for other types, and for null.
const onnx::TensorShapeProto* shape_of(const onnx::TypeProto* type);

// The dimensions of a shape as text: of each its number, or its name, or "?".
std::vector<std::string> dimension_texts(const onnx::TensorShapeProto& shape);

// Whether a tensor's element type is known; for sequences and optionals, whether that
// of their elements is.
bool has_element_type(const onnx::TypeProto& type);
bool has_shape(const onnx::TypeProto& type);
// Whether the shape is known, and each of its dimensions is a number.
bool has_dimensions(const onnx::TypeProto& type);

// Whether the type is a tensor with the element type of shapes, whatever its own shape is.
bool has_elements_of_a_shape(const onnx::TypeProto& type);
// An integer scalar or vector, such as a shape: its elements can decide the shapes of other values.
bool may_hold_a_shape(const onnx::TypeProto& type);

// Whether the type is a sequence or an optional.
bool is_container(const onnx::TypeProto& type);

// Fills what `type` leaves unknown from `other`; where the two contradict each other, `type` stays
// as it is.
void fill_from(onnx::TypeProto& type, const onnx::TypeProto& other);

// Whether the ranks differ, or a dimension that is known in both.
bool surely_differ(const onnx::TensorShapeProto& one, const onnx::TensorShapeProto& other);
// Whether both say something, and not the same.
bool contradict(const onnx::TypeProto& type, const onnx::TypeProto& other);

// Makes negative dimensions unknown: some exporters write -1 for an unknown one.
void drop_negative_dimensions(onnx::TypeProto& type);
void drop_dimension_names(onnx::TypeProto& type);
void drop_shape(onnx::TypeProto& type);
// Removes one dimension of a tensor; a negative axis counts from the end. Drops the shape if it has
// no such dimension.
void drop_dimension(onnx::TypeProto& type, int64_t axis);

onnx::TypeProto tensor_type(int element_type, std::span<const int64_t> dims = {});
onnx::TypeProto type_of_tensor(const onnx::TensorProto& tensor);
// The type of tensors with this element type (TensorProto.DataType), without a shape. It lives as
// long as the thread that asks; there, the same element type gives the same pointer.
const onnx::TypeProto* tensor_type_of(int element_type);

// The name of an element type in TensorProto.DataType ("FLOAT", "INT64" …), or its number if
// it has no name.
std::string element_type_text(int element_type);

}  // namespace onnx_lower
