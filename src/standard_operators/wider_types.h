// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// In which other element types a standard operator computes the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace onnx_lower {

// The types, nearest first, that hold every value of a type, so that a Cast there and back changes
// none; and in which the operator's result, cast back, is what it is in the type itself (of the
// floating types: at least as accurate), but for what bound_of_nothing() tells.
// TensorProto.DataType. Empty where there is none.
std::span<const int> wider_types(std::string_view op_type, int element_type);

// The greatest of no numbers is the least that the element type has, so that it is another one in
// another type, and Cast does not make it the type's own.
struct Bound {
  int64_t number;
  // Max or Min: what of the result and the number is the result in the element type
  std::string_view op_type;
};
// Nothing where the operator makes the same of no numbers in both types.
std::optional<Bound> bound_of_nothing(std::string_view op_type, int element_type, int computed_in);

// The types that hold most values of a type that are met in models, and not all: float for double,
// int32 for int64.
std::span<const int> narrower_types(std::string_view op_type, int element_type);

}  // namespace onnx_lower
