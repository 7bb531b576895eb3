// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "forest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace onnx_lower {
namespace {

using onnx::TensorProto;

constexpr std::array operators{"LessOrEqual", "Less", "GreaterOrEqual", "Greater", "Equal", "Equal"};

// For each node the number of steps to the leaf that is farthest. The rule declines a forest in
// which a way comes back to where it was.
class Depths {
 public:
  explicit Depths(const Forest& forest) : forest_(forest), depths_(forest.nodes.size(), not_known) {}

  std::size_t of(std::size_t root) {
    std::vector<std::size_t> way{root};
    while (!way.empty()) {
      const std::size_t place = way.back();
      const TreeNode& node = forest_.nodes[place];
      if (node.branch == Branch::leaf) {
        depths_[place] = 0;
      } else if (depths_[place] == not_known) {
        depths_[place] = on_the_way;
        visit(node.yes, way);
        visit(node.no, way);
        continue;
      } else if (depths_[place] == on_the_way) {
        depths_[place] = 1 + std::max(depths_[node.yes], depths_[node.no]);
      }
      way.pop_back();
    }
    return depths_[root];
  }

 private:
  static constexpr std::size_t not_known = std::numeric_limits<std::size_t>::max(), on_the_way = not_known - 1;

  void visit(std::size_t child, std::vector<std::size_t>& way) const {
    if (depths_[child] == on_the_way) decline("a node of a tree is below itself");
    if (depths_[child] == not_known) way.push_back(child);
  }

  const Forest& forest_;
  std::vector<std::size_t> depths_;
};

}  // namespace

ForestBody::ForestBody(const CallSite& site, Body& body, Forest forest, Descent descent)
    : site_(site), body_(body), forest_(std::move(forest)), descent_(descent) {
  if (forest_.roots.empty()) decline("it has no trees");
  if (forest_.targets == 0) decline("it has no targets");
  tree_count_ = forest_.roots.size();
  read_features();
  read_votes();
  if (descent_ != Descent::gathers) return;
  group_trees();
  order_nodes();
}

// Features of integers are compared as float, as the kernels do it.
void ForestBody::read_features() {
  const int type = site_.need_dtype(0);
  const auto rank = site_.rank(0);
  if (rank && *rank != 1 && *rank != 2) decline(fmt::format("its input has rank {}, and not 2", *rank));
  may_be_nan_ = type == TensorProto::FLOAT || type == TensorProto::DOUBLE || type == TensorProto::FLOAT16;
  if (type == TensorProto::DOUBLE || forest_.is_double) type_ = TensorProto::DOUBLE;
  features_ = "X";
  if (type != type_) features_ = body_.made("features", "Cast", {features_}, {{"to", type_}});
  if (rank == 1) features_ = body_.unsqueeze(features_, {0}, "row");
  if (!rank || !site_.dim(0, -1)) return;
  const auto count = static_cast<std::size_t>(site_.need_dim(0, -1));
  for (const TreeNode& node : forest_.nodes) {
    if (node.branch != Branch::leaf && node.feature >= count)
      decline(fmt::format("a node asks for feature {}, and its input has {}", node.feature, count));
  }
}

// Goes through all trees, for what is known of their votes.
void ForestBody::read_votes() {
  Depths depths(forest_);
  has_votes_.assign(forest_.targets, false);
  target_of_tree_.assign(tree_count_, std::nullopt);
  // The last tree that has come by, from 1 on.
  std::vector<std::size_t> seen_in(forest_.nodes.size());
  std::vector<std::size_t> leaves_of(forest_.targets);  // those with votes for a target
  for (std::size_t tree = 0; tree < tree_count_; ++tree) {
    depth_ = std::max(depth_, depths.of(forest_.roots[tree]));
    std::size_t leaf_count = 0;
    std::vector<std::size_t> targets, rest{forest_.roots[tree]};
    while (!rest.empty()) {
      const std::size_t place = rest.back();
      rest.pop_back();
      if (std::exchange(seen_in[place], tree + 1) == tree + 1) continue;
      const TreeNode& node = forest_.nodes[place];
      if (node.branch != Branch::leaf) {
        rest.insert(rest.end(), {node.no, node.yes});
        continue;
      }
      ++leaf_count;
      for (std::size_t i = 0; i < node.votes.size(); ++i) {
        const std::size_t target = node.votes[i].target;
        const auto before = std::span(node.votes).first(i);
        if (std::ranges::any_of(before, [&](const Vote& vote) { return vote.target == target; })) continue;
        if (leaves_of[target]++ == 0) targets.push_back(target);
      }
    }
    if (targets.size() == 1) target_of_tree_[tree] = targets.front();
    is_any_for_several_ = is_any_for_several_ || targets.size() > 1;
    for (const std::size_t target : targets) {
      const bool is_always = std::exchange(leaves_of[target], 0) == leaf_count;
      if (has_votes_[target] != true) has_votes_[target] = is_always ? std::optional(true) : std::nullopt;
    }
  }
}

