// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// MoE with weights of few bits: (integer - zero point) * scale. T is the number of tokens, E of
// experts, H the size of a token, I that between the two layers of an expert.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "families/experts.h"
#include "families/packed_bits.h"
#include "rules/block_codes.h"

namespace onnx_lower::native_rules::com_microsoft_QMoE {
namespace {

constexpr int kRouterWeights = 14;

// The inputs of one of the up to three layers: weights, scales, biases; and the zero points.
struct Layer {
  const char* name;
  int weights, zero_points;
};
constexpr Layer first_layer = {"fc1", 2, 11}, second_layer = {"fc2", 5, 12}, third_layer = {"fc3", 8, 13};
constexpr Layer layers[] = {first_layer, second_layer, third_layer};

int64_t bits_of(const CallSite& site, const Layer& layer) {
  return site.attribute_int(std::string(layer.name) + "_expert_weight_bits",
                            site.attribute_int("expert_weight_bits", 4));
}

// Gives weights (E, out, in), from bytes (E, out, in * bits / 8), scales (E, out) or (E, out,
// blocks), and a zero point for each scale.
std::string weights_of(const CallSite& site, Body& body, const Layer& layer) {
  const std::string name = layer.name;
  const int64_t bits = bits_of(site, layer);
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

void decline_other_kinds(const CallSite& site) {
  if (site.attribute_string("quant_type", "int") != "int") decline("quant_type is not int");
  if (site.attribute_int("weights_prepacked", -1) > 0) decline("its weights are packed for one kind of device");
  if (site.has_input(kRouterWeights)) decline("it has router_weights");
}

Body body_of(const CallSite& site, int opset) {
  return {"com.microsoft",
          "QMoE",
          first_names({"input", "router_probs", "fc1_experts_weights", "fc1_scales", "fc1_experts_bias",
                       "fc2_experts_weights", "fc2_scales", "fc2_experts_bias", "fc3_experts_weights", "fc3_scales",
                       "fc3_experts_bias", "fc1_zero_points", "fc2_zero_points", "fc3_zero_points", "router_weights"},
                      site.input_count()),
          {"output"},
          opset};
}

Lowering lower(const CallSite& site) {
  decline_other_kinds(site);
  Body body = body_of(site, 20);
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

// Products with weights that are made, while the model is written, of those of all experts at once.
// All experts compute all tokens, and what they give is added up, so that each of the layers is one
// product:
//
//     hidden = activation(tokens * W1 + b1), with W1 (H, E * F)
//     output = (hidden * weights) * W2 + weights * b2, with W2 (E * I, H)
//
// where weights, (T, E), is 0 for the experts that a token did not choose. F is 2 * I where the
// first layer gives the gate and the linear part of swiglu, and else I.
class StoredExperts {
 public:
  StoredExperts(const CallSite& site, CodeWidth width, int opset)
      : site_(site), width_(width), body_(body_of(site, opset)) {
    decline_other_kinds(site);
    is_swiglu_ = activation_of_experts(site) == "swiglu";
    if (is_swiglu_) fusion_ = gate_fusion(site, site.has_input(third_layer.weights));
    experts_ = site.need_dim(first_layer.weights, 0);
    hidden_ = site.need_dim(second_layer.weights, 2) * 8 / need_bits(second_layer);
    for (const Layer& layer : layers) {
      if (!site.has_input(layer.weights)) continue;
      if (!site.has_input(layer.weights + 1)) decline(fmt::format("it has {} weights without scales", layer.name));
      if (site.need_dtype(layer.weights + 1) != site.need_dtype(0)) is_widened_ = true;
    }
    body_.all_are_float(number_type() == onnx::TensorProto::FLOAT);
  }

  Lowering lowering() {
    const int64_t size = site_.need_dim(first_layer.weights, 2) * 8 / need_bits(first_layer);
    tokens_ = as_number(body_.reshape("input", {-1, size}, "tokens"), 0);
    const std::string of_experts = as_number(weights_of_experts(site_, body_, NormalizedOver::chosen), 0);
    const std::string by_expert = body_.reshape(hidden(), {-1, experts_, hidden_}, "hidden_by_expert");
    body_("weighted", "Mul", {by_expert, body_.unsqueeze(of_experts, {2}, "weight_columns")});
    std::string sum =
        product(body_.reshape("weighted", {-1, experts_ * hidden_}, "weighted_rows"), second_layer, experts_);
    if (site_.has_input(second_layer.weights + 2)) {
      body_("bias", "MatMul", {of_experts, as_number("fc2_experts_bias", second_layer.weights + 2)});
      sum = body_("sum", "Add", {sum, "bias"});
    }
    if (number_type() != site_.need_dtype(0)) sum = body_("sum_of_type", "CastLike", {sum, "input"});
    body_("input_shape", "Shape", {"input"});
    body_("output", "Reshape", {sum, "input_shape"});
    return body_.function();
  }

 private:
  int64_t need_bits(const Layer& layer) const {
    const int64_t bits = bits_of(site_, layer);
    if (bits != 2 && bits != 4 && bits != 8) decline(fmt::format("its weights have {} bits, not 2, 4 or 8", bits));
    return bits;
  }

  // In which type is computed: that of the input and of all scales, or float where they differ.
  int number_type() const { return is_widened_ ? onnx::TensorProto::FLOAT : site_.need_dtype(0); }

  // `value` has the type of the input of that index.
  std::string as_number(const std::string& value, int input) {
    if (site_.need_dtype(input) == number_type()) return value;
    return body_.made(value + "_wide", "Cast", {value}, {{"to", number_type()}});
  }

  // Gives what is between the two layers, (T, E * I) or (T, E, I).
  std::string hidden() {
    const std::string first = layer(first_layer, is_swiglu_ && fusion_ != GateFusion::separate ? 2 * hidden_ : hidden_);
    if (!is_swiglu_) {
      const std::string result = activated(body_, activation_of_experts(site_), first);
      return site_.has_input(third_layer.weights) ? body_("gated_hidden", "Mul", {result, third()}) : result;
    }
    if (fusion_ == GateFusion::separate) return swiglu_of(site_, body_, first, third());
    const bool by_turns = fusion_ == GateFusion::interleaved;
    const Ints apart = by_turns ? Ints{-1, experts_, hidden_, 2} : Ints{-1, experts_, 2, hidden_};
    body_.node({"gate_part", "linear_part"}, "Split", {body_.reshape(first, apart, "parts")},
               {{"axis", by_turns ? 3 : 2}, {"num_outputs", 2}});
    const Ints alone{-1, experts_, hidden_};
    const std::string gate = body_.reshape("gate_part", alone, "gate_of_experts");
    return swiglu_of(site_, body_, gate, body_.reshape("linear_part", alone, "linear_of_experts"));
  }

  std::string third() { return layer(third_layer, hidden_); }

  // The tokens times the weights of a layer that gives so many numbers, plus its biases.
  std::string layer(const Layer& layer, int64_t rows) {
    const std::string name = layer.name;
    if (site_.need_dim(layer.weights, 1) != rows)
      decline(fmt::format("{} gives {} numbers, and not {}", name, site_.need_dim(layer.weights, 1), rows));
    const std::string result = product(tokens_, layer, 1);
    const int bias = layer.weights + 2;
    if (!site_.has_input(bias)) return result;
    const std::string biases = body_.reshape(name + "_experts_bias", {experts_ * rows}, name + "_biases");
    return body_(name + "_layer", "Add", {result, as_number(biases, bias)});
  }

  // The product with the weights of a layer: of all experts beside each other, or below each other,
  // each as a matrix of its own.
  std::string product(const std::string& value, const Layer& layer, int64_t matrices) {
    const std::string stem = std::string(layer.name) + "_";
    const int64_t bits = need_bits(layer);
    const int64_t row_bytes = site_.need_dim(layer.weights, 2);
    const MatrixSize size{.rows = experts_ * site_.need_dim(layer.weights, 1) / matrices,
                          .columns = row_bytes * 8 / bits,
                          .row_bytes = row_bytes,
                          .matrices = matrices};
    append_codes({layer.weights, stem + "experts_weights"}, layer, stem + "weight", size);
    const BlockWeights weights =
        site_.need_rank(layer.weights + 1) == 3 ? blocks(layer, stem, size) : whole_rows(layer, stem, size);
    const std::string numbers =
        width_ == CodeWidth::as_stored
            ? dequantized_blocks(body_, weights, stem + "weight_float")
            : multiplied_blocks(body_, weights, matrices * size.columns / weights.block_size, size.rows, stem);
    return body_(stem + "product", "MatMul", {value, numbers});
  }

  void append_codes(const ConstantInput& input, const Layer& layer, const std::string& name, const MatrixSize& size) {
    const BlockCodes codes = site_.has_input(layer.zero_points) ? BlockCodes::as_they_are : BlockCodes::with_sign;
    transposed_codes(site_, body_, input, name, size, need_bits(layer), codes, width_);
  }

  // With scales (E, out, blocks), and zero points that begin with a byte for each row.
  BlockWeights blocks(const Layer& layer, const std::string& stem, const MatrixSize& size) {
    const int scales = layer.weights + 1;
    const int64_t count = site_.need_dim(scales, 2);
    if (count <= 0 || size.columns % count != 0)
      decline(fmt::format("{} are not blocks of one size", stem + "experts_weights"));
    transposed_numbers(site_, body_, {scales, stem + "scales"}, stem + "scale", size.rows, count, size.matrices);
    BlockWeights weights{.codes = stem + "weight",
                         .scale = as_number(stem + "scale", scales),
                         .zero = {},
                         .block_size = size.columns / count};
    if (!site_.has_input(layer.zero_points)) return weights;
    const int64_t row_bytes = (count * need_bits(layer) + 7) / 8;
    weights.zero = stem + "zero";
    append_codes({layer.zero_points, stem + "zero_points"}, layer, weights.zero,
                 {.rows = size.rows, .columns = count, .row_bytes = row_bytes, .matrices = size.matrices});
    return weights;
  }

  // With scales (E, out), and zero points that begin with a byte for each expert. Runtimes have
  // kernels for blocks, into which rows are divided where that only repeats the scales.
  BlockWeights whole_rows(const Layer& layer, const std::string& stem, const MatrixSize& size) {
    const std::string scale = as_number(stem + "scales", layer.weights + 1);
    BlockWeights weights{.codes = stem + "weight", .scale = {}, .zero = {}, .block_size = size.columns};
    if (!site_.has_input(layer.zero_points)) {
      weights.block_size = block_of_rows(size.columns);
      weights.scale = repeated(scale, stem, size, size.columns / weights.block_size);
      return weights;
    }
    weights.scale = body_.reshape(scale, {size.matrices, size.rows}, stem + "scale");
    const int64_t all = size.matrices * size.rows, bits = need_bits(layer);
    if (all / experts_ * bits % 8 != 0) decline("the zero points of an expert end within a byte");
    weights.zero = stem + "zero";
    // As a matrix of one row they stay in their order.
    append_codes({layer.zero_points, stem + "zero_points"}, layer, weights.zero,
                 {.rows = 1, .columns = all, .row_bytes = all * bits / 8, .dims = {size.matrices, size.rows}});
    return weights;
  }

  int64_t block_of_rows(int64_t columns) const {
    return width_ == CodeWidth::byte ? columns : block_of_kernels(columns);
  }

  // Gives each row's scale so many times, (matrices * count, rows).
  std::string repeated(const std::string& scale, const std::string& stem, const MatrixSize& size, int64_t count) {
    if (count == 1) return body_.reshape(scale, {size.matrices, size.rows}, stem + "scale");
    const std::string once = body_.reshape(scale, {size.matrices, 1, size.rows}, stem + "scale_once");
    body_(stem + "scale_repeated", "Expand", {once, body_.ints({size.matrices, count, size.rows}, "repeated_shape")});
    return body_.reshape(stem + "scale_repeated", {size.matrices * count, size.rows}, stem + "scale");
  }

  const CallSite& site_;
  const CodeWidth width_;
  Body body_;
  bool is_swiglu_ = false;
  GateFusion fusion_ = GateFusion::separate;
  int64_t experts_ = 0, hidden_ = 0;  // E and I
  bool is_widened_ = false;
  std::string tokens_;  // (T, H)
};

// The weights stay as small as they are.
Lowering lower_compressed(const CallSite& site) {
  int opset = 21;
  for (const Layer& layer : layers) {
    if (!site.has_input(layer.weights)) continue;
    const auto type = block_type(bits_of(site, layer), site.has_input(layer.zero_points));
    need_opset_with_blocks(site, type);
    opset = std::max(opset, first_opset_with_blocks(type));
  }
  return StoredExperts(site, CodeWidth::as_stored, opset).lowering();
}

// For an opset or a runtime that has no blocks.
Lowering lower_to_bytes(const CallSite& site) { return StoredExperts(site, CodeWidth::byte, 20).lowering(); }

// accuracy_level says how exactly the products are computed: here as exactly as the runtime does.
NativeRule rule_for(Lowering (*lower)(const CallSite&), std::string_view as_it_is) {
  return {.domain = "com.microsoft",
          .op_type = "QMoE",
          .summary = "MoE with weights of 2, 4 or 8 bits, by block or by row.",
          .source = "ONNX Runtime's contrib operator QMoE",
          .attributes =
              "accuracy_level, activation_alpha, activation_beta, activation_type, block_size, "
              "expert_weight_bits, fc1_expert_weight_bits, fc2_expert_weight_bits, "
              "fc3_expert_weight_bits, k, normalize_routing_weights, quant_type, swiglu_fusion, "
              "swiglu_limit, use_sparse_mixer, weights_prepacked",
          .as_it_is = as_it_is,
          .lower = lower};
}

// The weights become numbers of floating point while the model runs only where they cannot stay as
// they are.
const NativeRule rules[] = {rule_for(lower_compressed, "DequantizeLinear"), rule_for(lower_to_bytes, {}),
                            rule_for(lower, {})};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_QMoE
