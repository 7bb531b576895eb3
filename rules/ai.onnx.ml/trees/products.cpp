// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Decision trees without comparisons, choices, and gathers whose indices the run gives: whether a
// row comes by a node is a number, 1 or 0. It is multiplied by what the node says of the row, 1 or
// 0 as well, for one child, and the rest is for the other one. Level by level, all trees at once.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "forest.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

bool compares_below(Branch branch) { return branch == Branch::lt || branch == Branch::gte; }
bool compares_both(Branch branch) { return branch == Branch::eq || branch == Branch::neq; }

// The child of rows whose feature is above the split, for lt and gte below it, for eq and neq
// another one.
std::size_t far_child(const TreeNode& node) {
  const bool is_yes = node.branch == Branch::gt || node.branch == Branch::lt || node.branch == Branch::neq;
  return is_yes ? node.yes : node.no;
}

std::size_t near_child(const TreeNode& node) { return far_child(node) == node.yes ? node.no : node.yes; }

}  // namespace

void ForestBody::add_assumptions(onnx::FunctionProto& function) const {
  if (descent_ == Descent::gathers || !may_be_nan_) return;
  add_assumption(function, "no feature is NaN", "for a row with NaN its scores may be anything");
}

std::vector<double> ForestBody::counted(std::vector<double> numbers) const {
  // Of one target, the base value counts in any case.
  for (std::size_t target = 0; forest_.targets > 1 && target < numbers.size(); ++target) {
    if (!has_votes_[target]) decline("some rows have no votes for a target, which a comparison finds out");
    if (!*has_votes_[target]) numbers[target] = 0;
  }
  return numbers;
}

// The inner nodes level by level. Two nodes with the same child are two ways to it, of which there
// may be many; the rule declines where there are more than a runtime would want.
std::vector<ForestBody::Level> ForestBody::levels() const {
  constexpr std::size_t most = std::size_t{1} << 18;
  std::vector<Level> levels;
  std::size_t count = 0;
  const auto is_inner = [&](std::size_t place) { return forest_.nodes[place].branch != Branch::leaf; };
  Level level;
  std::ranges::copy_if(forest_.roots, std::back_inserter(level), is_inner);
  while (!level.empty()) {
    count += level.size();
    if (count > most) decline(fmt::format("its trees have more than {} nodes, for products of columns", most));
    Level next;
    for (const auto child : {far_child, near_child}) {
      for (const std::size_t place : level) {
        const std::size_t found = child(forest_.nodes[place]);
        if (is_inner(found)) next.push_back(found);
      }
    }
    levels.push_back(std::move(level));
    level = std::move(next);
  }
  return levels;
}

// Columns of `columns`, of which there are `count`.
std::string ForestBody::chosen(const std::string& columns, const Ints& places, std::size_t count,
                               std::string_view stem) {
  if (static_cast<std::size_t>(std::ssize(places)) == count && std::ranges::is_sorted(places) &&
      places.back() + 1 == std::ssize(places) && std::ranges::adjacent_find(places) == places.end())
    return columns;
  if (descent_ == Descent::products)
    return body_.made(stem, "Gather", {columns, body_.ints(places, "columns")}, {{"axis", 1}});
  const Ints dims{static_cast<int64_t>(count), std::ssize(places)};
  std::vector<double> ones(list_size(dims));
  for (std::size_t i = 0; i < places.size(); ++i) ones[static_cast<std::size_t>(places[i]) * places.size() + i] = 1;
  return body_.made(stem, "MatMul", {columns, body_.constant(body_.fresh("columns"), tensor_of(type_, dims, ones))});
}

