// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A branch of an If as nodes of the graph that holds the If, for an If whose condition is known.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "legalizer/nodes/fresh_names.h"
#include "model_file/model.h"

namespace onnx_lower {

// What is called alike in several graphs of a model, which may not come to stand in one.
class SharedNames {
 public:
  explicit SharedNames(const Model& model);

  bool has_value(ValueId value) const { return values_.contains(value); }
  bool has_node(std::string_view name) const { return nodes_.contains(name); }

 private:
  std::unordered_set<ValueId> values_;  // that are defined more than once
  std::unordered_set<std::string_view> nodes_;
};

struct Branch {
  // An output of the If that is a value which has a name of its own: one from outside, an
  // initializer, or another output.
  struct Copy {
    ValueId output;
    ValueId value;
  };
  std::vector<const Node*> nodes;  // in order; they make the If's outputs under these names
  std::vector<TensorSkeleton> initializers;
  std::vector<Copy> copies;
};

// The body of an attribute of that name; null when there is none.
const Graph* body_of(const Node& node, std::string_view attribute_name);

// Nothing where the If has to stay: for what its branch holds there is no place outside, or it is
// broken. `shared`: names that get others; null when the graph's names are used nowhere else.
// `metadata`: metadata_props as fields of a NodeProto, for each node. `in_function`: the branch
// will stand in a function, or in what a rule makes, where initializers are Constant nodes.
std::optional<Branch> open_branch(Model& model, const Node& conditional, bool condition, const SharedNames* shared,
                                  Bytes metadata, bool in_function, FreshNames& names);

}  // namespace onnx_lower
