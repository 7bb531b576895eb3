// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Element types by name, and the C++ types for them.
#pragma once

#include <type_traits>

#include "library/message.h"
#include "library/onnxruntime_api.h"

namespace onnx_lower::kernels {

using ElementType = ONNXTensorElementDataType;
using Half = Ort::Float16_t;

inline constexpr ElementType kUndefined = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
inline constexpr ElementType kFloat = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
inline constexpr ElementType kDouble = ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE;
inline constexpr ElementType kHalf = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16;
inline constexpr ElementType kInt8 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8;
inline constexpr ElementType kInt32 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32;
inline constexpr ElementType kInt64 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64;
inline constexpr ElementType kBool = ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL;

template <typename T>
inline constexpr ElementType element_type_of = Ort::TypeToTensorType<T>::type;

// Calls `use` with a value of that type among `Types` which `type` stands for. There must be one,
// which the forms of an operator ensure.
template <typename... Types, typename Use>
void with_type(ElementType type, const Use& use) {
  const bool found = ((element_type_of<Types> == type && (use(Types{}), true)) || ...);
  if (!found) throw BadInput(message("element type ", static_cast<int>(type), " has no kernel"));
}

// The type in which the operators compute with elements of type T: a float16 has too
// few digits for sums.
template <typename T>
using Wide = std::conditional_t<std::is_same_v<T, Half>, float, T>;

template <typename T>
Wide<T> widen(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return value.ToFloat();
  } else {
    return value;
  }
}

// Converts a number, rounded to nearest, ties to even.
template <typename T, typename From>
T narrow(From value) {
  if constexpr (std::is_same_v<T, Half>) {
    return Half(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

// Converts a number to T: integers wrap around, others are rounded.
template <typename T>
T sum(T one, T other) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(one) + static_cast<Unsigned>(other));
  } else {
    return narrow<T>(widen(one) + widen(other));
  }
}

}  // namespace onnx_lower::kernels
