// PyTorch's element types.
#pragma once

#include <optional>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The TensorProto.DataType of a torch.dtype, by its number in c10::ScalarType; nothing where ONNX has none.
std::optional<int> element_type_of_dtype(int64_t dtype);

// PyTorch's categories: what is of a higher one decides the type of a result.
enum class TypeCategory { boolean, integer, floating };
std::optional<TypeCategory> category_of(int element_type);

}  // namespace onnx_lower
