#include "element_types.h"

namespace onnx_lower {

using onnx::TensorProto;

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
