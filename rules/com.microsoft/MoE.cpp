// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "rules/body.h"

namespace onnx_lower::native_rules::com_microsoft_MoE {
namespace {

constexpr int kBias1 = 3;
constexpr int kBias2 = 5;
constexpr int kWeights3 = 6;
constexpr int kBias3 = 7;

// What swiglu_fusion says of the first weights: whether they hold those of the gate only, those of
// the gate and of the linear part in turns, or the former and then the latter.
enum Fusion : int64_t { separate = 0, interleaved = 1, concatenated = 2 };

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
    const std::string activation =
        site_.need_choice("activation_type", "relu", {"relu", "gelu", "silu", "swiglu", "identity"});
    if (activation == "swiglu") return swiglu();
    std::string result = layer(tokens_, "fc1_experts_weights", bias(kBias1, "fc1_experts_bias"), "first");
    if (activation == "relu") result = body_("hidden", "Relu", {result});
    if (activation == "gelu") result = body_("hidden", "Gelu", {result}, {{"approximate", "tanh"}});
    if (activation == "silu") {
      body_("gate", "Sigmoid", {result});
      result = body_("hidden", "Mul", {result, "gate"});
    }
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
  std::pair<std::string, std::string> parts(const std::string& value, Fusion fusion, const std::string& stem) {
    if (fusion == interleaved)
      return {each_other(value, 0, stem + "_of_gate"), each_other(value, 1, stem + "_of_linear")};
    body_.node({stem + "_of_gate", stem + "_of_linear"}, "Split", {value}, {{"axis", 1}, {"num_outputs", 2}});
    return {stem + "_of_gate", stem + "_of_linear"};
  }

  // G * sigmoid(alpha * G) * (L + beta), with G at most swiglu_limit and |L| too, if that is given.
  std::string swiglu() {
    const int64_t fusion = site_.attribute_int("swiglu_fusion", separate);
    std::string gate;
    std::string linear;
    const std::string biases = bias(kBias1, "fc1_experts_bias");
    if (fusion == interleaved || fusion == concatenated) {
      const auto weights_of = parts("fc1_experts_weights", static_cast<Fusion>(fusion), "weights");
      std::pair<std::string, std::string> biases_of;
      if (!biases.empty()) biases_of = parts(biases, static_cast<Fusion>(fusion), "biases");
      gate = layer(tokens_, weights_of.first, biases_of.first, "first");
      linear = layer(tokens_, weights_of.second, biases_of.second, "third");
    } else if (fusion == separate && site_.has_input(kWeights3)) {
      gate = layer(tokens_, "fc1_experts_weights", biases, "first");
      linear = third();
    } else {
      decline(fmt::format("swiglu_fusion is {}, and it has {} third weights", fusion,
                          site_.has_input(kWeights3) ? "also" : "no"));
    }
    if (site_.attribute("swiglu_limit") != nullptr) {
      const float limit = site_.attribute_float("swiglu_limit", 0.0f);
      const std::string most = body_.scalar_like(limit, gate, "limit");
      const std::string least = body_.scalar_like(-limit, gate, "least");
      gate = body_("held_gate", "Clip", {gate, "", most});
      linear = body_("held_linear", "Clip", {linear, least, most});
    }
    const std::string alpha = body_.scalar_like(site_.attribute_float("activation_alpha", 1.0f), gate, "alpha");
    const std::string beta = body_.scalar_like(site_.attribute_float("activation_beta", 0.0f), gate, "beta");
    body_("scaled_gate", "Mul", {gate, alpha});
    body_("openness", "Sigmoid", {"scaled_gate"});
    body_("opened", "Mul", {gate, "openness"});
    body_("shifted", "Add", {linear, beta});
    return body_("hidden", "Mul", {"opened", "shifted"});
  }

  // Gives the weight of each expert for each token, (E, T, 1).
  std::string weights() {
    const std::string k = body_.ints({site_.attribute_int("k", 1)}, "k");
    body_.node({"best_scores", "best"}, "TopK", {"router_probs", k}, {{"axis", 1}});
    std::string chosen;
    if (site_.attribute_int("normalize_routing_weights", 0) == 1) {
      chosen = body_("weights_of_best", "Softmax", {"best_scores"}, {{"axis", 1}});
    } else {
      body_("weights_of_all", "Softmax", {"router_probs"}, {{"axis", 1}});
      chosen = body_("weights_of_best", "GatherElements", {"weights_of_all", "best"}, {{"axis", 1}});
    }
    body_("router_shape", "Shape", {"router_probs"});
    body_("nothing", "Expand", {body_.scalar_like(0.0, "router_probs", "zero"), "router_shape"});
    body_("weights", "ScatterElements", {"nothing", "best", chosen}, {{"axis", 1}});
    return body_.unsqueeze(body_.transpose("weights", {1, 0}, "weights_of_experts"), {2}, "weight_columns");
  }

  const CallSite& site_;
  Body& body_;
  std::string tokens_;  // (1, H, T)
};

Lowering lower(const CallSite& site) {
  if (site.attribute_int("k", 1) <= 0) return Declined{"k is not positive"};
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
