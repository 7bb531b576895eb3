// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <limits>
#include <utility>

#include "families/experts.h"

namespace onnx_lower::native_rules::com_microsoft_MoE {
namespace {

constexpr int kBias1 = 3;
constexpr int kBias2 = 5;
constexpr int kWeights3 = 6;
constexpr int kBias3 = 7;

// T is the number of tokens, E of experts, H the size of a token, I that between the two layers of
// an expert. All experts compute all tokens, and for a token those that it did not choose have
// weight 0. Tokens are columns, so that the weights stand on the left: OpenVINO takes no stack of
// constant matrices on the right.
class Experts {
 public:
  Experts(const CallSite& site, Body& body) : site_(site), body_(body) {}

  void append() {
    const std::string last = body_.ints({-1}, "last");
    const std::string end = body_.ints({std::numeric_limits<int64_t>::max()}, "end");
    body_("input_shape", "Shape", {"input"});
    body_("size", "Slice", {"input_shape", last, end});
    body_("rows_shape", "Concat", {body_.ints({1, -1}, "all"), "size"}, {{"axis", 0}});
    body_("rows", "Reshape", {"input", "rows_shape"});
    tokens_ = body_.transpose("rows", {0, 2, 1}, "tokens");
    const std::string outputs = layer(hidden(), "fc2_experts_weights", bias(kBias2, "fc2_experts_bias"), "second");
    body_("weighted", "Mul", {body_.transpose(outputs, {0, 2, 1}, "output_rows"), weights()});
    body_("sum", "ReduceSum", {"weighted", body_.ints({0}, "experts")}, {{"keepdims", 0}});
    body_("output", "Reshape", {"sum", "input_shape"});
  }

 private:
  // The name of a bias, empty where the node has none.
  std::string bias(int input, const std::string& name) const { return site_.has_input(input) ? name : std::string(); }

  // Makes (E, out, T) of (1 or E, in, T): weights (E, out, in) times the value, plus biases
  // (E, out).
  std::string layer(const std::string& value, const std::string& weights, const std::string& bias,
                    const std::string& stem) {
    const std::string product = body_(stem + "_product", "MatMul", {weights, value});
    if (bias.empty()) return product;
    return body_(stem + "_layer", "Add", {product, body_.unsqueeze(bias, {2}, stem + "_bias")});
  }

  // Gives what is between the two layers, (E, I, T).
  std::string hidden() {
    const std::string activation = activation_of_experts(site_);
    if (activation == "swiglu") return swiglu();
    const std::string first = layer(tokens_, "fc1_experts_weights", bias(kBias1, "fc1_experts_bias"), "first");
    const std::string result = activated(body_, activation, first);
    return site_.has_input(kWeights3) ? body_("gated_hidden", "Mul", {result, third()}) : result;
  }

  std::string third() { return layer(tokens_, "fc3_experts_weights", bias(kBias3, "fc3_experts_bias"), "third"); }

  // Every second element along axis 1, from `first` on.
  std::string each_other(const std::string& value, int64_t first, const std::string& stem) {
    const std::string end = body_.ints({std::numeric_limits<int64_t>::max()}, "end");
    return body_(stem, "Slice",
                 {value, body_.ints({first}, "first"), end, body_.ints({1}, "axis"), body_.ints({2}, "step")});
  }

  // The two parts of the first weights or of their biases.
  std::pair<std::string, std::string> parts(const std::string& value, GateFusion fusion, const std::string& stem) {
    if (fusion == GateFusion::interleaved)
      return {each_other(value, 0, stem + "_of_gate"), each_other(value, 1, stem + "_of_linear")};
    body_.node({stem + "_of_gate", stem + "_of_linear"}, "Split", {value}, {{"axis", 1}, {"num_outputs", 2}});
    return {stem + "_of_gate", stem + "_of_linear"};
  }

  std::string swiglu() {
    const GateFusion fusion = gate_fusion(site_, site_.has_input(kWeights3));
    const std::string biases = bias(kBias1, "fc1_experts_bias");
    if (fusion == GateFusion::separate) {
      const std::string gate = layer(tokens_, "fc1_experts_weights", biases, "first");
      return swiglu_of(site_, body_, gate, third());
    }
    const auto weights_of = parts("fc1_experts_weights", fusion, "weights");
    std::pair<std::string, std::string> biases_of;
    if (!biases.empty()) biases_of = parts(biases, fusion, "biases");
    const std::string gate = layer(tokens_, weights_of.first, biases_of.first, "first");
    return swiglu_of(site_, body_, gate, layer(tokens_, weights_of.second, biases_of.second, "third"));
  }

  // Gives the weight of each expert for each token, (E, T, 1).
  std::string weights() {
    const bool is_normalized = site_.attribute_int("normalize_routing_weights", 0) == 1;
    const std::string of_tokens =
        weights_of_experts(site_, body_, is_normalized ? NormalizedOver::chosen : NormalizedOver::all);
    return body_.unsqueeze(body_.transpose(of_tokens, {1, 0}, "weights_of_experts"), {2}, "weight_columns");
  }

  const CallSite& site_;
  Body& body_;
  std::string tokens_;  // (1, H, T)
};

Lowering lower(const CallSite& site) {
  Body body("com.microsoft", "MoE",
            first_names({"input", "router_probs", "fc1_experts_weights", "fc1_experts_bias", "fc2_experts_weights",
                         "fc2_experts_bias", "fc3_experts_weights", "fc3_experts_bias"},
                        site.input_count()),
            {"output"}, 20);
  Experts(site, body).append();
  return body.function();
}

// With ONNX Runtime's kernel on the CPU use_sparse_mixer changes nothing.
const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "MoE",
    .summary = "Each token goes through the k of several networks of two layers that its scores choose.",
    .source = "ONNX Runtime's contrib operator MoE",
    .attributes =
        "activation_alpha, activation_beta, activation_type, k, normalize_routing_weights, "
        "swiglu_fusion, swiglu_limit, use_sparse_mixer",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_MoE
