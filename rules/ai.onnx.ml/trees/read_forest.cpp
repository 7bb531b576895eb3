// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "forest.h"
#include "rules/values/constant_value.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

// Numbers that are given as a list of floats, or as a tensor under a second name.
std::vector<double> numbers_of(const CallSite& site, const std::string& list, const std::string& tensor,
                               bool* is_double = nullptr) {
  if (const onnx::AttributeProto* attribute = site.known_attribute(tensor)) {
    const auto elements = float_elements(attribute->t());
    if (!elements) decline(fmt::format("{} holds no floating-point numbers", tensor));
    if (is_double != nullptr && attribute->t().data_type() == TensorProto::DOUBLE) *is_double = true;
    return *elements;
  }
  if (list.empty()) return {};
  const std::vector<float> floats = site.attribute_floats(list, {});
  return {floats.begin(), floats.end()};
}

void need_same_length(const std::string& name, std::size_t length, std::size_t wanted) {
  if (length != wanted) decline(fmt::format("{} has {} elements, and not {}", name, length, wanted));
}

Branch branch_named(const std::string& word) {
  constexpr std::array words{"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"};
  if (word == "LEAF") return Branch::leaf;
  const auto* const found = std::ranges::find(words, word);
  if (found == words.end()) decline(fmt::format("it does not know the mode '{}' of a node", word));
  return static_cast<Branch>(found - words.begin());
}

std::size_t need_place(int64_t place, std::size_t count, const std::string& name) {
  if (place < 0 || static_cast<std::size_t>(place) >= count)
    decline(fmt::format("{} has {}, and there are {} of these", name, place, count));
  return static_cast<std::size_t>(place);
}

// Nodes by the numbers of their tree and their own.
using NodePlaces = std::map<std::pair<int64_t, int64_t>, std::size_t>;

std::size_t need_node(const NodePlaces& places, int64_t tree, int64_t node, const std::string& name) {
  const auto found = places.find({tree, node});
  if (found == places.end()) decline(fmt::format("{} names node {} of tree {}, which is not there", name, node, tree));
  return found->second;
}

void read_votes(const CallSite& site, const std::string& votes, const NodePlaces& places, Forest& forest) {
  const std::vector<int64_t> trees = site.attribute_ints(votes + "_treeids", {});
  const std::vector<int64_t> nodes = site.attribute_ints(votes + "_nodeids", {});
  const std::vector<int64_t> targets = site.attribute_ints(votes + "_ids", {});
  const std::vector<double> weights =
      numbers_of(site, votes + "_weights", votes + "_weights_as_tensor", &forest.is_double);
  need_same_length(votes + "_nodeids", nodes.size(), trees.size());
  need_same_length(votes + "_ids", targets.size(), trees.size());
  need_same_length(votes + "_weights", weights.size(), trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i) {
    TreeNode& node = forest.nodes[need_node(places, trees[i], nodes[i], votes + "_nodeids")];
    const std::size_t target = need_place(targets[i], forest.targets, votes + "_ids");
    // The kernels pass over votes of nodes that are no leaves, and where there is one target, over
    // all votes of a leaf but the first.
    if (node.branch != Branch::leaf || (forest.targets == 1 && !node.votes.empty())) continue;
    node.votes.push_back({target, weights[i]});
  }
}

// Node `place` becomes a search for the feature among the members of a set, which takes as many
// steps as their number has binary digits. Each step but the last halves what is left.
void search(Forest& forest, std::size_t place, std::vector<double> members) {
  const TreeNode asked = forest.nodes[place];
  std::erase_if(members, [](double member) { return std::isnan(member); });
  std::ranges::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  struct Part {
    std::size_t place, first, last;
  };
  std::vector<Part> parts;
  if (members.empty()) {
    // Nothing is a member, and NaN may be said to go there.
    forest.nodes[place].branch = Branch::eq;
    forest.nodes[place].split = std::nan("");
  } else {
    parts.push_back({place, 0, members.size() - 1});
  }
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    TreeNode node = asked;
    const std::size_t middle = part.first + (part.last - part.first) / 2;
    node.split = members[middle];
    node.branch = Branch::eq;
    if (part.first != part.last) {
      node.branch = Branch::leq;
      node.yes = forest.nodes.size();
      node.no = node.yes + 1;
      parts.push_back({node.yes, part.first, middle});
      parts.push_back({node.no, middle + 1, part.last});
      forest.nodes.resize(forest.nodes.size() + 2);
    }
    forest.nodes[part.place] = std::move(node);
  }
}

