// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a model does with one of its inputs, as far as that limits which numbers it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model_file/model.h"
#include "verify/graph_uses.h"

namespace onnx_lower {

// What the elements of an input are to be. Of several uses of one input the one that stands first
// here decides.
enum class InputRole : uint8_t {
  index,       // from 0 to `most`
  shape,       // the shape that a tensor gets: Reshape and Expand
  size,        // a number of elements or repetitions
  axis,        // which axes
  length,      // of a sequence, from 1 to `most`
  divisor,     // not 0
  mask,        // 0 or 1
  count,       // a small number that is not negative: a shift, an exponent
  positive,    // what a logarithm or a root is taken of
  unit,        // between -1 and 1, of which an inverse sine is taken
  fraction,    // between 0 and 1
  at_least_1,  // what an inverse hyperbolic cosine is taken of
  ordinary,
};

struct InputUse {
  InputRole role = InputRole::ordinary;
  std::optional<int64_t> most;  // of an index or a length, where it is known
  // Where the bound is not known, the name of the value whose dimension it is, and which one.
  std::string bounded_by;
  int64_t axis = 0;
};

// Follows inputs of a model to the nodes that use them: through Cast, Reshape and other nodes that
// hand on elements as they are, and into the functions of the model.
class InputUses {
 public:
  explicit InputUses(const Model& model);

  InputUse use_of(std::string_view input) const;
  // The strings that nodes of the model know, of which inputs of strings are made.
  std::vector<std::string> words() const;

 private:
  struct Scope {
    OperatorId op = 0;  // of a function
    GraphUses uses;
    std::vector<ValueId> inputs;
  };
  const Scope* function_of(const Node& node) const;
  void add_use(const Scope& scope, const ValueUse& use, InputUse& found) const;

  const Model& model_;
  std::vector<Scope> scopes_;  // the main graph, then the functions
};

}  // namespace onnx_lower
