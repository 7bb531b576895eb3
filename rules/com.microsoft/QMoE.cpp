// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/packed_bits.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::com_microsoft_QMoE {
namespace {

constexpr int kRouterWeights = 14;

// The inputs of one of the up to three layers: weights, scales, biases; and the zero points.
struct Layer {
  const char* name;
  int weights, zero_points;
};
constexpr Layer layers[] = {{"fc1", 2, 11}, {"fc2", 5, 12}, {"fc3", 8, 13}};

// Gives weights (E, out, in), from bytes (E, out, in * bits / 8), scales (E, out) or (E, out,
// blocks), and a zero point for each scale.
std::string weights_of(const CallSite& site, Body& body, const Layer& layer) {
  const std::string name = layer.name;
  const int64_t bits = site.attribute_int(name + "_expert_weight_bits", site.attribute_int("expert_weight_bits", 4));
  if (bits != 2 && bits != 4 && bits != 8) decline(fmt::format("its weights have {} bits, not 2, 4 or 8", bits));
  const int scales = layer.weights + 1;
  if (!site.has_input(scales)) decline(fmt::format("it has {} weights without scales", name));
  const int64_t experts = site.need_dim(layer.weights, 0);
  const int64_t rows = site.need_dim(layer.weights, 1);
  const int rank = site.need_rank(scales);
  const int64_t blocks = rank == 3 ? site.need_dim(scales, 2) : 1;
  const std::string stem = name + "_numbers";
  const std::string integers = unpacked_bits(body, name + "_experts_weights", bits, experts, rows, stem);
  const std::string values = body(stem + "_of_type", "CastLike", {integers, name + "_scales"});
  const std::string by_block = body.reshape(values, {experts, rows, blocks, -1}, stem + "_by_block");
  const std::string scale = body.reshape(name + "_scales", {experts, rows, blocks, 1}, name + "_scale");
  std::string zero;
  if (!site.has_input(layer.zero_points)) {
    zero = body.scalar_like(static_cast<double>(1 << (bits - 1)), name + "_scales", "zero");
  } else {
    // Zero points share bytes within a row, or, where there are no blocks, within all rows of
    // an expert.
    const int64_t groups = rank == 3 ? rows : 1;
    const int64_t points = rank == 3 ? blocks : rows;
    const std::string bytes = body.reshape(name + "_zero_points", {experts, groups, -1}, name + "_zero_bytes");
    const std::string all = unpacked_bits(body, bytes, bits, experts, groups, name + "_zeros");
    const std::string used = body.slice(all, 0, points, 2, name + "_zeros_used");
    const std::string wide = body(name + "_zeros_of_type", "CastLike", {used, name + "_scales"});
    zero = body.reshape(wide, {experts, rows, blocks, 1}, name + "_zero");
  }
  body(name + "_centred", "Sub", {by_block, zero});
  body(name + "_scaled", "Mul", {name + "_centred", scale});
  const std::string weights = body.reshape(name + "_scaled", {experts, rows, -1}, name + "_weights");
  return body(name + "_weights_like", "CastLike", {weights, "input"});
}

Lowering lower(const CallSite& site) {
  if (site.attribute_string("quant_type", "int") != "int") return Declined{"quant_type is not int"};
  if (site.attribute_int("weights_prepacked", -1) > 0) return Declined{"its weights are packed for one kind of device"};
  if (site.has_input(kRouterWeights)) return Declined{"it has router_weights"};
  Body body("com.microsoft", "QMoE",
            first_names({"input", "router_probs", "fc1_experts_weights", "fc1_scales", "fc1_experts_bias",
                         "fc2_experts_weights", "fc2_scales", "fc2_experts_bias", "fc3_experts_weights", "fc3_scales",
                         "fc3_experts_bias", "fc1_zero_points", "fc2_zero_points", "fc3_zero_points", "router_weights"},
                        site.input_count()),
            {"output"}, 20);
  body.import("com.microsoft", 1);
  std::vector<std::string> inputs = {"input", "router_probs"};
  for (const Layer& layer : layers) {
    if (!site.has_input(layer.weights)) continue;
    inputs.push_back(weights_of(site, body, layer));
    inputs.push_back(site.has_input(layer.weights + 2) ? std::string(layer.name) + "_experts_bias" : std::string());
  }
  // Whatever normalize_routing_weights says, the kernel normalizes the weights over the chosen
  // experts alone.
  body("output", "com.microsoft.MoE", inputs, {{"normalize_routing_weights", 1}});
  body.copy_attributes(site,
                       {"activation_alpha", "activation_beta", "activation_type", "k", "swiglu_fusion", "swiglu_limit",
                        "use_sparse_mixer"},
                       "MoE");
  return body.function();
}

// accuracy_level says how exactly the products are computed: here as exactly as the runtime does.
const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "QMoE",
                      .summary = "MoE with weights of 2, 4 or 8 bits, by block or by row.",
                      .source = "ONNX Runtime's contrib operator QMoE",
                      .attributes =
                          "accuracy_level, activation_alpha, activation_beta, activation_type, block_size, "
                          "expert_weight_bits, fc1_expert_weight_bits, fc2_expert_weight_bits, "
                          "fc3_expert_weight_bits, k, normalize_routing_weights, quant_type, swiglu_fusion, "
                          "swiglu_limit, use_sparse_mixer, weights_prepacked",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_QMoE
