// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The kernels of support vector machines: what a row of features and a vector have in common.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rows.h"
#include "rules/body.h"

namespace onnx_lower {

struct VectorKernel {
  std::string type;
  float gamma = 0, offset = 0, degree = 0;
};

inline VectorKernel kernel_of(const CallSite& site) {
  VectorKernel kernel{site.need_choice("kernel_type", "LINEAR", {"LINEAR", "POLY", "RBF", "SIGMOID"})};
  const std::vector<float> given = site.attribute_floats("kernel_params", {});
  if (!given.empty() && given.size() < 3) decline("its kernel_params are not gamma, coef0 and degree");
  if (!given.empty()) {
    kernel.gamma = given[0];
    kernel.offset = given[1];
    kernel.degree = given[2];
  }
  return kernel;
}

// exp(-gamma |row - vector|²). Differences, as products would lose what is small beside them.
inline std::string append_radial_kernel(Body& body, const VectorKernel& kernel, const std::string& rows,
                                        const std::vector<float>& vectors, int64_t count) {
  const std::string table = matrix(body, vectors, count, false, "vectors");
  const std::string difference = body.made("difference", "Sub", {body.unsqueeze(rows, {1}, "each"), table});
  const std::string squares = body.made("squares", "Mul", {difference, difference});
  // The sum is a product, which all runtimes make of no rows.
  const auto features = static_cast<int64_t>(vectors.size()) / count;
  const std::vector<float> ones(static_cast<std::size_t>(features), 1.0F);
  const std::string sums = body.made("sums", "MatMul", {squares, matrix(body, ones, features, false, "ones")});
  const std::string distance = body.made("distance", "Squeeze", {sums, body.ints({-1}, "axis")});
  const std::string exponent = body.made("exponent", "Mul", {distance, body.float_scalar(-kernel.gamma, "gamma")});
  return body.made("kernels", "Exp", {exponent});
}

// One number for each row and each of `count` vectors.
inline std::string append_kernels(Body& body, const VectorKernel& kernel, const std::string& rows,
                                  const std::vector<float>& vectors, int64_t count) {
  if (kernel.type == "RBF") return append_radial_kernel(body, kernel, rows, vectors, count);
  std::string dots = body.made("dots", "MatMul", {rows, matrix(body, vectors, count, true, "vectors")});
  if (kernel.type == "LINEAR") return dots;
  dots = body.made("scaled", "Mul", {dots, body.float_scalar(kernel.gamma, "gamma")});
  if (kernel.offset != 0) dots = body.made("shifted", "Add", {dots, body.float_scalar(kernel.offset, "offset")});
  if (kernel.type == "SIGMOID") return body.made("kernels", "Tanh", {dots});
  if (kernel.degree == 2) return body.made("kernels", "Mul", {dots, dots});
  if (kernel.degree == 3) return body.made("kernels", "Mul", {body.made("square", "Mul", {dots, dots}), dots});
  return body.made("kernels", "Pow", {dots, body.float_scalar(kernel.degree, "degree")});
}

}  // namespace onnx_lower
