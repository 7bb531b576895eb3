// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is known of values before the model runs: small constants, the shapes of values, and what
// the nodes that are placed compute of them.
#pragma once

#include <optional>
#include <vector>

#include "constant_folding/known_tensor.h"
#include "legalizer/legalization/legalization.h"
#include "legalizer/scope/graph_scope.h"
#include "types/type_inference.h"

namespace onnx_lower {

class KnownTensors {
 public:
  // Both must outlive this.
  KnownTensors(Legalization& all, TypeInference& types) : all_(all), types_(types) {}

  // A value that a node of the scope may use, as far as it is known; nullptr when nothing is. The
  // pointer is valid until the node that makes the value is taken back.
  const KnownTensor* find(const GraphScope& scope, ValueId value);

  // The one element of such a value.
  std::optional<bool> boolean(const GraphScope& scope, ValueId value);

  // What a node of the scope, placed or about to be, makes: a tensor for each output, nothing when
  // it is not known.
  std::optional<std::vector<KnownTensor>> evaluate(const GraphScope& scope, const Node& node);

 private:
  class Call;

  std::optional<KnownTensor> learn(const GraphScope& scope, ValueId value);

  Legalization& all_;
  TypeInference& types_;
  size_t depth_ = 0;
};

}  // namespace onnx_lower
