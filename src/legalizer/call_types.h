// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The element types with which the model's functions are called. A function that stays has no types of its own, and what its nodes are at another opset
// depends on them.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "legalizer/graph_scope.h"
#include "legalizer/model_functions.h"
#include "types/type_inference.h"

namespace onnx_lower {

class CallTypes {
 public:
  CallTypes(Model& model, const ModelFunctions& functions) : model_(model), functions_(functions) {}

  // Of the calls among the placed nodes of a graph.
  void note(const GraphScope& scope, TypeInference& types);

  // Declares the function's inputs to be of those types, for its own legalization alone: as far as all calls agree, and only where no other function that
  // has not been legalized calls it. `function` is from now on one that has.
  void declare_inputs(Function& function);

 private:
  using Index = size_t;  // of model_.functions

  Index index_of(const Function& function) const { return static_cast<Index>(&function - model_.functions.data()); }
  std::vector<Index> called_by(const Function& function) const;

  Model& model_;
  const ModelFunctions& functions_;
  // By function, for each input; 0 where it is not known, or not the same for all calls.
  std::unordered_map<Index, std::vector<int>> types_;
  // By function, how many others call it whose own calls have not been noted; filled when first asked.
  std::vector<size_t> open_callers_;
};

}  // namespace onnx_lower