// Where each tree votes for one target, as in gradient boosting, the trees stand in rows of one for
// each target. A leaf has one number then, and they are summed over rows. Otherwise each leaf has a
// number for each target.
void ForestBody::group_trees() {
  if (forest_.targets == 1 || is_any_for_several_) return;
  std::vector<std::vector<std::size_t>> groups(forest_.targets);
  for (std::size_t tree = 0; tree < tree_count_; ++tree) {
    if (target_of_tree_[tree]) groups[*target_of_tree_[tree]].push_back(forest_.roots[tree]);
  }
  const std::size_t most = std::ranges::max_element(groups, {}, &std::vector<std::size_t>::size)->size();
  // Rows are filled up with trees of nothing; where these would be most of them, there is more to
  // do than without rows.
  if (most == 0 || most * forest_.targets > 2 * tree_count_) return;
  const std::size_t nothing = forest_.nodes.size();
  forest_.nodes.emplace_back();
  forest_.roots.clear();
  for (std::size_t row = 0; row < most; ++row) {
    for (const std::vector<std::size_t>& group : groups)
      forest_.roots.push_back(row < group.size() ? group[row] : nothing);
  }
  trees_of_each_target_ = most;
}

void ForestBody::order_nodes() {
  constexpr std::size_t not_reached = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> numbers(forest_.nodes.size(), not_reached),
      rest(forest_.roots.rbegin(), forest_.roots.rend());
  std::vector<std::size_t> inner;
  while (!rest.empty()) {
    const std::size_t place = rest.back();
    rest.pop_back();
    if (std::exchange(numbers[place], 0) != not_reached) continue;
    const TreeNode& node = forest_.nodes[place];
    (node.branch == Branch::leaf ? order_ : inner).push_back(place);
    if (node.branch == Branch::leaf) continue;
    if (std::ranges::find(branches_, node.branch) == branches_.end()) branches_.push_back(node.branch);
    is_missing_ever_yes_ = is_missing_ever_yes_ || node.missing_is_yes;
    is_missing_always_yes_ = is_missing_always_yes_ && node.missing_is_yes;
    rest.insert(rest.end(), {node.no, node.yes});
  }
  std::ranges::sort(branches_);
  leaf_count_ = order_.size();
  order_.insert(order_.end(), inner.begin(), inner.end());
  for (std::size_t i = 0; i < order_.size(); ++i) numbers[order_[i]] = i;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const TreeNode& node = forest_.nodes[order_[i]];
    // From a leaf on, a row stays where it is.
    yes_.push_back(static_cast<int64_t>(i < leaf_count_ ? i : numbers[node.yes]));
    no_.push_back(static_cast<int64_t>(i < leaf_count_ ? i : numbers[node.no]));
  }
  for (const std::size_t root : forest_.roots) roots_.push_back(static_cast<int64_t>(numbers[root]));
}

std::string ForestBody::list(const std::string& stem, const std::vector<double>& numbers, bool is_row) {
  const auto count = static_cast<int64_t>(numbers.size());
  return body_.constant(body_.fresh(stem), tensor_of(type_, is_row ? Ints{1, count} : Ints{count}, numbers));
}

std::string ForestBody::number(double value) {
  return body_.constant(body_.fresh("number"), tensor_of(type_, {}, std::vector{value}));
}

std::string ForestBody::in_float(const std::string& value) {
  if (type_ == TensorProto::FLOAT) return value;
  return body_.made("float", "Cast", {value}, {{"to", TensorProto::FLOAT}});
}

