// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The activation functions that ONNX Runtime's fused operators name in an attribute.
#pragma once

#include <optional>
#include <vector>

#include "body_text.h"

namespace onnx_lower {

// In the order of the operator's attributes: alpha, and beta or gamma. Absent ones have the defaults of the standard operator.
using ActivationParameters = std::vector<std::optional<double>>;

// Appends `output = activation (input)`.
inline std::optional<Declined> append_activation(BodyText& body, const std::string& activation,
                                                 const ActivationParameters& parameters, const std::string& input,
                                                 const std::string& output) {
  const auto number = [&](std::size_t index, double fallback) {
    return index < parameters.size() ? parameters[index].value_or(fallback) : fallback;
  };
  const auto parameter = [&](std::size_t index, double fallback) { return float_text(number(index, fallback)); };
  const bool has_two = parameters.size() >= 2 && parameters[0] && parameters[1];
  if (activation.empty()) {
    body.line("{} = Identity ({})", output, input);
  } else if (activation == "Relu" || activation == "Tanh" || activation == "Sigmoid" || activation == "Softplus" ||
             activation == "Softsign") {
    body.line("{} = {} ({})", output, activation, input);
  } else if (activation == "LeakyRelu") {
    body.line("{} = LeakyRelu <alpha = {}> ({})", output, parameter(0, 0.01), input);
  } else if (activation == "Elu") {
    body.line("{} = Elu <alpha = {}> ({})", output, parameter(0, 1.0), input);
  } else if (activation == "ThresholdedRelu") {
    body.line("{} = ThresholdedRelu <alpha = {}> ({})", output, parameter(0, 1.0), input);
  } else if (activation == "HardSigmoid") {
    body.line("{} = HardSigmoid <alpha = {}, beta = {}> ({})", output, parameter(0, 0.2), parameter(1, 0.5), input);
  } else if (activation == "Selu") {
    body.line("{} = Selu <alpha = {}, gamma = {}> ({})", output, parameter(0, 1.6732632), parameter(1, 1.050701),
              input);
  } else if (activation == "HardSwish") {
    body.line("{} = HardSwish ({})", output, input);
  } else if (activation == "Gelu") {
    body.line("{} = Gelu ({})", output, input);
  } else if (activation == "Silu" || activation == "Swish" || activation == "QuickGelu") {
    const std::string factor = body.scalar_like(activation == "QuickGelu" ? number(0, 1.702) : 1.0, input, "factor");
    body.line("gate_input = Mul ({}, {})", input, factor);
    body.line("gate = Sigmoid (gate_input)");
    body.line("{} = Mul ({}, gate)", output, input);
  } else if (activation == "Clip") {
    if (!has_two) return Declined{"the activation Clip has no two parameters"};
    const std::string low = body.scalar_like(*parameters[0], input, "low");
    const std::string high = body.scalar_like(*parameters[1], input, "high");
    body.line("{} = Clip ({}, {}, {})", output, input, low, high);
  } else if (activation == "ScaledTanh" || activation == "ParametricSoftplus") {
    if (!has_two) return Declined{"the activation " + activation + " has no two parameters"};
    body.line("{} = {} <alpha = {}, beta = {}> ({})", output, activation, parameter(0, 0), parameter(1, 0), input);
  } else {
    return Declined{"it does not know the activation " + activation};
  }
  return std::nullopt;
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
