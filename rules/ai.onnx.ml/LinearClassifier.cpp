// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "families/rows.h"
#include "rules/body.h"
#include "scores/scores.h"

namespace onnx_lower::native_rules::ai_onnx_ml_LinearClassifier {
namespace {

// The places of labels where each row has one score: the second label is for those above 0.
std::string append_places_of_two(Body& body) {
  body("is_second", "Greater", {"scores", body.float_scalar(0, "zero")});
  body("column", "Cast", {"is_second"}, {{"to", onnx::TensorProto::INT64}});
  return body.reshape("column", {-1}, "place");
}

// One score and two labels become two scores.
std::string append_scores(Body& body, PostTransform transform, int64_t classes, bool has_two_labels) {
  if (classes > 1) return transformed_scores(body, transform, "scores");
  if (has_two_labels) return two_columns(body, transform, "scores", FirstColumn::complement);
  return transformed_column(body, transform, "scores");
}

Lowering lower(const CallSite& site) {
  std::vector<float> coefficients = site.attribute_floats("coefficients", {});
  const std::vector<float> intercepts = site.attribute_floats("intercepts", {});
  // The kernel has as many classes as intercepts.
  const int64_t classes = std::ssize(intercepts);
  if (classes == 0) return Declined{"it has no intercepts, one for each class, of which some may be 0", {"intercepts"}};
  const int64_t features = features_of(site, std::ssize(coefficients), classes);
  coefficients.resize(list_size({features, classes}));
  ClassLabels labels = class_labels_of(site, "classlabels_ints");
  const bool has_two_labels = labels.count() == 2;
  if (classes > 1 && labels.count() < intercepts.size())
    return Declined{fmt::format("it has {} labels for {} classes", labels.count(), classes)};
  Body body("ai.onnx.ml", "LinearClassifier", {"X"}, {"Y", "Z"}, 13);
  const std::string rows = rows_of_features(body, site, "X", features);
  const std::string weights = matrix(body, coefficients, classes, true, "weights");
  body("scores", "Gemm", {rows, weights, vector_of(body, intercepts, "intercepts")});
  if (site.has_output(0) && classes == 1) {
    if (!has_two_labels) labels = labels.strings.empty() ? ClassLabels{{0, 1}, {}} : ClassLabels{{}, {"0", "1"}};
    labels_at(body, "Y", labels, append_places_of_two(body));
  } else if (site.has_output(0)) {
    body("place", "ArgMax", {"scores"}, {{"axis", 1}, {"keepdims", 0}});
    labels_at(body, "Y", labels, "place");
  }
  if (site.has_output(1))
    body("Z", "Identity", {append_scores(body, post_transform_of(site), classes, has_two_labels)});
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
