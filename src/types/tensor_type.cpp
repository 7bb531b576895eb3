// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "types/tensor_type.h"

#include <array>

namespace onnx_lower {

const onnx::TensorShapeProto* shape_of(const onnx::TypeProto* type) {
  if (type == nullptr) return nullptr;
  if (type->has_tensor_type() && type->tensor_type().has_shape()) return &type->tensor_type().shape();
  if (type->has_sparse_tensor_type() && type->sparse_tensor_type().has_shape())
    return &type->sparse_tensor_type().shape();
  return nullptr;
}

std::string element_type_text(int element_type) {
  using onnx::TensorProto;
  return TensorProto::DataType_IsValid(element_type)
             ? TensorProto::DataType_Name(static_cast<TensorProto::DataType>(element_type))
             : std::to_string(element_type);
}

const onnx::TypeProto* tensor_type_of(int element_type) {
  static std::array<onnx::TypeProto, 64> tensors;
  onnx::TypeProto& tensor = tensors[static_cast<size_t>(element_type)];
  tensor.mutable_tensor_type()->set_elem_type(element_type);
  return &tensor;
}

}  // namespace onnx_lower
