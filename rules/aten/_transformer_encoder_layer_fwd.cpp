// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_transformer_encoder_layer_fwd {
namespace {

enum Input { kUseGelu = 7, kNormFirst = 8, kEpsilon = 9, kMask = 18, kMaskType = 19 };

std::string linear(Body& body, const std::string& x, const std::string& number) {
  body("product_" + number, "MatMul", {x, body.transpose("ffn_weight_" + number, {1, 0}, "turned_" + number)});
  return body("linear_" + number, "Add", {"product_" + number, "ffn_bias_" + number});
}

Lowering lower(const CallSite& site) {
  const auto epsilon = site.constant_floats(kEpsilon);
  if (!epsilon || epsilon->size() != 1) return Declined{"input 9 (eps) is not a constant number"};
  const bool norm_first = site.need_number(kNormFirst, 0) != 0;
  Body body(
      "aten", "_transformer_encoder_layer_fwd",
      {"src",          "embed_dim",  "num_heads",    "qkv_weight",    "qkv_bias",    "proj_weight",   "proj_bias",
       "use_gelu",     "norm_first", "eps",          "norm_weight_1", "norm_bias_1", "norm_weight_2", "norm_bias_2",
       "ffn_weight_1", "ffn_bias_1", "ffn_weight_2", "ffn_bias_2",    "mask",        "mask_type"},
      {"output"}, 20);
  body.import("aten", 1);
  const auto normalized = [&](const std::string& name, const std::string& x, const std::string& number) {
    return body(name, "LayerNormalization", {x, "norm_weight_" + number, "norm_bias_" + number},
                {{"axis", -1}, {"epsilon", epsilon->front()}});
  };
  const std::string before = norm_first ? normalized("first_norm", "src", "1") : "src";
  const std::string no = body.constant("no", tensor_of(onnx::TensorProto::BOOL, {}, Ints{0}));
  body("attended", "aten._native_multi_head_attention",
       {before, before, before, "embed_dim", "num_heads", "qkv_weight", "qkv_bias", "proj_weight", "proj_bias",
        site.has_input(kMask) ? "mask" : "", no, no, site.has_input(kMaskType) ? "mask_type" : ""});
  std::string x = body("with_source", "Add", {"attended", "src"});
  if (!norm_first) x = normalized("first_norm", x, "1");
  const std::string to_feed = norm_first ? normalized("second_norm", x, "2") : x;
  const std::string inner = linear(body, to_feed, "1");
  const bool use_gelu = site.need_number(kUseGelu, 0) != 0;
  const std::string active = body("active", use_gelu ? "Gelu" : "Relu", {inner});
  body(norm_first ? "output" : "with_attended", "Add", {linear(body, active, "2"), x});
  if (!norm_first) normalized("output", "with_attended", "2");
  return body.function();
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "_transformer_encoder_layer_fwd",
    .summary = "nn.TransformerEncoderLayer in one piece, as PyTorch runs it without gradients.",
    .source =
        "aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor "
        "qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor "
        "norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor "
        "ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor",
    .inputs =
        "src, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, use_gelu, norm_first, eps, "
        "norm_weight_1, norm_bias_1, norm_weight_2, norm_bias_2, ffn_weight_1, ffn_bias_1, ffn_weight_2, "
        "ffn_bias_2, mask, mask_type",
    .needed_inputs = 18,
    .most_inputs = 20,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_transformer_encoder_layer_fwd
