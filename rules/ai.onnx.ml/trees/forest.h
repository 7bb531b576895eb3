// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Decision trees, as the attributes of the three operators of ai.onnx.ml say them, and what they
// give for rows of features, in operators of ai.onnx.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower {

// How a node compares a feature with its split. The numbers are those of TreeEnsemble's
// nodes_modes.
enum class Branch : uint8_t { leq, lt, gte, gt, eq, neq, member, leaf };

struct Vote {
  std::size_t target;
  double weight;
};

struct TreeNode {
  Branch branch = Branch::leaf;
  std::size_t feature = 0;
  double split = 0;
  // The places of its children in the list of nodes.
  std::size_t yes = 0, no = 0;
  bool missing_is_yes = false;  // NaN goes where a comparison that holds does
  std::vector<Vote> votes;      // of a leaf
};

// A node may be the child of several: converters say the members of a set by a row of comparisons
// that have one child in common.
struct Forest {
  std::vector<TreeNode> nodes;
  std::vector<std::size_t> roots;  // one for each tree
  std::size_t targets = 0;
  // Splits or weights are of double, in which everything is computed then.
  bool is_double = false;
};

// Reads nodes_* and the votes, which are called class_* or target_* (versions 1 and 3).
Forest forest_of_lists(const CallSite& site, const std::string& votes, std::size_t targets);
// Reads the attributes of TreeEnsemble (version 5).
Forest forest_of_tensors(const CallSite& site);

// The numbers in base_values or base_values_as_tensor.
std::vector<double> base_values_of(const CallSite& site);

enum class Aggregate : uint8_t { average, sum, min, max };

// How rows find their leaves.
enum class Descent : uint8_t {
  // All rows go down all trees at once: the places where they are, [N, trees], become the places of
  // children by gathers, as often as the deepest tree has levels. This is exact for all numbers.
  gathers,
  // For runtimes without comparisons, choices, or gathers whose indices the run gives: whether a
  // row comes by a node is a number, 1 or 0, which the node's comparison, 1 or 0 as well, divides
  // among its children. In float, without NaN, and for sums of votes.
  products,
  // The same for runtimes that gather nothing: columns are chosen by products with ones and zeros.
  products_alone,
};

// The nodes of one forest in a body whose first input is "X". They are of opset 13.
//
// A third way that is known, products of matrices that say which comparisons lead to which leaf,
// was measured beside the gathers for 10 to 1,000 trees of depths 2 to 6 on one thread: for 1,000
// rows it takes as long in ONNX Runtime for depths 2 and 3, and up to four times as long for more;
// in OpenVINO it takes as long at best, and up to seven times as long. For one row neither is ahead
// by more than a tenth of a millisecond. Its matrices grow with the product of nodes and leaves.
class ForestBody {
 public:
  // The rule declines a forest that is none.
  ForestBody(const CallSite& site, Body& body, Forest forest, Descent descent = Descent::gathers);

  // FLOAT or DOUBLE: what scores are computed in.
  onnx::TensorProto::DataType type() const { return type_; }
  // Whether values may be compared, and chosen by what comes of it.
  bool may_compare() const { return descent_ == Descent::gathers; }
  // Says of the function that is made of the body what `descent` supposes.
  void add_assumptions(onnx::FunctionProto& function) const;
  // For each row and target the sum (or the average …) of all votes, [N, targets]; where no vote is
  // for the target, 0.
  std::string scores(Aggregate aggregate);
  // Whether a row has a vote for the target: known where all rows have one, or none has.
  std::optional<bool> has_votes(std::size_t target) const { return has_votes_[target]; }
  bool has_votes_for_all() const;
  // The same for each row and target, [N, targets] or [1, targets] bool.
  std::string votes_are_there();

  // These numbers, with 0 for a target that no row has a vote for. The rule declines where that
  // differs from row to row.
  std::vector<double> counted(std::vector<double> numbers) const;

  // Constants in type(): a list [count], or as a row [1, count]; a number.
  std::string list(const std::string& stem, const std::vector<double>& numbers, bool is_row);
  std::string number(double value);
  // A value of type(), as float.
  std::string in_float(const std::string& value);

 private:
  // What nodes ask a row: values, of which there is none where all nodes ask the same.
  struct Questions {
    std::string feature = {}, split = {}, branch = {}, missing = {};
  };

  void read_features();
  void read_votes();
  void group_trees();
  void order_nodes();
  Questions questions(const Ints& numbers);
  std::string comparison(Branch branch, const std::string& feature, const std::string& split);
  std::string answer(const std::string& feature, const Questions& asked);
  std::string first_step();
  std::string step(const std::string& places);
  std::string leaves();
  void need_small_table() const;

  // The nodes of all trees that are equally deep, of which a node is there as often as ways lead to
  // it. They are the places of nodes in the forest.
  using Level = std::vector<std::size_t>;
  std::vector<Level> levels() const;
  std::string divisions(const std::vector<Level>& levels);
  std::string chosen(const std::string& columns, const Ints& places, std::size_t count, std::string_view stem);
  std::string votes_of(const Level& children, const std::string& passes);
  std::string sums_by_products(Aggregate aggregate);

  const CallSite& site_;
  Body& body_;
  Forest forest_;
  Descent descent_;
  onnx::TensorProto::DataType type_ = onnx::TensorProto::FLOAT;
  std::string features_;  // [N, F] in type_
  bool may_be_nan_ = true;
  std::size_t tree_count_ = 0;
  std::size_t depth_ = 0;

  std::vector<std::optional<bool>> has_votes_;
  std::vector<std::optional<std::size_t>> target_of_tree_;  // if it is one
  bool is_any_for_several_ = false;                         // a tree votes for several targets
  std::optional<std::size_t> trees_of_each_target_;

  // The nodes that are reached, leaves before all others. The place of a node in this list is its
  // number in the lowered model; roots and children are such numbers.
  std::vector<std::size_t> order_;
  std::size_t leaf_count_ = 0;
  Ints roots_, yes_, no_;
  std::vector<Branch> branches_;  // that occur
  bool is_missing_ever_yes_ = false, is_missing_always_yes_ = true;

  // Made by the first step that needs them.
  Questions all_;
  std::string children_, to_yes_, to_no_;
  std::string leaves_;
};

}  // namespace onnx_lower
