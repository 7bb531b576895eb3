// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "../scores/scores.h"
#include "forest.h"

namespace onnx_lower::native_rules::ai_onnx_ml_TreeEnsembleClassifier {
namespace {

using onnx::TensorProto;

// What the kernel of ONNX Runtime asks of the votes of all leaves.
struct Weights {
  bool are_of_one_class = false, are_all_positive = true;
};

Weights weights_of(const Forest& forest) {
  Weights found;
  std::vector<bool> is_there(forest.targets);
  for (const TreeNode& node : forest.nodes) {
    for (const Vote& vote : node.votes) {
      is_there[vote.target] = true;
      if (vote.weight < 0) found.are_all_positive = false;
    }
  }
  found.are_of_one_class = std::ranges::count(is_there, true) == 1;
  return found;
}

// The scores and the place of the label, of each row; [N, E] float, and [N, 1] bool or [N] int64:
// of one or two classes it is bool where values may be compared.
struct Result {
  std::string scores, place;
};

class Classifier {
 public:
  Classifier(const CallSite& site, Body& body, Forest forest, Descent descent)
      : body_(body),
        transform_(post_transform_of(site)),
        base_(base_values_of(site)),
        targets_(forest.targets),
        weights_(weights_of(forest)),
        trees_(site, body, std::move(forest), descent) {}

  const ForestBody& trees() const { return trees_; }

  Result result() {
    const std::size_t most_base_values = targets_ <= 2 ? 2 : targets_;
    const bool is_any_count = targets_ <= 2 && base_.size() <= most_base_values;
    if (!is_any_count && !base_.empty() && base_.size() != targets_)
      decline(fmt::format("it has {} base values for {} classes", base_.size(), targets_));
    if (targets_ == 1) return of_one();
    return targets_ == 2 ? of_two() : of_many();
  }

 private:
  // One class: the label is 1 where its score is positive, and else 0.
  Result of_one() {
    if (base_.size() == 2) decline("it has 2 base values for one class");
    std::string score = trees_.scores(Aggregate::sum);
    if (!base_.empty()) score = body_.made("sum", "Add", {score, trees_.number(base_[0])});
    return {transformed_column(body_, transform_, trees_.in_float(score)), is_above(score, 0)};
  }

  // The class with the greatest score, the first of equals, among those for which there are votes.
  Result of_many() {
    std::string scores = trees_.scores(Aggregate::sum);
    std::string compared = scores;
    if (!base_.empty()) {
      compared = scores = body_.made("sum", "Add", {scores, trees_.list("base", base_, true)});
    } else if (!trees_.has_votes_for_all()) {
      const double least = -std::numeric_limits<float>::max();
      compared = body_.made("compared", "Where", {trees_.votes_are_there(), scores, trees_.number(least)});
    }
    return {transformed_scores(body_, transform_, trees_.in_float(scores)),
            body_.made("greatest", "ArgMax", {compared}, {{"axis", 1}, {"keepdims", 0}})};
  }

  // Two classes are one number for most exporters: a row without votes for the second class has the
  // score of the first one for both, and the sign of it, or whether it is above a half, is the
  // label.
  Result of_two() {
    const std::string scores = trees_.scores(Aggregate::sum);
    first_ = body_.slice(scores, 0, 1, 1, "first");
    second_ = body_.slice(scores, 1, 2, 1, "second");
    const std::optional<bool> has_second = trees_.has_votes(1);
    if (has_second) return *has_second ? with_second() : without_second();
    const Result with = with_second(), without = without_second();
    const std::string has = has_vote(1);  // declines where values may not be compared
    return {body_.made("columns", "Where", {has, with.scores, without.scores}),
            body_.made("is_second", "Or",
                       {body_.made("with", "And", {has, with.place}),
                        body_.made("without", "And", {body_.made("has_none", "Not", {has}), without.place})})};
  }

  Result with_second() {
    std::string first = first_, second = second_;
    if (base_.size() == 2) {
      // The kernel takes the first class's score for that of the second one here.
      second = body_.made("sum", "Add", {first_, trees_.number(base_[1])});
      first = where_votes(0, body_.made("opposite", "Neg", {second}), first_);
    } else if (base_.size() == 1) {
      first = plus_base(first_, 0);
    }
    return {columns(first, second), is_above(second, least_of_second())};
  }

  Result without_second() {
    const std::string first = base_.empty() ? first_ : plus_base(first_, 0);
    const std::string place = is_above(first, least_of_second());
    if (base_.size() == 2) return {columns(first, second_), place};
    const std::string in_float = trees_.in_float(first);
    if (base_.size() == 1 && !weights_.are_of_one_class) {
      // The kernel writes one of the two columns then.
      const std::string column = transformed_column(body_, transform_, in_float);
      return {body_.made("columns", "Concat", {column, trees_.in_float(second_)}, {{"axis", 1}}), place};
    }
    const bool is_complement = weights_.are_of_one_class && weights_.are_all_positive;
    return {two_columns(body_, transform_, in_float, is_complement ? FirstColumn::complement : FirstColumn::opposite),
            place};
  }