// What the nodes with these numbers ask, as constants.
ForestBody::Questions ForestBody::questions(const Ints& numbers) {
  Ints features, branches, missing;
  std::vector<double> splits;
  for (const int64_t number : numbers) {
    const TreeNode& node = forest_.nodes[order_[static_cast<std::size_t>(number)]];
    features.push_back(static_cast<int64_t>(node.feature));
    splits.push_back(node.split);
    branches.push_back(static_cast<int64_t>(node.branch));
    missing.push_back(node.missing_is_yes ? 1 : 0);
  }
  Questions found{.feature = body_.ints(features, "feature"), .split = list("split", splits, false)};
  if (branches_.size() > 1) found.branch = body_.ints(branches, "branch");
  if (may_be_nan_ && is_missing_ever_yes_ && !is_missing_always_yes_) found.missing = body_.ints(missing, "missing");
  return found;
}

std::string ForestBody::comparison(Branch branch, const std::string& feature, const std::string& split) {
  const std::string holds = body_.made("holds", operators[static_cast<std::size_t>(branch)], {feature, split});
  return branch == Branch::neq ? body_.made("differs", "Not", {holds}) : holds;
}

// Whether rows with these features go to the child of a comparison that holds.
std::string ForestBody::answer(const std::string& feature, const Questions& asked) {
  std::string yes;
  for (const Branch branch : branches_) {
    std::string holds = comparison(branch, feature, asked.split);
    if (!asked.branch.empty()) {
      const std::string is_asked =
          body_.made("is_asked", "Equal", {asked.branch, body_.scalar(static_cast<int64_t>(branch), "code")});
      holds = body_.made("applies", "And", {is_asked, holds});
    }
    yes = yes.empty() ? holds : body_.made("yes", "Or", {yes, holds});
  }
  if (!may_be_nan_ || !is_missing_ever_yes_) return yes;
  std::string is_missing = body_.made("is_missing", "IsNaN", {feature});
  if (!asked.missing.empty()) {
    const std::string is_yes = body_.made("is_yes", "Equal", {asked.missing, body_.scalar(1, "one")});
    is_missing = body_.made("goes_yes", "And", {is_missing, is_yes});
  }
  return body_.made("yes", "Or", {yes, is_missing});
}

// All trees are at their roots, whose questions are known: [N, trees].
std::string ForestBody::first_step() {
  const Questions asked = questions(roots_);
  Ints yes, no;
  for (const int64_t root : roots_) {
    yes.push_back(yes_[static_cast<std::size_t>(root)]);
    no.push_back(no_[static_cast<std::size_t>(root)]);
  }
  const std::string feature = body_.made("value", "Gather", {features_, asked.feature}, {{"axis", 1}});
  return body_.made("place", "Where", {answer(feature, asked), body_.ints(yes, "yes"), body_.ints(no, "no")});
}

