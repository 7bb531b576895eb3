// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The contents of constants, for type and shape inference.
#pragma once

#include <optional>
#include <string_view>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The tensor that a Constant node stands for, even if its attribute is a number, a string or a list
// (value_int, value_floats, …). Nothing for other nodes.
std::optional<onnx::TensorProto> tensor_of_constant_node(const onnx::NodeProto& node);

// Fills `tensor`, which must be empty, from the attribute of that name of a Constant node, if it is
// a number, a string or a list; else returns false.
bool fill_constant_tensor(const onnx::AttributeProto& attribute, std::string_view name, onnx::TensorProto& tensor);

// The elements of an integer scalar or vector that is short enough to be a shape; nothing for other
// tensors, or if the data is external.
std::optional<onnx::TensorShapeProto> elements_of(const onnx::TensorProto& tensor);

// The tensor of that type, which may hold a shape, with these elements, all of which are known.
onnx::TensorProto tensor_of(const onnx::TypeProto& type, const onnx::TensorShapeProto& elements);

}  // namespace onnx_lower
