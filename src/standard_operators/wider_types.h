// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// In which other element types a standard operator computes the same result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace onnx_lower {

// The types (TensorProto.DataType), nearest first, that hold every value of `element_type`, so that
// casting to them and back changes no value, and in which the operator computes the same result,
// once that is cast back; for floating-point types, a result that is at least as accurate. What
// bound_of_nothing() returns is the exception. Empty where there is no such type.
std::span<const int> wider_types(std::string_view op_type, int element_type);

// The greatest of no elements is the least number of the element type. Computed in another type, it
// is another number, which a Cast does not turn into the right one.
struct Bound {
  int64_t number;
  // Max or Min: this operator, on the result and `number`, gives the right result.
  std::string_view op_type;
};
// Nothing where the operator's result for no elements is the same in both types.
std::optional<Bound> bound_of_nothing(std::string_view op_type, int element_type, int computed_in);

// Types that hold most, but not all, of the values that a type has in usual models: float for
// double, int32 for int64.
std::span<const int> narrower_types(std::string_view op_type, int element_type);

}  // namespace onnx_lower
