// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Rounds floats to numbers of 16 bits, which stay floats: runtimes leave out a Cast to such a type
// and back.
#pragma once

#include <cmath>
#include <limits>

#include "rules/body.h"

namespace onnx_lower {

// Gives x rounded to numbers of bfloat16. Below 2^-119 the numbers are farther apart than those of
// bfloat16, whose distances there are subnormal, and some runtimes have no subnormal numbers.
inline std::string as_bfloat16(Body& body, const std::string& x) {
  body.import("onnx_lower", 1);
  body("rounded", "onnx_lower.FloatOfBits",
       {x, body.float_scalar(std::ldexp(1.0, -7), "gap_of_bfloat16"),
        body.float_scalar(std::ldexp(1.0, -119), "least_of_bfloat16"),
        body.float_scalar(std::ldexp(2.0 - std::ldexp(1.0, -7), 127), "most_of_bfloat16")});
  body("distance_from_zero", "Abs", {x});
  body("is_infinite", "Equal",
       {"distance_from_zero", body.float_scalar(std::numeric_limits<double>::infinity(), "infinity")});
  return body("x_bfloat16", "Where", {"is_infinite", x, "rounded"});
}

// Gives x rounded to numbers of float16, and the greatest one of these for all numbers above it.
inline std::string as_float16(Body& body, const std::string& x) {
  body.import("onnx_lower", 1);
  return body(
      "x_float16", "onnx_lower.FloatOfBits",
      {x, body.float_scalar(std::ldexp(1.0, -10), "gap_of_float16"),
       body.float_scalar(std::ldexp(1.0, -14), "least_of_float16"), body.float_scalar(65504.0, "most_of_float16")});
}

}  // namespace onnx_lower
