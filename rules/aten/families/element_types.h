// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// PyTorch's element types.
#pragma once

#include <optional>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The TensorProto.DataType of a torch.dtype, by its number in c10::ScalarType; nothing where ONNX
// has none.
std::optional<int> element_type_of_dtype(int64_t dtype);

// PyTorch's categories: what is of a higher one decides the type of a result.
enum class TypeCategory { boolean, integer, floating };
std::optional<TypeCategory> category_of(int element_type);

// An operand, or several that have found their common type.
struct TypedOperand {
  int element_type = onnx::TensorProto::UNDEFINED;  // of some category
  bool is_number = false;                           // of rank 0; of several, all are
};
// The type that PyTorch computes in. A tensor of rank 0 decides it only if its category is higher.
TypedOperand common_type(TypedOperand a, TypedOperand b);

}  // namespace onnx_lower
