// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "types/tensor_type.h"

#include <array>

namespace onnx_lower {

const onnx::TypeProto* tensor_type_of(int element_type) {
  static std::array<onnx::TypeProto, 64> tensors;
  onnx::TypeProto& tensor = tensors[static_cast<size_t>(element_type)];
  tensor.mutable_tensor_type()->set_elem_type(element_type);
  return &tensor;
}

}  // namespace onnx_lower
