// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The activation functions that ONNX Runtime's fused operators name in an attribute.
#pragma once

#include <optional>
#include <vector>

#include "rules/body.h"

namespace onnx_lower {

// In the order of the operator's attributes: alpha, and beta or gamma. Absent ones have the
// defaults of the standard operator.
using ActivationParameters = std::vector<std::optional<double>>;

// Appends `output = activation (input)`.
inline void append_activation(Body& body, const std::string& activation, const ActivationParameters& parameters,
                              const std::string& input, const std::string& output) {
  const auto number = [&](std::size_t index, double fallback) {
    return index < parameters.size() ? parameters[index].value_or(fallback) : fallback;
  };
  const auto parameter = number;
  const bool has_two = parameters.size() >= 2 && parameters[0] && parameters[1];
  if (activation.empty()) {
    body(output, "Identity", {input});
  } else if (activation == "Relu" || activation == "Tanh" || activation == "Sigmoid" || activation == "Softplus" ||
             activation == "Softsign") {
    body(output, activation, {input});
  } else if (activation == "LeakyRelu") {
    body(output, "LeakyRelu", {input}, {{"alpha", parameter(0, 0.01)}});
  } else if (activation == "Elu") {
    body(output, "Elu", {input}, {{"alpha", parameter(0, 1.0)}});
  } else if (activation == "ThresholdedRelu") {
    body(output, "ThresholdedRelu", {input}, {{"alpha", parameter(0, 1.0)}});
  } else if (activation == "HardSigmoid") {
    body(output, "HardSigmoid", {input}, {{"alpha", parameter(0, 0.2)}, {"beta", parameter(1, 0.5)}});
  } else if (activation == "Selu") {
    body(output, "Selu", {input}, {{"alpha", parameter(0, 1.6732632)}, {"gamma", parameter(1, 1.050701)}});
  } else if (activation == "HardSwish") {
    body(output, "HardSwish", {input});
  } else if (activation == "Gelu") {
    body(output, "Gelu", {input});
  } else if (activation == "Silu" || activation == "Swish" || activation == "QuickGelu") {
    const std::string factor = body.scalar_like(activation == "QuickGelu" ? number(0, 1.702) : 1.0, input, "factor");
    body("gate_input", "Mul", {input, factor});
    body("gate", "Sigmoid", {"gate_input"});
    body(output, "Mul", {input, "gate"});
  } else if (activation == "Clip") {
    if (!has_two) decline("the activation Clip has no two parameters");
    const std::string low = body.scalar_like(*parameters[0], input, "low");
    const std::string high = body.scalar_like(*parameters[1], input, "high");
    body(output, "Clip", {input, low, high});
  } else if (activation == "ScaledTanh" || activation == "ParametricSoftplus") {
    if (!has_two) decline("the activation " + activation + " has no two parameters");
    body(output, activation, {input}, {{"alpha", parameter(0, 0)}, {"beta", parameter(1, 0)}});
  } else {
    decline("it does not know the activation " + activation);
  }
}

// The parameters that FusedGemm and FusedMatMulActivation give one by one.
inline ActivationParameters single_activation_parameters(const CallSite& site, const std::string& activation) {
  ActivationParameters parameters;
  for (const char* name : {"activation_alpha", activation == "Selu" ? "activation_gamma" : "activation_beta"}) {
    parameters.push_back(site.attribute(name) ? std::optional<double>(site.attribute_float(name, 0.0f)) : std::nullopt);
  }
  return parameters;
}

}  // namespace onnx_lower
