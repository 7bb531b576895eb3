// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <array>
#include <utility>

#include "../scores/scores.h"
#include "forest.h"

namespace onnx_lower::native_rules::ai_onnx_ml_TreeEnsembleRegressor {
namespace {

using onnx::TensorProto;

// Scores in the type that they are computed in, transformed in float, which the kernels do as well;
// of one target, PROBIT alone is done.
std::string transformed(ForestBody& trees, Body& body, PostTransform transform, const std::string& scores,
                        std::size_t targets) {
  const bool is_kept = transform == PostTransform::none || (targets == 1 && transform != PostTransform::probit);
  if (is_kept) return scores;
  const std::string in_float = trees.in_float(scores);
  const std::string made =
      targets == 1 ? transformed_column(body, transform, in_float) : transformed_scores(body, transform, in_float);
  return trees.type() == TensorProto::FLOAT ? made : body.made("wide", "Cast", {made}, {{"to", trees.type()}});
}

Lowering made(const CallSite& site, std::string_view op_type, Forest forest, Aggregate aggregate,
              PostTransform transform, const std::vector<double>& base, TensorProto::DataType type, Descent descent) {
  Body body("ai.onnx.ml", op_type, {"X"}, {"Y"}, 13);
  const std::size_t targets = forest.targets;
  if (!base.empty() && base.size() != targets)
    return Declined{fmt::format("it has {} base values for {} targets", base.size(), targets)};
  ForestBody trees(site, body, std::move(forest), descent);
  std::string scores = trees.scores(aggregate);
  if (!base.empty() && !trees.may_compare()) {
    scores = body.made("sum", "Add", {scores, trees.list("base", trees.counted(base), true)});
  } else if (!base.empty()) {
    const std::string sum = body.made("sum", "Add", {scores, trees.list("base", base, true)});
    // Where a row has no votes for one of several targets, the kernel does not add its base value.
    scores = targets == 1 || trees.has_votes_for_all()
                 ? sum
                 : body.made("counted", "Where", {trees.votes_are_there(), sum, scores});
  }
  scores = transformed(trees, body, transform, scores, targets);
  if (trees.type() == type) {
    body("Y", "Identity", {scores});
  } else {
    body("Y", "Cast", {scores}, {{"to", type}});
  }
  onnx::FunctionProto function = std::move(body).function();
  trees.add_assumptions(function);
  return function;
}

template <Descent descent>
Lowering lower_regressor(const CallSite& site) {
  const std::string word = site.need_choice("aggregate_function", "SUM", {"SUM", "AVERAGE", "MIN", "MAX"});
  const Aggregate aggregate = word == "SUM"       ? Aggregate::sum
                              : word == "AVERAGE" ? Aggregate::average
                              : word == "MIN"     ? Aggregate::min
                                                  : Aggregate::max;
  const int64_t targets = site.attribute_int("n_targets", 0);
  if (targets <= 0) return Declined{"n_targets is no positive number", {"n_targets"}};
  return made(site, "TreeEnsembleRegressor", forest_of_lists(site, "target", static_cast<std::size_t>(targets)),
              aggregate, post_transform_of(site), base_values_of(site), TensorProto::FLOAT, descent);
}

template <Descent descent>
Lowering lower_ensemble(const CallSite& site) {
  // In the order of the numbers that these attributes may be. ONNX Runtime, the only runtime that
  // has this operator, has 1 and 2 of the transforms the other way round than ONNX.
  constexpr std::array aggregates{Aggregate::average, Aggregate::sum, Aggregate::min, Aggregate::max};
  constexpr std::array transforms{PostTransform::none, PostTransform::logistic, PostTransform::softmax,
                                  PostTransform::softmax_zero, PostTransform::probit};
  const auto aggregate = static_cast<std::size_t>(site.attribute_int("aggregate_function", 1));
  const auto transform = static_cast<std::size_t>(site.attribute_int("post_transform", 0));
  if (aggregate >= aggregates.size()) return Declined{"it does not know that aggregate_function"};
  if (transform >= transforms.size()) return Declined{"it does not know that post_transform"};
  Lowering lowering =
      made(site, "TreeEnsemble", forest_of_tensors(site), aggregates.at(aggregate), transforms.at(transform), {},
           static_cast<TensorProto::DataType>(site.need_dtype(0)), descent);
  auto* function = std::get_if<onnx::FunctionProto>(&lowering);
  if (function != nullptr && (transform == 1 || transform == 2) && site.attribute_int("n_targets", 1) > 1) {
    add_assumption(
        *function,
        fmt::format("post_transform = {} is {}, as ONNX Runtime computes it, and not {}, as ONNX says", transform,
                    transform == 1 ? "LOGISTIC" : "SOFTMAX", transform == 1 ? "SOFTMAX" : "LOGISTIC"),
        fmt::format("if it is as ONNX says, say --set ai.onnx.ml::TreeEnsemble.post_transform={}", 3 - transform));
  }
  return lowering;
}

constexpr NativeRule regressor(std::string_view summary, RuleTurn turn, Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx.ml",
          .op_type = "TreeEnsembleRegressor",
          .summary = summary,
          .source = "ai.onnx.ml TreeEnsembleRegressor-1, TreeEnsembleRegressor-3, and ONNX Runtime's kernel",
          .attributes =
              "aggregate_function, base_values, base_values_as_tensor, n_targets, nodes_falsenodeids, "
              "nodes_featureids, nodes_hitrates, nodes_hitrates_as_tensor, "
              "nodes_missing_value_tracks_true, nodes_modes, nodes_nodeids, nodes_treeids, "
              "nodes_truenodeids, nodes_values, nodes_values_as_tensor, post_transform, target_ids, "
              "target_nodeids, target_treeids, target_weights, target_weights_as_tensor",
          .turn = turn,
          .inputs = "X",
          .needed_inputs = 1,
          .most_inputs = 1,
          .lower = lower};
}

constexpr NativeRule ensemble(std::string_view summary, RuleTurn turn, Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx.ml",
          .op_type = "TreeEnsemble",
          .summary = summary,
          .source = "ai.onnx.ml TreeEnsemble-5, and ONNX Runtime's kernel",
          .attributes =
              "aggregate_function, leaf_targetids, leaf_weights, membership_values, n_targets, "
              "nodes_falseleafs, nodes_falsenodeids, nodes_featureids, nodes_hitrates, "
              "nodes_missing_value_tracks_true, nodes_modes, nodes_splits, nodes_trueleafs, "
              "nodes_truenodeids, post_transform, tree_roots",
          .turn = turn,
          .inputs = "X",
          .needed_inputs = 1,
          .most_inputs = 1,
          .lower = lower};
}

constexpr std::string_view by_gathers =
    "Sums, averages or extremes of what decision trees give, by gathers level by level.";
constexpr std::string_view by_products =
    "Sums or averages, for runtimes without comparisons, by products level by level.";
constexpr std::string_view by_products_alone = "The same for runtimes without gathers, too.";

const std::array rules{regressor(by_gathers, RuleTurn::usual, lower_regressor<Descent::gathers>),
                       regressor(by_products, RuleTurn::last_resort, lower_regressor<Descent::products>),
                       regressor(by_products_alone, RuleTurn::last_resort, lower_regressor<Descent::products_alone>),
                       ensemble(by_gathers, RuleTurn::usual, lower_ensemble<Descent::gathers>),
                       ensemble(by_products, RuleTurn::last_resort, lower_ensemble<Descent::products>),
                       ensemble(by_products_alone, RuleTurn::last_resort, lower_ensemble<Descent::products_alone>)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_TreeEnsembleRegressor
