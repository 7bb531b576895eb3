// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/drawn_values.h"

namespace onnx_lower::fuzz {

int some_element_type(Random& random) {
  constexpr int types[] = {onnx::TensorProto::FLOAT, onnx::TensorProto::FLOAT,   onnx::TensorProto::FLOAT,
                           onnx::TensorProto::INT64, onnx::TensorProto::FLOAT16, onnx::TensorProto::DOUBLE,
                           onnx::TensorProto::INT32, onnx::TensorProto::BOOL,    onnx::TensorProto::UINT8,
                           onnx::TensorProto::INT8,  onnx::TensorProto::STRING,  onnx::TensorProto::BFLOAT16};
  return random.chance(90) ? random.pick(types) : 1 + static_cast<int>(random.below(onnx::TensorProto::DataType_MAX));
}

void set_type(onnx::TypeProto& type, int element_type, Random& random) {
  onnx::TypeProto::Tensor& tensor = *type.mutable_tensor_type();
  tensor.set_elem_type(element_type);
  if (random.chance(15)) return;
  tensor.mutable_shape();
  for (size_t rank = random.below(random.chance(5) ? 9 : 4); rank > 0; --rank) {
    auto& dimension = *tensor.mutable_shape()->add_dim();
    if (random.chance(60)) {
      dimension.set_dim_value(static_cast<int64_t>(random.below(5)));
    } else if (random.chance(70)) {
      dimension.set_dim_param(random.chance(50) ? "n" : "m");
    }
  }
}

void fill_tensor(onnx::TensorProto& tensor, int element_type, Random& random) {
  tensor.set_data_type(element_type);
  int64_t count = 1;
  for (size_t rank = random.below(3); rank > 0; --rank) {
    tensor.add_dims(static_cast<int64_t>(random.below(4)));
    count *= tensor.dims(tensor.dims_size() - 1);
  }
  for (int64_t i = 0; i < count; ++i) {
    const auto number = static_cast<int64_t>(random.below(6)) - 1;
    switch (element_type) {
      case onnx::TensorProto::FLOAT:
        tensor.add_float_data(static_cast<float>(number) / 2);
        break;
      case onnx::TensorProto::DOUBLE:
        tensor.add_double_data(static_cast<double>(number) / 2);
        break;
      case onnx::TensorProto::INT64:
        tensor.add_int64_data(number);
        break;
      case onnx::TensorProto::STRING:
        tensor.add_string_data("a");
        break;
      case onnx::TensorProto::UINT32:
      case onnx::TensorProto::UINT64:
        tensor.add_uint64_data(static_cast<uint64_t>(number + 1));
        break;
      case onnx::TensorProto::COMPLEX64:
        tensor.add_float_data(0);
        tensor.add_float_data(1);
        break;
      case onnx::TensorProto::COMPLEX128:
        tensor.add_double_data(0);
        tensor.add_double_data(1);
        break;
      default:
        tensor.add_int32_data(static_cast<int>(number + 1));
        break;
    }
  }
}

}  // namespace onnx_lower::fuzz