  std::string has_vote(int64_t target) {
    return body_.slice(trees_.votes_are_there(), target, target + 1, 1, "has_vote");
  }

  double least_of_second() const { return weights_.are_of_one_class && weights_.are_all_positive ? 0.5 : 0; }

  // One value where a row has votes for the class, and the other one where it has none.
  std::string where_votes(std::size_t target, const std::string& value, const std::string& other) {
    const std::optional<bool> has = trees_.has_votes(target);
    if (has) return *has ? value : other;
    return body_.made("counted", "Where", {has_vote(static_cast<int64_t>(target)), value, other});
  }

  // Of two classes, the base value of one without votes does not count.
  std::string plus_base(const std::string& score, std::size_t target) {
    return where_votes(target, body_.made("sum", "Add", {score, trees_.number(base_[target])}), score);
  }

  std::string columns(const std::string& first, const std::string& second) {
    const std::string both = body_.made("both", "Concat", {first, second}, {{"axis", 1}});
    return transformed_scores(body_, transform_, trees_.in_float(both));
  }

  std::string is_above(const std::string& score, double least) {
    if (trees_.may_compare()) return body_.made("is_above", "Greater", {score, trees_.number(least)});
    // The second of two opposite numbers is the greatest where it is positive.
    const std::string above = least == 0 ? score : body_.made("above", "Sub", {score, trees_.number(least)});
    const std::string below = body_.made("below", "Sub", {trees_.number(least), score});
    const std::string both = body_.made("distances", "Concat", {below, above}, {{"axis", 1}});
    return body_.made("is_above", "ArgMax", {both}, {{"axis", 1}, {"keepdims", 0}});
  }

  Body& body_;
  const PostTransform transform_;
  const std::vector<double> base_;
  const std::size_t targets_;
  const Weights weights_;
  ForestBody trees_;
  std::string first_, second_;
};

template <Descent descent>
Lowering lower(const CallSite& site) {
  const ClassLabels labels = class_labels_of(site);
  Body body("ai.onnx.ml", "TreeEnsembleClassifier", {"X"}, {"Y", "Z"}, 13);
  Forest forest = forest_of_lists(site, "class", labels.count());
  const Weights weights = weights_of(forest);
  Classifier classifier(site, body, std::move(forest), descent);
  const Result result = classifier.result();
  body("Z", "Identity", {result.scores});
  std::string places = result.place;
  if (labels.count() <= 2 && classifier.trees().may_compare()) {
    const std::string flat = body.reshape(places, {-1}, "is_second");
    places = body.made("label", "Cast", {flat}, {{"to", TensorProto::INT64}});
  }
  const bool is_label_used = site.has_output(0) && site.is_read_by_others(0, {});
  // Labels that are numbers are 0 and 1, whatever they are called, where the kernel takes the
  // scores of one or two classes for one number.
  const bool is_sign = labels.count() == 1 || (labels.count() == 2 && !weights.are_of_one_class);
  if (is_sign && labels.count() == 1 && !labels.strings.empty() && is_label_used)
    return Declined{"it has one label, and nothing says what a row is called that is not of that class"};
  if (!is_label_used || (is_sign && labels.strings.empty())) {
    body("Y", "Identity", {places});
  } else {
    labels_at(body, "Y", labels, places);
  }
  onnx::FunctionProto function = std::move(body).function();
  classifier.trees().add_assumptions(function);
  return function;
}

constexpr NativeRule rule_for(std::string_view summary, RuleTurn turn, Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx.ml",
          .op_type = "TreeEnsembleClassifier",
          .summary = summary,
          .source = "ai.onnx.ml TreeEnsembleClassifier-1, TreeEnsembleClassifier-3, and ONNX Runtime's kernel",
          .attributes =
              "base_values, base_values_as_tensor, class_ids, class_nodeids, class_treeids, class_weights, "
              "class_weights_as_tensor, classlabels_int64s, classlabels_strings, nodes_falsenodeids, "
              "nodes_featureids, nodes_hitrates, nodes_hitrates_as_tensor, nodes_missing_value_tracks_true, "
              "nodes_modes, nodes_nodeids, nodes_treeids, nodes_truenodeids, nodes_values, nodes_values_as_tensor, "
              "post_transform",
          .turn = turn,
          .inputs = "X",
          .needed_inputs = 1,
          .most_inputs = 1,
          .lower = lower};
}

const std::array rules{
    rule_for("The classes that decision trees vote for, by gathers level by level, and their scores.", RuleTurn::usual,
             lower<Descent::gathers>),
    rule_for("The same for runtimes without comparisons, by products level by level.", RuleTurn::last_resort,
             lower<Descent::products>),
    rule_for("The same for runtimes without gathers, too.", RuleTurn::last_resort, lower<Descent::products_alone>)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_TreeEnsembleClassifier
