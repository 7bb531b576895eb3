// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The parameters of cstThreshold: attributes, or the inputs 1 and 2.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "library/call.h"
#include "library/node.h"

namespace onnx_lower::kernels {

class ThresholdNumbers {
 public:
  explicit ThresholdNumbers(const Node& node) : threshold_(node.number({"threshold"})), value_(node.number({"value"})) {
    if (const auto both = node.numbers({"param"})) {
      if (threshold_ || value_) fail("attribute 'param' gives once more what 'threshold' and 'value' have given");
      if (both->size() != 2) fail("attribute 'param' has ", both->size(), " elements instead of two");
      threshold_ = (*both)[0];
      value_ = (*both)[1];
    }
    if (!threshold_ && !node.has_input(1)) fail("attribute 'threshold' is missing; it may have been lost at export");
    if (!value_ && !node.has_input(2)) fail("attribute 'value' is missing; it may have been lost at export");
  }

  // What an x of type T is compared with: the threshold in the type in which torch compares, which
  // is float for float16; for integers, the threshold is rounded towards zero.
  template <typename T>
  auto limit(const Call& call) const {
    const double threshold = number(call, 1, "threshold", threshold_);
    if constexpr (std::is_integral_v<T>) {
      return std::trunc(threshold);
    } else {
      return static_cast<Wide<T>>(threshold);
    }
  }

  // What replaces x where it is not above the threshold.
  template <typename T>
  T value(const Call& call) const {
    const double value = number(call, 2, "value", value_);
    if constexpr (std::is_integral_v<T>) {
      using Limits = std::numeric_limits<T>;
      const double whole = std::trunc(value);
      if (!(whole >= static_cast<double>(Limits::min()) && whole < std::ldexp(1.0, Limits::digits)))
        fail("value is ", value, ", which the element type of x (input 0) cannot hold");
    }
    return narrow<T>(value);
  }

 private:
  static double number(const Call& call, size_t index, std::string_view name, std::optional<float> attribute) {
    if (!call.has_input(index)) return attribute.value_or(0);
    if (attribute) fail(name, " is given both as an attribute and as input ", index);
    return call.number_input(index, name);
  }

  std::optional<float> threshold_, value_;
};

}  // namespace onnx_lower::kernels
