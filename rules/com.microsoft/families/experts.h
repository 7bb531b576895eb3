// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What MoE and QMoE share: what is between the two layers of an expert, and how much each expert
// counts for each token. T is the number of tokens, E of experts.
#pragma once

#include <fmt/format.h>

#include <string>

#include "rules/body.h"

namespace onnx_lower {

// What swiglu_fusion says of the first weights: whether they hold those of the gate only, those of
// the gate and of the linear part in turns, or the former and then the latter.
enum class GateFusion : int64_t { separate = 0, interleaved = 1, concatenated = 2 };

inline std::string activation_of_experts(const CallSite& site) {
  return site.need_choice("activation_type", "relu", {"relu", "gelu", "silu", "swiglu", "identity"});
}

inline GateFusion gate_fusion(const CallSite& site, bool has_third_weights) {
  const int64_t fusion = site.attribute_int("swiglu_fusion", 0);
  if (fusion == 1 || fusion == 2 || (fusion == 0 && has_third_weights)) return static_cast<GateFusion>(fusion);
  decline(fmt::format("swiglu_fusion is {}, and it has {} third weights", fusion, has_third_weights ? "also" : "no"));
}

// An activation that is not swiglu, of what the first layer gives.
inline std::string activated(Body& body, const std::string& activation, const std::string& first) {
  if (activation == "relu") return body("hidden", "Relu", {first});
  if (activation == "gelu") return body("hidden", "Gelu", {first}, {{"approximate", "tanh"}});
  if (activation != "silu") return first;
  body("gate", "Sigmoid", {first});
  return body("hidden", "Mul", {first, "gate"});
}

// G * sigmoid(alpha * G) * (L + beta), with G at most swiglu_limit and |L| too, if that is given.
inline std::string swiglu_of(const CallSite& site, Body& body, std::string gate, std::string linear) {
  if (site.attribute("swiglu_limit") != nullptr) {
    const float limit = site.attribute_float("swiglu_limit", 0.0f);
    const std::string most = body.scalar_like(limit, gate, "limit");
    const std::string least = body.scalar_like(-limit, gate, "least");
    gate = body("held_gate", "Clip", {gate, "", most});
    linear = body("held_linear", "Clip", {linear, least, most});
  }
  const std::string alpha = body.scalar_like(site.attribute_float("activation_alpha", 1.0f), gate, "alpha");
  const std::string beta = body.scalar_like(site.attribute_float("activation_beta", 0.0f), gate, "beta");
  body("scaled_gate", "Mul", {gate, alpha});
  body("openness", "Sigmoid", {"scaled_gate"});
  body("opened", "Mul", {gate, "openness"});
  body("shifted", "Add", {linear, beta});
  return body("hidden", "Mul", {"opened", "shifted"});
}

// Over which experts the weights of a token are normalized: all, or those that it chose.
enum class NormalizedOver : uint8_t { all, chosen };

// Gives the weight of each expert for each token, (T, E), 0 for those that it did not choose.
inline std::string weights_of_experts(const CallSite& site, Body& body, NormalizedOver over) {
  const int64_t k = site.attribute_int("k", 1);
  if (k <= 0) decline("k is not positive");
  body.node({"best_scores", "best"}, "TopK", {"router_probs", body.ints({k}, "k")}, {{"axis", 1}});
  std::string chosen;
  if (over == NormalizedOver::chosen) {
    chosen = body("weights_of_best", "Softmax", {"best_scores"}, {{"axis", 1}});
  } else {
    body("weights_of_all", "Softmax", {"router_probs"}, {{"axis", 1}});
    chosen = body("weights_of_best", "GatherElements", {"weights_of_all", "best"}, {{"axis", 1}});
  }
  body("router_shape", "Shape", {"router_probs"});
  body("nothing", "Expand", {body.scalar_like(0.0, "router_probs", "zero"), "router_shape"});
  return body("weights", "ScatterElements", {"nothing", "best", chosen}, {{"axis", 1}});
}

}  // namespace onnx_lower