// From nodes to children, for all rows and trees at once.
std::string ForestBody::step(const std::string& places) {
  if (all_.feature.empty()) {
    Ints numbers(order_.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    all_ = questions(numbers);
    Ints children = yes_;
    children.insert(children.end(), no_.begin(), no_.end());
    children_ = body_.ints(children, "children");
    to_yes_ = body_.scalar(0, "to_yes");
    to_no_ = body_.scalar(static_cast<int64_t>(yes_.size()), "to_no");
  }
  const auto at_places = [&](const std::string& list) {
    return list.empty() ? list : body_.made("of_place", "Gather", {list, places}, {{"axis", 0}});
  };
  const Questions asked{.feature = at_places(all_.feature),
                        .split = at_places(all_.split),
                        .branch = at_places(all_.branch),
                        .missing = at_places(all_.missing)};
  const std::string feature = body_.made("value", "GatherElements", {features_, asked.feature}, {{"axis", 1}});
  const std::string offset = body_.made("offset", "Where", {answer(feature, asked), to_yes_, to_no_});
  const std::string child = body_.made("child", "Add", {places, offset});
  return body_.made("place", "Gather", {children_, child}, {{"axis", 0}});
}

// The number of the leaf for each row and tree.
std::string ForestBody::leaves() {
  if (!leaves_.empty()) return leaves_;
  const auto tree_count = static_cast<int64_t>(roots_.size());
  if (depth_ == 0) {
    const std::string roots =
        body_.constant(body_.fresh("roots"), tensor_of(TensorProto::INT64, {1, tree_count}, roots_));
    const std::string rows = body_.dim_list(features_, 0);
    const std::string shape = body_.made("shape", "Concat", {rows, body_.ints({tree_count}, "trees")}, {{"axis", 0}});
    return leaves_ = body_.made("leaf", "Expand", {roots, shape});
  }
  leaves_ = first_step();
  for (std::size_t i = 1; i < depth_; ++i) leaves_ = step(leaves_);
  return leaves_;
}

void ForestBody::need_small_table() const {
  constexpr std::size_t most = std::size_t{1} << 26;
  if (leaf_count_ > most / forest_.targets)
    decline(fmt::format("{} leaves for {} targets are more numbers than it writes", leaf_count_, forest_.targets));
}

std::string ForestBody::scores(Aggregate aggregate) {
  if (descent_ != Descent::gathers) return sums_by_products(aggregate);
  const bool is_sum = aggregate == Aggregate::sum || aggregate == Aggregate::average;
  const double nothing = is_sum                        ? 0
                         : aggregate == Aggregate::min ? std::numeric_limits<double>::infinity()
                                                       : -std::numeric_limits<double>::infinity();
  const bool is_one_each = forest_.targets == 1 || trees_of_each_target_;
  const std::size_t columns = is_one_each ? 1 : forest_.targets;
  if (!is_one_each) need_small_table();
  std::vector<double> weights(leaf_count_ * columns, nothing);
  for (std::size_t leaf = 0; leaf < leaf_count_; ++leaf) {
    for (const Vote& vote : forest_.nodes[order_[leaf]].votes) {
      double& weight = weights[leaf * columns + (is_one_each ? 0 : vote.target)];
      weight = is_sum                        ? weight + vote.weight
               : aggregate == Aggregate::min ? std::min(weight, vote.weight)
                                             : std::max(weight, vote.weight);
    }
  }
  Ints dims{static_cast<int64_t>(leaf_count_)};
  if (!is_one_each) dims.push_back(static_cast<int64_t>(columns));
  const std::string table = body_.constant(body_.fresh("weights"), tensor_of(type_, dims, weights));
  std::string values = body_.made("votes", "Gather", {table, leaves()}, {{"axis", 0}});
  if (trees_of_each_target_) {
    values =
        body_.reshape(values, {0, static_cast<int64_t>(*trees_of_each_target_), static_cast<int64_t>(forest_.targets)});
  }
  const int keepdims = forest_.targets == 1 ? 1 : 0;
  if (is_sum) {
    values = body_.made("score", "ReduceSum", {values, body_.ints({1}, "axes")}, {{"keepdims", keepdims}});
  } else {
    values = body_.made("score", aggregate == Aggregate::min ? "ReduceMin" : "ReduceMax", {values},
                        {{"axes", Ints{1}}, {"keepdims", keepdims}});
  }
  if (aggregate == Aggregate::average)
    return body_.made("average", "Div", {values, number(static_cast<double>(tree_count_))});
  if (is_sum || has_votes_for_all()) return values;
  return body_.made("score", "Where", {votes_are_there(), values, number(0)});
}

bool ForestBody::has_votes_for_all() const {
  return std::ranges::all_of(has_votes_, [](const auto& known) { return known == true; });
}

std::string ForestBody::votes_are_there() {
  const auto targets = static_cast<int64_t>(forest_.targets);
  if (std::ranges::all_of(has_votes_, [](const auto& known) { return known.has_value(); })) {
    Ints known;
    for (const auto& has : has_votes_) known.push_back(*has ? 1 : 0);
    return body_.constant(body_.fresh("has_votes"), tensor_of(TensorProto::BOOL, {1, targets}, known));
  }
  if (!may_compare()) decline("some rows have no votes for a target, which a comparison finds out");
  need_small_table();
  std::vector<double> ones(leaf_count_ * forest_.targets, 0);
  for (std::size_t leaf = 0; leaf < leaf_count_; ++leaf) {
    for (const Vote& vote : forest_.nodes[order_[leaf]].votes) ones[leaf * forest_.targets + vote.target] = 1;
  }
  const std::string table = body_.constant(
      body_.fresh("is_vote"), tensor_of(TensorProto::FLOAT, {static_cast<int64_t>(leaf_count_), targets}, ones));
  const std::string votes = body_.made("votes", "Gather", {table, leaves()}, {{"axis", 0}});
  const std::string any = body_.made("any", "ReduceMax", {votes}, {{"axes", Ints{1}}, {"keepdims", 0}});
  return body_.made("has_votes", "Greater", {any, body_.float_scalar(0, "zero")});
}

}  // namespace onnx_lower
