// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <string>
#include <vector>

#include "families/kernels.h"
#include "families/rows.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_ml_SVMRegressor {
namespace {

Lowering lower(const CallSite& site) {
  const std::vector<float> coefficients = site.attribute_floats("coefficients", {});
  const std::vector<float> vectors = site.attribute_floats("support_vectors", {});
  const std::vector<float> rho = site.attribute_floats("rho", {});
  const auto count = static_cast<int64_t>(coefficients.size()), numbers = static_cast<int64_t>(vectors.size());
  const int64_t supports = site.attribute_int("n_supports", 0);
  if (count == 0) return Declined{"it has no coefficients", {"coefficients"}};
  if (rho.empty()) return Declined{"it has no rho", {"rho"}};
  if (supports > 0 && (count != supports || numbers == 0 || numbers % supports != 0))
    return Declined{
        fmt::format("it has {} coefficients and {} numbers of vectors for {} vectors", count, numbers, supports)};
  const VectorKernel kernel = kernel_of(site);
  Body body("ai.onnx.ml", "SVMRegressor", {"X"}, {"Y"}, 13);
  std::string factors = rows_of_features(body, site, "X", supports > 0 ? numbers / supports : count);
  // Without vectors, the coefficients are those of the features.
  if (supports > 0) factors = append_kernels(body, kernel, factors, vectors, supports);
  std::string sums;
  if (supports == 1) {
    // OpenVINO 2026.4 compiles no product with a matrix of one element behind another product.
    const std::string product = body.made("product", "Mul", {factors, body.float_scalar(coefficients[0], "weight")});
    sums = body.made("sums", "Add", {product, body.float_scalar(rho[0], "rho")});
  } else {
    const std::string weights = matrix(body, coefficients, 1, true, "weights");
    sums = body.made("sums", "Gemm", {factors, weights, vector_of(body, {rho[0]}, "rho")});
  }
  if (site.attribute_int("one_class", 0) == 0) {
    body("Y", "Identity", {sums});
  } else {
    body("is_inside", "Greater", {sums, body.float_scalar(0, "zero")});
    body("Y", "Where", {"is_inside", body.float_scalar(1, "inside"), body.float_scalar(-1, "outside")});
  }
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx.ml",
                      .op_type = "SVMRegressor",
                      .summary = "A weighted sum of what each row has in common with support vectors.",
                      .source = "ai.onnx.ml SVMRegressor-1, and ONNX Runtime's kernel, which transforms no scores",
                      .attributes =
                          "coefficients, kernel_params, kernel_type, n_supports, one_class, post_transform, "
                          "rho, support_vectors",
                      .required_attributes = "coefficients, rho",
                      .inputs = "X",
                      .needed_inputs = 1,
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_SVMRegressor
