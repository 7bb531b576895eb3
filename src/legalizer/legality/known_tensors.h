// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is known of values before the model runs: small constants, shapes, and what placed nodes
// compute from these.
#pragma once

#include <optional>
#include <vector>

#include "constant_folding/known_tensor.h"
#include "legalizer/legalization/legalization.h"
#include "legalizer/scope/graph_scope.h"
#include "types/type_inference.h"

namespace onnx_lower {

// How long a chain of nodes that keep the signs of elements may be to be followed: more than any
// exporter writes, and few enough to follow them at each question.
inline constexpr int most_followed = 64;

class KnownTensors {
 public:
  // Both arguments must outlive this.
  KnownTensors(Legalization& all, TypeInference& types) : all_(all), types_(types) {}

  // What is known of a value that a node of the scope may read; nullptr where nothing is. The
  // pointer is valid until the node that makes the value is taken back.
  const KnownTensor* find(const GraphScope& scope, ValueId value);

  // The element of a known boolean tensor of one element; nullopt for all other values.
  std::optional<bool> boolean(const GraphScope& scope, ValueId value);

  // The outputs of a node of the scope that is placed, or is about to be; nullopt where they
  // are not known.
  std::optional<std::vector<KnownTensor>> evaluate(const GraphScope& scope, const Node& node);

 private:
  class Call;

  std::optional<KnownTensor> learn(const GraphScope& scope, ValueId value);

  Legalization& all_;
  TypeInference& types_;
  size_t depth_ = 0;
};

// Whether all elements of a value that the scope sees are known to be above 0 (or true) whenever
// the nodes of the scope run: by how the value is made, or by the condition of an If in whose
// branch the nodes stand.
bool is_positive_here(const GraphScope& scope, ValueId value);

}  // namespace onnx_lower