// Rows of comparisons for equality with one child in common become searches.
void join_members(Forest& forest) {
  const auto goes_on = [&](const TreeNode& node) {
    const TreeNode& next = forest.nodes[node.no];
    return node.branch == Branch::eq && next.branch == Branch::eq && next.feature == node.feature &&
           next.yes == node.yes && next.missing_is_yes == node.missing_is_yes;
  };
  std::vector<bool> is_later(forest.nodes.size());
  for (const TreeNode& node : forest.nodes) {
    if (node.branch != Branch::leaf && goes_on(node)) is_later[node.no] = true;
  }
  // Three comparisons in a row are no more steps than a search among three.
  constexpr std::size_t worthwhile = 4;
  const std::size_t count = is_later.size();
  for (std::size_t start = 0; start < count; ++start) {
    if (is_later[start] || forest.nodes[start].branch != Branch::eq) continue;
    std::vector<double> members{forest.nodes[start].split};
    std::size_t last = start;
    while (goes_on(forest.nodes[last]) && members.size() < count) {
      last = forest.nodes[last].no;
      members.push_back(forest.nodes[last].split);
    }
    if (members.size() < worthwhile) continue;
    forest.nodes[start].no = forest.nodes[last].no;
    search(forest, start, std::move(members));
  }
}

}  // namespace

std::vector<double> base_values_of(const CallSite& site) {
  return numbers_of(site, "base_values", "base_values_as_tensor");
}

Forest forest_of_lists(const CallSite& site, const std::string& votes, std::size_t targets) {
  Forest forest;
  forest.targets = targets;
  const std::vector<int64_t> trees = site.attribute_ints("nodes_treeids", {});
  const std::vector<int64_t> numbers = site.attribute_ints("nodes_nodeids", {});
  const std::vector<int64_t> features = site.attribute_ints("nodes_featureids", {});
  const std::vector<int64_t> yes = site.attribute_ints("nodes_truenodeids", {});
  const std::vector<int64_t> no = site.attribute_ints("nodes_falsenodeids", {});
  const std::vector<int64_t> missing = site.attribute_ints("nodes_missing_value_tracks_true", {});
  const std::vector<double> splits = numbers_of(site, "nodes_values", "nodes_values_as_tensor", &forest.is_double);
  const onnx::AttributeProto* modes = site.known_attribute("nodes_modes");
  need_same_length("nodes_nodeids", numbers.size(), trees.size());
  need_same_length("nodes_featureids", features.size(), trees.size());
  need_same_length("nodes_truenodeids", yes.size(), trees.size());
  need_same_length("nodes_falsenodeids", no.size(), trees.size());
  need_same_length("nodes_values", splits.size(), trees.size());
  need_same_length("nodes_modes", modes == nullptr ? 0 : static_cast<std::size_t>(modes->strings_size()), trees.size());
  NodePlaces places;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (!places.insert({{trees[i], numbers[i]}, i}).second)
      decline(fmt::format("node {} of tree {} is there twice", numbers[i], trees[i]));
    // The root of a tree is the node of it that is listed first.
    if (i == 0 || trees[i] != trees[i - 1]) forest.roots.push_back(i);
  }
  forest.nodes.resize(trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i) {
    TreeNode& node = forest.nodes[i];
    node.branch = branch_named(modes->strings(static_cast<int>(i)));
    if (node.branch == Branch::leaf) continue;
    node.feature = need_place(features[i], CallSite::largest_size, "nodes_featureids");
    node.split = splits[i];
    node.yes = need_node(places, trees[i], yes[i], "nodes_truenodeids");
    node.no = need_node(places, trees[i], no[i], "nodes_falsenodeids");
    node.missing_is_yes = i < missing.size() && missing[i] == 1;
  }
  read_votes(site, votes, places, forest);
  join_members(forest);
  return forest;
}

