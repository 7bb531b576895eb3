// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A branch of an If, as nodes that can stand in the place of an If whose condition is known.
#pragma once

#include <optional>
#include <vector>

#include "legalizer/nodes/fresh_names.h"
#include "legalizer/nodes/shared_names.h"
#include "model_file/model.h"

namespace onnx_lower {

struct Branch {
  // An output of the If that is a value with another name: one from outside, an initializer,
  // or another output.
  struct Copy {
    ValueId output;
    ValueId value;
  };
  std::vector<const Node*> nodes;  // in order; they make the outputs of the If under the If's names
  std::vector<TensorSkeleton> initializers;
  std::vector<Copy> copies;
};

// nullopt where the If has to stay: outside of the If there is no place for something that its
// branch holds, or the If is broken. `shared`: names that several graphs have, and that are
// replaced; null when the branch's names are used nowhere else. `metadata`: metadata_props as
// fields of a NodeProto, for each node. `in_function`: the branch will stand in a function, or in
// what a rule makes, where initializers become Constant nodes.
std::optional<Branch> open_branch(Model& model, const Node& conditional, bool condition, const SharedNames* shared,
                                  Bytes metadata, bool in_function, FreshNames& names);

}  // namespace onnx_lower
