// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// SVMClassifier. With support vectors, each pair of classes has a score, which is a vote for one of
// them; without, each class has the score of a linear model. The scores of all pairs are one
// product of matrices, with zeros for the vectors of other classes: where a kernel of those is NaN,
// which needs a feature that is NaN or infinite, so are all scores of the row.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "families/kernels.h"
#include "families/probabilities.h"
#include "families/rows.h"
#include "rules/body.h"
#include "scores/scores.h"

namespace onnx_lower::native_rules::ai_onnx_ml_SVMClassifier {
namespace {

struct Machine {
  std::vector<float> coefficients, rho, vectors;
  Ints vectors_of;  // how many vectors each class has
  int64_t classes = 0;

  int64_t supports() const { return std::accumulate(vectors_of.begin(), vectors_of.end(), int64_t{0}); }
  int64_t pairs() const { return classes * (classes - 1) / 2; }
};

Machine machine_of(const CallSite& site, std::size_t classes) {
  Machine machine{site.attribute_floats("coefficients", {}), site.attribute_floats("rho", {}),
                  site.attribute_floats("support_vectors", {}), site.attribute_ints("vectors_per_class", {}),
                  static_cast<int64_t>(classes)};
  for (const int64_t count : machine.vectors_of) {
    if (count < 0) decline(fmt::format("vectors_per_class has {}", count));
  }
  const int64_t supports = machine.supports();
  if (machine.rho.empty()) decline("it has no rho");
  const auto coefficients = static_cast<int64_t>(machine.coefficients.size());
  if (supports == 0) {
    if (coefficients == 0 || coefficients % machine.classes != 0)
      decline(fmt::format("it has {} coefficients for {} classes", coefficients, machine.classes));
    return machine;
  }
  if (machine.classes < 2) decline("it has one class");
  if (machine.vectors_of.size() != classes) decline("vectors_per_class is not of all classes");
  list_size({machine.classes, machine.classes, supports});
  if (coefficients < (machine.classes - 1) * supports || static_cast<int64_t>(machine.rho.size()) < machine.pairs())
    decline("it has fewer coefficients or rho than pairs of classes need");
  const auto numbers = static_cast<int64_t>(machine.vectors.size());
  if (numbers == 0 || numbers % supports != 0)
    decline(fmt::format("it has {} numbers for {} support vectors", numbers, supports));
  return machine;
}

// The weights of all vectors in each pair's score, and what each pair's vote says of each class.
// A vote is 1 for the first class of the pair, or 0: then the second class has what is left of 1.
struct Pairs {
  std::vector<double> weights, votes, left;
};

Pairs pairs_of(const Machine& machine) {
  const auto classes = static_cast<std::size_t>(machine.classes), pairs = static_cast<std::size_t>(machine.pairs());
  const auto supports = static_cast<std::size_t>(machine.supports());
  std::vector<std::size_t> from(classes + 1, 0);
  for (std::size_t index = 0; index < classes; ++index)
    from[index + 1] = from[index] + static_cast<std::size_t>(machine.vectors_of[index]);
  Pairs made{std::vector<double>(list_size({machine.supports(), machine.pairs()})),
             std::vector<double>(pairs * classes), std::vector<double>(classes)};
  std::size_t pair = 0;
  for (std::size_t one = 0; one + 1 < classes; ++one) {
    for (std::size_t other = one + 1; other < classes; ++other, ++pair) {
      for (std::size_t vector = from[one]; vector < from[one + 1]; ++vector)
        made.weights[vector * pairs + pair] = machine.coefficients[(other - 1) * supports + vector];
      for (std::size_t vector = from[other]; vector < from[other + 1]; ++vector)
        made.weights[vector * pairs + pair] = machine.coefficients[one * supports + vector];
      made.votes[pair * classes + one] = 1;
      made.votes[pair * classes + other] = -1;
      ++made.left[other];
    }
  }
  return made;
}

// Appends the scores of all pairs, and the place of the class with the most votes.
std::string append_pairs(Body& body, const CallSite& site, const Machine& machine) {
  const int64_t supports = machine.supports(), pairs = machine.pairs();
  const std::string rows = rows_of_features(body, site, "X", static_cast<int64_t>(machine.vectors.size()) / supports);
  const std::string kernels = append_kernels(body, kernel_of(site), rows, machine.vectors, supports);
  const Pairs made = pairs_of(machine);
  body.constant("weights", tensor_of(onnx::TensorProto::FLOAT, {supports, pairs}, made.weights));
  const std::vector<float> rho(machine.rho.begin(), machine.rho.begin() + pairs);
  const std::string scores = body.made("scores", "Gemm", {kernels, "weights", vector_of(body, rho, "rho")});
  if (!site.has_output(0)) return scores;
  body("is_first", "Greater", {scores, body.float_scalar(0, "zero")});
  body("votes_of_pairs", "Cast", {"is_first"}, {{"to", onnx::TensorProto::FLOAT}});
  body.constant("classes_of_pairs", tensor_of(onnx::TensorProto::FLOAT, {pairs, machine.classes}, made.votes));
  body.constant("seconds", tensor_of(onnx::TensorProto::FLOAT, {machine.classes}, made.left));
  body("votes", "Gemm", {"votes_of_pairs", "classes_of_pairs", "seconds"});
  body("place", "ArgMax", {"votes"}, {{"axis", 1}, {"keepdims", 0}});
  return scores;
}

// Appends the scores of a linear model, and the place of the greatest. Of two classes, it is the
// second one as soon as any score is positive, or at least a half where no coefficient is negative.
std::string append_linear(Body& body, const CallSite& site, const Machine& machine) {
  const auto count = static_cast<int64_t>(machine.coefficients.size());
  const std::string rows = rows_of_features(body, site, "X", count / machine.classes);
  const std::string weights = matrix(body, machine.coefficients, machine.classes, true, "weights");
  const std::string scores = body.made("scores", "Gemm", {rows, weights, vector_of(body, {machine.rho[0]}, "rho")});
  if (!site.has_output(0)) return scores;
  body("greatest_place", "ArgMax", {scores}, {{"axis", 1}, {"keepdims", 0}});
  if (machine.classes != 2 || site.attribute("prob_a") != nullptr) {
    body("place", "Identity", {"greatest_place"});
    return scores;
  }
  body("greatest", "ReduceMax", {scores}, {{"axes", Ints{1}}, {"keepdims", 0}});
  const bool none_is_negative = std::ranges::all_of(machine.coefficients, [](float number) { return number >= 0; });
  body("is_second", none_is_negative ? "GreaterOrEqual" : "Greater",
       {"greatest", body.float_scalar(none_is_negative ? 0.5 : 0, "bound")});
  body("place", "Where", {"is_second", body.scalar(1, "second"), "greatest_place"});
  return scores;
}

Lowering lower(const CallSite& site) {
  const ClassLabels labels = class_labels_of(site, "classlabels_ints");
  const Machine machine = machine_of(site, labels.count());
  const bool has_vectors = machine.supports() > 0;
  const std::vector<float> factors = site.attribute_floats("prob_a", {}),
                           summands = site.attribute_floats("prob_b", {});
  const bool has_probabilities = has_vectors && !factors.empty();
  if (has_probabilities && (std::ssize(factors) < machine.pairs() || factors.size() != summands.size()))
    return Declined{fmt::format("it has {} prob_a and {} prob_b for {} pairs of classes", factors.size(),
                                summands.size(), machine.pairs())};
  Body body("ai.onnx.ml", "SVMClassifier", {"X"}, {"Y", "Z"}, 13);
  const std::string scores = has_vectors ? append_pairs(body, site, machine) : append_linear(body, site, machine);
  if (site.has_output(0)) labels_at(body, "Y", labels, "place");
  if (!site.has_output(1)) return body.function();
  const PostTransform transform = post_transform_of(site);
  std::string transformed;
  if (has_probabilities) {
    PairwiseCoupling coupling(body, machine.classes);
    transformed = transformed_scores(body, transform, coupling.probabilities(scores, factors, summands));
  } else if (has_vectors && machine.classes == 2) {
    const bool is_opposite = transform == PostTransform::none;
    transformed = two_columns(body, transform, scores, is_opposite ? FirstColumn::opposite : FirstColumn::complement);
  } else if (machine.classes == 1) {
    transformed = transformed_column(body, transform, scores);
  } else {
    transformed = transformed_scores(body, transform, scores);
  }
  body("Z", "Identity", {transformed});
  return body.function();
}

const NativeRule rule{
    .domain = "ai.onnx.ml",
    .op_type = "SVMClassifier",
    .summary = "The class with the most votes of the pairs of classes, and their scores.",
    .source = "ai.onnx.ml SVMClassifier-1, and ONNX Runtime's kernel",
    .attributes =
        "classlabels_ints, classlabels_strings, coefficients, kernel_params, kernel_type, post_transform, "
        "prob_a, prob_b, rho, support_vectors, vectors_per_class",
    .required_attributes = "coefficients, rho",
    .inputs = "X",
    .needed_inputs = 1,
    .most_inputs = 1,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_SVMClassifier