Forest forest_of_tensors(const CallSite& site) {
  Forest forest;
  forest.targets = need_place(site.attribute_int("n_targets", 0), CallSite::largest_size, "n_targets");
  const std::vector<int64_t> features = site.attribute_ints("nodes_featureids", {});
  const std::vector<int64_t> yes = site.attribute_ints("nodes_truenodeids", {});
  const std::vector<int64_t> no = site.attribute_ints("nodes_falsenodeids", {});
  const std::vector<int64_t> yes_is_leaf = site.attribute_ints("nodes_trueleafs", {});
  const std::vector<int64_t> no_is_leaf = site.attribute_ints("nodes_falseleafs", {});
  const std::vector<int64_t> missing = site.attribute_ints("nodes_missing_value_tracks_true", {});
  const std::vector<int64_t> targets = site.attribute_ints("leaf_targetids", {});
  const std::vector<double> splits = numbers_of(site, "", "nodes_splits", &forest.is_double);
  const std::vector<double> weights = numbers_of(site, "", "leaf_weights", &forest.is_double);
  const std::vector<double> members = numbers_of(site, "", "membership_values");
  const onnx::AttributeProto* modes_attribute = site.known_attribute("nodes_modes");
  const std::size_t count = features.size();
  const auto modes = modes_attribute == nullptr ? std::nullopt : integer_elements(modes_attribute->t());
  if (!modes) decline("nodes_modes holds no integers");
  need_same_length("nodes_truenodeids", yes.size(), count);
  need_same_length("nodes_falsenodeids", no.size(), count);
  need_same_length("nodes_trueleafs", yes_is_leaf.size(), count);
  need_same_length("nodes_falseleafs", no_is_leaf.size(), count);
  need_same_length("nodes_splits", splits.size(), count);
  need_same_length("nodes_modes", modes->size(), count);
  need_same_length("leaf_weights", weights.size(), targets.size());
  // Leaves come behind the nodes in our list.
  forest.nodes.resize(count + targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i)
    forest.nodes[count + i].votes = {{need_place(targets[i], forest.targets, "leaf_targetids"), weights[i]}};
  const auto child = [&](int64_t place, bool is_leaf, const std::string& name) {
    return is_leaf ? count + need_place(place, targets.size(), name) : need_place(place, count, name);
  };
  for (std::size_t i = 0; i < count; ++i) {
    TreeNode& node = forest.nodes[i];
    node.branch = static_cast<Branch>(need_place((*modes)[i], static_cast<std::size_t>(Branch::leaf), "nodes_modes"));
    node.feature = need_place(features[i], CallSite::largest_size, "nodes_featureids");
    node.split = splits[i];
    node.yes = child(yes[i], yes_is_leaf[i] != 0, "nodes_truenodeids");
    node.no = child(no[i], no_is_leaf[i] != 0, "nodes_falsenodeids");
    node.missing_is_yes = i < missing.size() && missing[i] == 1;
  }
  for (const int64_t root : site.attribute_ints("tree_roots", {})) {
    const TreeNode& node = forest.nodes[need_place(root, count, "tree_roots")];
    // A node with one leaf for both is how a tree of one leaf is written.
    const bool is_one_leaf = node.yes == node.no && node.yes >= count;
    forest.roots.push_back(is_one_leaf ? node.yes : static_cast<std::size_t>(root));
  }
  join_members(forest);
  // The set of each such node is a row of numbers that ends with NaN, in the order of the nodes.
  std::size_t member = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (forest.nodes[i].branch != Branch::member) continue;
    std::vector<double> set;
    for (; member < members.size() && !std::isnan(members[member]); ++member) set.push_back(members[member]);
    ++member;
    search(forest, i, std::move(set));
  }
  return forest;
}

}  // namespace onnx_lower
