// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/scope/constant_elements.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "rules/values/constant_value.h"

namespace onnx_lower {

bool is_above_zero(double element) { return element > 0; }

bool has_no_sign(double element) { return std::isfinite(element) && !std::signbit(element); }

ConstantElements constant_elements_of(const onnx::TensorProto& tensor) {
  std::vector<double> numbers;
  if (auto floats = float_elements(tensor)) {
    numbers = *std::move(floats);
  } else if (const auto integers = integer_elements(tensor)) {
    numbers.assign(integers->begin(), integers->end());
  } else {
    return {};
  }
  ConstantElements elements = {.are_above_zero = std::ranges::all_of(numbers, is_above_zero),
                               .have_no_sign = std::ranges::all_of(numbers, has_no_sign)};
  std::erase_if(numbers, [](double number) { return std::isnan(number); });
  if (numbers.empty()) return elements;
  const auto [least, most] = std::ranges::minmax(numbers);
  elements.bounds = {least, most};
  return elements;
}

}  // namespace onnx_lower
