// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What conditions ask of the elements of a constant: their signs, and their bounds.
#pragma once

#include <limits>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// All elements but NaN lie between these, or are one of them.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

bool is_above_zero(double element);
// Whether it is positive or +0, and neither an infinity nor NaN.
bool has_no_sign(double element);

struct ConstantElements {
  bool are_above_zero = false;  // all elements, as far as that is known
  bool have_no_sign = false;    // all elements, as far as that is known
  Bounds bounds = {};
};

// Nothing is known of elements that are no numbers or not at hand.
ConstantElements constant_elements_of(const onnx::TensorProto& tensor);

}  // namespace onnx_lower
