// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "families/rows.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_ml_LinearClassifier {
namespace {

// The labels of one score for each row: of two classes, or 0 and 1, the first one up to a score of
// 0.
void append_labels_of_two(Body& body, const std::string& scores, Ints labels) {
  body("is_second", "Greater", {scores, body.float_scalar(0, "zero")});
  body("column", "Cast", {"is_second"}, {{"to", onnx::TensorProto::INT64}});
  append_labels(body, "Y", body.reshape("column", {-1}, "place"), labels);
}

Lowering lower(const CallSite& site) {
  const std::vector<float> coefficients = site.attribute_floats("coefficients", {});
  const std::vector<float> intercepts = site.attribute_floats("intercepts", {});
  // The kernel has as many classes as intercepts.
  const auto classes = static_cast<int64_t>(intercepts.size()), count = static_cast<int64_t>(coefficients.size());
  if (classes == 0) return Declined{"it has no intercepts, one for each class, of which some may be 0", {"intercepts"}};
  if (count == 0 || count % classes != 0)
    return Declined{fmt::format("it has {} coefficients for {} intercepts", count, classes)};
  const Ints labels = integer_labels(site, classes == 1 ? 0 : intercepts.size());
  Body body("ai.onnx.ml", "LinearClassifier", {"X"}, {"Y", "Z"}, 18);
  const std::string rows = rows_of_features(body, site, "X", count / classes);
  const std::string weights = matrix(body, coefficients, classes, true, "weights");
  body("scores", "Gemm", {rows, weights, vector_of(body, intercepts, "intercepts")});
  if (site.has_output(0) && classes == 1) {
    append_labels_of_two(body, "scores", labels.size() == 2 ? labels : Ints{0, 1});
  } else if (site.has_output(0)) {
    body("place", "ArgMax", {"scores"}, {{"axis", 1}, {"keepdims", 0}});
    append_labels(body, "Y", "place", labels);
  }
  if (site.has_output(1)) body("Z", "Identity", {"scores"});
  return body.function();
}

const NativeRule rule{
    .domain = "ai.onnx.ml",
    .op_type = "LinearClassifier",
    .summary = "Products with the coefficients of each class, and the label of the greatest.",
    .source = "ai.onnx.ml LinearClassifier-1, and ONNX Runtime's kernel, which takes no notice of multi_class",
    .attributes = "classlabels_ints, classlabels_strings, coefficients, intercepts, multi_class, post_transform",
    .required_attributes = "coefficients",
    .inputs = "X",
    .needed_inputs = 1,
    .most_inputs = 1,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_LinearClassifier
