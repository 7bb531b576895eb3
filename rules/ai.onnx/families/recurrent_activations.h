// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The activations of RNN, GRU and LSTM, each with its parameters.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/native_rule.h"

namespace onnx_lower {

struct RecurrentActivation {
  std::string_view op_type;
  int parameters;      // how many of alpha and beta it takes
  double alpha, beta;  // of the table: where the node does not give them
};

inline constexpr RecurrentActivation known_activations[] = {
    {"Relu", 0, 0, 0},
    {"Tanh", 0, 0, 0},
    {"Sigmoid", 0, 0, 0},
    {"Softsign", 0, 0, 0},
    {"Softplus", 0, 0, 0},
    {"LeakyRelu", 1, 0.01, 0},
    {"ThresholdedRelu", 1, 1, 0},
    {"Elu", 1, 1, 0},
    {"HardSigmoid", 2, 0.2, 0.5},
    {"ScaledTanh", 2, 1, 1},
    {"Affine", 2, 1, 0},
};

// The activations of all directions; `defaults`: those of each direction where the node gives none.
// Names are compared without regard to case. Parameters are given in the order of the activations
// that take some.
inline std::vector<RecurrentActivation> recurrent_activations(const CallSite& site,
                                                              const std::vector<std::string>& defaults,
                                                              std::size_t directions) {
  std::vector<std::string> names;
  if (const onnx::AttributeProto* given = site.known_attribute("activations")) {
    names.assign(given->strings().begin(), given->strings().end());
  } else {
    for (std::size_t direction = 0; direction < directions; ++direction)
      names.insert(names.end(), defaults.begin(), defaults.end());
  }
  if (names.size() != defaults.size() * directions)
    decline(fmt::format("it has {} activations in place of {}", names.size(), defaults.size() * directions));
  const std::vector<float> alphas = site.attribute_floats("activation_alpha", {}),
                           betas = site.attribute_floats("activation_beta", {});
  std::size_t next_alpha = 0, next_beta = 0;
  const auto is_same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  std::vector<RecurrentActivation> found;
  for (const std::string& name : names) {
    const auto* known = std::ranges::find_if(known_activations, [&](const RecurrentActivation& each) {
      return std::ranges::equal(each.op_type, name, is_same);
    });
    if (known == std::end(known_activations)) decline(fmt::format("it has an activation '{}'", name));
    RecurrentActivation activation = *known;
    if (known->parameters > 0 && next_alpha < alphas.size()) activation.alpha = alphas[next_alpha++];
    if (known->parameters > 1 && next_beta < betas.size()) activation.beta = betas[next_beta++];
    found.push_back(activation);
  }
  return found;
}

}  // namespace onnx_lower
