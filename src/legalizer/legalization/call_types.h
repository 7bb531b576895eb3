// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The element types with which the model's functions are called. A function that stays declares no
// types, and what its nodes are at another opset depends on them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "legalizer/knowledge/model_functions.h"
#include "legalizer/scope/graph_scope.h"
#include "types/type_inference.h"

namespace onnx_lower {

class CallTypes {
 public:
  // A function (its index in the model), and the element types (DataTypes) of the inputs of a call
  // of it; 0 where one is not known.
  struct TypedCall {
    size_t function;
    std::vector<int> types;
  };

  CallTypes(Model& model, const ModelFunctions& functions) : model_(model), functions_(functions) {}

  // Notes the types of the calls among the placed nodes of a graph.
  void note(const GraphScope& scope, TypeInference& types);

  // Declares the types of the function's inputs in which all calls agree, for the legalization of
  // the function alone; and only where all functions that call it have been legalized. `function`
  // counts as legalized from now on.
  void declare_inputs(Function& function);

  // A call of types for which the function was not legalized, and that was not returned before;
  // nullopt when there is none.
  std::optional<TypedCall> next_other_call();
  // Declares the function's inputs to be of the types of that call.
  void declare_inputs(const TypedCall& call);

 private:
  // By the types of the inputs, without those at the end that are not known: whether the function
  // was legalized for these types, or next_other_call() returned them.
  using Calls = std::map<std::vector<int>, bool>;
  using Index = size_t;  // of model_.functions

  Index index_of(const Function& function) const { return static_cast<Index>(&function - model_.functions.data()); }
  std::vector<Index> called_by(const Function& function) const;

  Model& model_;
  const ModelFunctions& functions_;
  std::unordered_map<Index, Calls> calls_;
  std::vector<TypedCall> others_;
  // By function, how many functions call it that have not been legalized; filled when first asked.
  std::vector<size_t> open_callers_;
};

}  // namespace onnx_lower
