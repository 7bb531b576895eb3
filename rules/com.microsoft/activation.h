// The activation functions that ONNX Runtime's fused operators name in an attribute.
#pragma once

#include <optional>
#include <vector>

#include "body_text.h"

namespace onnx_lower {

// Appends `output = activation (input)`. The parameters are alpha, beta … as the node gives them; absent ones have the defaults of the
// standard operator.
inline std::optional<Declined> append_activation(BodyText& body, const std::string& activation,
                                                 const std::vector<double>& parameters, const std::string& input,
                                                 const std::string& output) {
  const auto parameter = [&](std::size_t index, double fallback) {
    return float_text(index < parameters.size() ? parameters[index] : fallback);
  };
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
    const std::string factor = body.scalar_like(activation == "QuickGelu" && !parameters.empty() ? parameters[0]
                                                : activation == "QuickGelu"                      ? 1.702
                                                                                                 : 1.0,
                                                input, "factor");
    body.line("gate_input = Mul ({}, {})", input, factor);
    body.line("gate = Sigmoid (gate_input)");
    body.line("{} = Mul ({}, gate)", output, input);
  } else if (activation == "Clip") {
    if (parameters.size() < 2) return Declined{"the activation Clip has no two parameters"};
    const std::string low = body.scalar_like(parameters[0], input, "low");
    const std::string high = body.scalar_like(parameters[1], input, "high");
    body.line("{} = Clip ({}, {}, {})", output, input, low, high);
  } else {
    return Declined{"it does not know the activation " + activation};
  }
  return std::nullopt;
}

// The parameters that FusedGemm and FusedMatMulActivation give one by one.
inline std::vector<double> single_activation_parameters(const CallSite& site) {
  std::vector<double> parameters;
  for (const char* name : {"activation_alpha", "activation_beta", "activation_gamma"}) {
    if (!site.attribute(name)) break;
    parameters.push_back(site.attribute_float(name, 0.0f));
  }
  // Selu's second parameter is gamma.
  if (parameters.size() == 1 && site.attribute("activation_gamma"))
    parameters.push_back(site.attribute_float("activation_gamma", 0.0f));
  return parameters;
}

}  // namespace onnx_lower
