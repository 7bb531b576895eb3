// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "element_types.h"

namespace onnx_lower {

using onnx::TensorProto;

namespace {

int size_of(int element_type) {
  switch (element_type) {
    case TensorProto::DOUBLE:
    case TensorProto::INT64:
      return 8;
    case TensorProto::FLOAT:
    case TensorProto::INT32:
      return 4;
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16:
    case TensorProto::INT16:
      return 2;
    default:
      return 1;
  }
}

// The common type of two types of the same category.
int wider_type(int a, int b) {
  if (a == b) return a;
  if (size_of(a) != size_of(b)) return size_of(a) > size_of(b) ? a : b;
  // Neither of float16 and bfloat16 holds the numbers of the other, nor do uint8 and int8.
  return size_of(a) == 2 ? TensorProto::FLOAT : TensorProto::INT16;
}

}  // namespace

TypedOperand common_type(TypedOperand a, TypedOperand b) {
  const auto a_category = category_of(a.element_type), b_category = category_of(b.element_type);
  if (a.is_number == b.is_number) {
    if (a_category == b_category) return {wider_type(a.element_type, b.element_type), a.is_number};
    return a_category > b_category ? a : b;
  }
  if (a.is_number) return common_type(b, a);
  if (b_category <= a_category) return a;
  return {b.element_type, false};
}

std::optional<int> element_type_of_dtype(int64_t dtype) {
  switch (dtype) {
    case 0:
      return TensorProto::UINT8;
    case 1:
      return TensorProto::INT8;
    case 2:
      return TensorProto::INT16;
    case 3:
      return TensorProto::INT32;
    case 4:
      return TensorProto::INT64;
    case 5:
      return TensorProto::FLOAT16;
    case 6:
      return TensorProto::FLOAT;
    case 7:
      return TensorProto::DOUBLE;
    case 11:
      return TensorProto::BOOL;
    case 15:
      return TensorProto::BFLOAT16;
    default:
      return std::nullopt;
  }
}

std::optional<TypeCategory> category_of(int element_type) {
  switch (element_type) {
    case TensorProto::BOOL:
      return TypeCategory::boolean;
    case TensorProto::UINT8:
    case TensorProto::INT8:
    case TensorProto::INT16:
    case TensorProto::INT32:
    case TensorProto::INT64:
      return TypeCategory::integer;
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16:
    case TensorProto::FLOAT:
    case TensorProto::DOUBLE:
      return TypeCategory::floating;
    default:
      return std::nullopt;
  }
}

}  // namespace onnx_lower
