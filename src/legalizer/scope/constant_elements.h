// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is asked of the elements of a constant: of what signs they are, and between which numbers
// they lie.
#pragma once

#include <limits>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// All elements but NaN are among these.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

bool is_above_zero(double element);
// Nor is it an infinity, or NaN.
bool has_no_sign(double element);

struct ConstantElements {
  bool are_above_zero = false;  // all of them, as far as that is known
  bool have_no_sign = false;    // the same
  Bounds bounds = {};
};

// Of elements that are no numbers, or not at hand, nothing is known.
ConstantElements constant_elements_of(const onnx::TensorProto& tensor);

}  // namespace onnx_lower
