// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <string>
#include <vector>

#include "families/rows.h"
#include "rules/body.h"
#include "scores/scores.h"

namespace onnx_lower::native_rules::ai_onnx_ml_LinearRegressor {
namespace {

Lowering lower(const CallSite& site) {
  std::vector<float> coefficients = site.attribute_floats("coefficients", {});
  const int64_t targets = site.attribute_int("targets", 1);
  if (targets < 1) return Declined{fmt::format("its number of targets is {}", targets)};
  const int64_t features = features_of(site, std::ssize(coefficients), targets);
  coefficients.resize(list_size({features, targets}));
  Body body("ai.onnx.ml", "LinearRegressor", {"X"}, {"Y"}, 13);
  const std::string rows = rows_of_features(body, site, "X", features);
  const std::string weights = matrix(body, coefficients, targets, true, "weights");
  const std::vector<float> intercepts = site.attribute_floats("intercepts", {});
  std::string sums;
  // Another number of intercepts means none.
  if (static_cast<int64_t>(intercepts.size()) == targets) {
    sums = body.made("sums", "Gemm", {rows, weights, vector_of(body, intercepts, "intercepts")});
  } else {
    sums = body.made("sums", "MatMul", {rows, weights});
  }
  const PostTransform transform = post_transform_of(site);
  body("Y", "Identity",
       {targets == 1 ? transformed_column(body, transform, sums) : transformed_scores(body, transform, sums)});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx.ml",
                      .op_type = "LinearRegressor",
                      .summary = "Products with coefficients, and intercepts.",
                      .source = "ai.onnx.ml LinearRegressor-1, and ONNX Runtime's kernel",
                      .attributes = "coefficients, intercepts, post_transform, targets",
                      .required_attributes = "coefficients",
                      .inputs = "X",
                      .needed_inputs = 1,
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_LinearRegressor