// For each row and inner node 1 or 0: whether the row goes on to the far child. The difference of
// two floats is 0 only if they are equal.
std::string ForestBody::divisions(const std::vector<Level>& levels) {
  Ints features;
  std::vector<double> splits, signs, both;
  for (const Level& level : levels) {
    for (const std::size_t place : level) {
      const TreeNode& node = forest_.nodes[place];
      if (!std::isfinite(node.split)) decline("a split is not finite, from which nothing can be subtracted");
      features.push_back(static_cast<int64_t>(node.feature));
      splits.push_back(node.split);
      signs.push_back(compares_below(node.branch) ? -1 : 1);
      both.push_back(compares_both(node.branch) ? -1 : 0);
    }
  }
  std::string values = features_;
  if (descent_ == Descent::products) {
    values = body_.made("value", "Gather", {values, body_.ints(features, "feature")}, {{"axis", 1}});
  } else {
    // A product of infinity and 0 would be NaN.
    constexpr double greatest = std::numeric_limits<float>::max();
    values = body_.made("finite", "Clip", {values, number(-greatest), number(greatest)});
    values = chosen(values, features, static_cast<std::size_t>(site_.need_dim(0, -1)), "value");
  }
  std::string distance = body_.made("distance", "Sub", {values, list("split", splits, true)});
  if (std::ranges::find(signs, -1.0) != signs.end())
    distance = body_.made("signed", "Mul", {distance, list("sign", signs, true)});
  if (std::ranges::find(both, -1.0) != both.end()) {
    // A product of infinity and 0 would be NaN.
    distance = body_.made("bounded", "Clip", {distance, number(-1), number(1)});
    const std::string opposite = body_.made("opposite", "Mul", {distance, list("opposite_sign", both, true)});
    distance = body_.made("farther", "Max", {distance, opposite});
  }
  return body_.made("is_far", "Sign", {body_.made("above", "Relu", {distance})});
}

// The sums of the votes of those children that are leaves, [N, targets]; nothing where none is.
std::string ForestBody::votes_of(const Level& children, const std::string& passes) {
  std::vector<double> weights(list_size({std::ssize(children), static_cast<int64_t>(forest_.targets)}));
  bool is_any = false;
  for (std::size_t i = 0; i < children.size(); ++i) {
    for (const Vote& vote : forest_.nodes[children[i]].votes) {
      weights[i * forest_.targets + vote.target] += vote.weight;
      is_any = true;
    }
  }
  if (!is_any) return {};
  const Ints dims{std::ssize(children), static_cast<int64_t>(forest_.targets)};
  const std::string table = body_.constant(body_.fresh("weights"), tensor_of(type_, dims, weights));
  return body_.made("votes", "MatMul", {passes, table});
}

std::string ForestBody::sums_by_products(Aggregate aggregate) {
  if (aggregate == Aggregate::min || aggregate == Aggregate::max) decline("it has extremes of votes, and not sums");
  if (type_ != TensorProto::FLOAT) decline("its numbers are double, which are compared exactly or not at all");
  const std::vector<Level> all = levels();
  if (all.empty()) decline("its trees compare nothing");
  const std::string is_far = divisions(all);
  std::vector<double> always(forest_.targets);
  for (const std::size_t root : forest_.roots) {
    for (const Vote& vote : forest_.nodes[root].votes) always[vote.target] += vote.weight;
  }
  std::string score, passes;
  std::int64_t start = 0;
  const auto add = [&](const std::string& more) {
    score = score.empty() ? more : body_.made("score", "Add", {score, more});
  };
  for (std::size_t depth = 0; depth < all.size(); ++depth) {
    const Level& level = all[depth];
    const int64_t end = start + std::ssize(level);
    std::string far = all.size() == 1 ? is_far : body_.slice(is_far, start, end, 1, "is_far");
    start = end;
    std::string near;
    if (passes.empty()) {
      near = body_.made("near", "Sub", {number(1), far});
    } else {
      far = body_.made("far", "Mul", {passes, far});
      near = body_.made("near", "Sub", {passes, far});
    }
    const std::string both = body_.made("children", "Concat", {far, near}, {{"axis", 1}});
    Level children;
    Ints inner;
    for (const auto child : {far_child, near_child}) {
      for (const std::size_t place : level) {
        children.push_back(child(forest_.nodes[place]));
        if (forest_.nodes[children.back()].branch != Branch::leaf) inner.push_back(std::ssize(children) - 1);
      }
    }
    if (const std::string votes = votes_of(children, both); !votes.empty()) add(votes);
    if (!inner.empty()) passes = chosen(both, inner, children.size(), "passes");
  }
  if (score.empty()) decline("its trees have no votes");
  if (std::ranges::any_of(always, [](double weight) { return weight != 0; })) add(list("always", always, true));
  if (aggregate == Aggregate::average)
    return body_.made("average", "Div", {score, number(static_cast<double>(tree_count_))});
  return score;
}

}  // namespace onnx_lower
