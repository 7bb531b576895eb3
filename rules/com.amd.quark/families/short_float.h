// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Numbers of 16 bits in float: a cast to such a type and back is one that runtimes leave out.
#pragma once

#include <cmath>
#include <limits>

#include "rules/body.h"

namespace onnx_lower {

// x as bfloat16 would have it; only numbers below 2^-119, whose gaps some runtimes do not have, are
// farther apart.
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

// The same of float16, whose greatest number stands for all that are greater.
inline std::string as_float16(Body& body, const std::string& x) {
  body.import("onnx_lower", 1);
  return body(
      "x_float16", "onnx_lower.FloatOfBits",
      {x, body.float_scalar(std::ldexp(1.0, -10), "gap_of_float16"),
       body.float_scalar(std::ldexp(1.0, -14), "least_of_float16"), body.float_scalar(65504.0, "most_of_float16")});
}

}  // namespace onnx_lower
