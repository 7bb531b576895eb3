// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Limits how many rules may decline while a node of the model is lowered.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>

#include "legalizer/legalization/nodes_made.h"

namespace onnx_lower {

// A node of a rule's body may have several rules, each of which makes nodes that have several rules
// again: to find out that n operators in a row, of three forms each, lead nowhere takes 3^n tries.
// So the rules that decline are counted. At a limit, the search ends: the nodes for which it began
// before still try the rest of their rules, each with a few further tries for all that a rule
// makes, so that a rule is found that fits without detours.
class Tries {
 public:
  // How many rules may decline for one node of the model, and how many more for each node that is
  // made of it.
  static constexpr std::size_t most_of_node = 10'000;
  static constexpr std::size_t most_for_each_made = 16;
  // How many rules may decline for all nodes of the model together, without the first
  // `few` of each.
  static constexpr std::size_t most_of_all = 100'000;
  static constexpr std::size_t few = 64;
  // How many reasons are kept of one node of the model.
  static constexpr std::size_t most_told = 1'000;

  explicit Tries(const NodesMade& nodes_made) : nodes_made_(nodes_made) {}

  // The search for a rule for one node, of the model or made by a rule.
  struct Search {
    bool is_told;        // whether the reasons of its rules are kept
    bool has_all_tries;  // whether it began before the limit was reached
  };
  Search begin() const {
    const bool is_in_time = !is_at_limit();
    return {.is_told = is_in_time && of_node_.declined < most_told, .has_all_tries = is_in_time};
  }

  // Whether another rule may be tried.
  bool may_try(const Search& search) {
    if (!is_at_limit()) return true;
    of_node_.ended = true;
    if (search.has_all_tries) of_node_.left = few;
    return of_node_.left > 0;
  }
  void count_declined(std::size_t rules) {
    of_node_.declined += rules;
    of_node_.left -= std::min(of_node_.left, rules);
  }
  // To be called when a rule was found: the nodes behind this one get tries of their own.
  void count_found(const Search& search) {
    if (search.has_all_tries) of_node_.left = few;
  }

  // Remembers calls that no rule lowers, as bytes (see declined_calls.h). An empty string stands
  // for no call.
  bool has_declined(const std::string& call) const { return !call.empty() && declined_calls_.contains(call); }
  void remember_declined(std::string call) {
    if (!call.empty() && !of_node_.ended) declined_calls_.insert(std::move(call));
  }

  // Whether the limit was reached.
  bool have_ended() const { return of_node_.ended; }
  std::size_t declined() const { return of_node_.declined; }

 private:
  struct OfNode {
    std::size_t most = most_of_node;
    std::size_t made_before = 0;
    std::size_t declined = 0;
    std::size_t left = few;  // tries that are left when the limit is reached
    bool ended = false;
  };

  bool is_at_limit() const {
    return of_node_.declined >= of_node_.most + most_for_each_made * (nodes_made_.count() - of_node_.made_before);
  }

  const NodesMade& nodes_made_;
  std::size_t left_of_all_ = most_of_all;
  OfNode of_node_;
  std::unordered_set<std::string> declined_calls_;

  friend class TriesOfNode;
};

// Counts the tries for one node of the model while it exists. The node may stand in a graph of
// another one that is being lowered.
class TriesOfNode {
 public:
  explicit TriesOfNode(Tries& tries) : tries_(tries), around_(tries.of_node_) {
    tries.of_node_ = {.most = std::min(Tries::most_of_node, Tries::few + tries.left_of_all_),
                      .made_before = tries.nodes_made_.count()};
    forget_calls();
  }
  TriesOfNode(const TriesOfNode&) = delete;
  TriesOfNode& operator=(const TriesOfNode&) = delete;
  ~TriesOfNode() {
    const std::size_t declined = tries_.of_node_.declined;
    if (declined > Tries::few) tries_.left_of_all_ -= std::min(tries_.left_of_all_, declined - Tries::few);
    tries_.of_node_ = around_;
    forget_calls();
  }

 private:
  void forget_calls() {
    if (!tries_.declined_calls_.empty()) tries_.declined_calls_.clear();
  }

  Tries& tries_;
  Tries::OfNode around_;
};

}  // namespace onnx_lower
