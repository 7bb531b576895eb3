// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_native_multi_head_attention {
namespace {

enum Input { kQuery, kKey, kValue, kSize, kHeads, kWeight, kBias, kProjection, kProjectionBias, kMask };
constexpr int kNeedWeights = 10, kAverageWeights = 11, kMaskType = 12;

// What a mask hides.
enum MaskType { kOfSteps, kOfPadding, kOfAll };

// Gives one of the three projections, with the heads in front of the steps:
// (B, heads, steps, size / heads).
std::string heads(Body& body, int which, int64_t size) {
  constexpr std::array<std::string_view, 3> inputs = {"query", "key", "value"};
  const std::string_view input = inputs[static_cast<std::size_t>(which)];
  const auto name = [&](std::string_view what) { return fmt::format("{}_{}", input, what); };
  const std::string weight = body.slice("qkv_weight", which * size, (which + 1) * size, 0, name("weight"));
  const std::string bias = body.slice("qkv_bias", which * size, (which + 1) * size, 0, name("bias"));
  body(name("product"), "MatMul", {input, body.transpose(weight, {1, 0}, name("turned_weight"))});
  body(name("projected"), "Add", {name("product"), bias});
  body(name("parts"), "Reshape", {name("projected"), "head_shape"});
  return body.transpose(name("parts"), {0, 2, 1, 3}, name("heads"));
}

std::string masked(Body& body, const CallSite& site, const std::string& scores) {
  if (!site.has_input(kMask)) return scores;
  const int64_t type = site.need_number(kMaskType, -1);
  if (type < kOfSteps || type > kOfAll) decline("it does not know what the mask is about");
  // The mask hides keys where it is true, or a number other than 0 such as -inf.
  body("is_left_out", "Cast", {"mask"}, {{"to", onnx::TensorProto::BOOL}});
  const std::string mask = type == kOfPadding ? body.unsqueeze("is_left_out", {1, 2}, "mask_of_keys") : "is_left_out";
  return body("masked", "Where",
              {mask, body.scalar_like(-std::numeric_limits<double>::infinity(), scores, "never"), scores});
}

// weights = softmax(Q * K' / sqrt(size / head_count)) of each head,
// result = concat(weights * V of each head) * proj_weight' + proj_bias
Lowering lower(const CallSite& site) {
  const int64_t size = site.need_number(kSize, 0), head_count = site.need_number(kHeads, 0);
  if (head_count < 1 || size < 1 || size % head_count != 0)
    return Declined{fmt::format("{} channels cannot be divided among {} heads", size, head_count)};
  Body body("aten", "_native_multi_head_attention",
            {"query", "key", "value", "embed_dim", "num_head", "qkv_weight", "qkv_bias", "proj_weight", "proj_bias",
             "mask", "need_weights", "average_attn_weights", "mask_type"},
            {"result", "weights"}, 18);
  body.constant("head_shape", Ints{0, 0, head_count, size / head_count});
  const std::string query = heads(body, kQuery, size), key = heads(body, kKey, size), value = heads(body, kValue, size);
  const double scale = 1 / std::sqrt(static_cast<double>(size / head_count));
  body("scaled_query", "Mul", {query, body.scalar_like(scale, query, "scale")});
  body("scores", "MatMul", {"scaled_query", body.transpose(key, {0, 1, 3, 2}, "turned_key")});
  body("all_weights", "Softmax", {masked(body, site, "scores")}, {{"axis", -1}});
  body("of_heads", "MatMul", {"all_weights", value});
  body("together", "Reshape",
       {body.transpose("of_heads", {0, 2, 1, 3}, "of_steps"), body.ints({0, 0, size}, "result_shape")});
  body("product", "MatMul", {"together", body.transpose("proj_weight", {1, 0}, "turned_projection")});
  body("result", "Add", {"product", "proj_bias"});
  if (site.need_number(kNeedWeights, 1) == 0)
    body.constant("weights", tensor_of(onnx::TensorProto::FLOAT, {0}, Ints{}));
  else if (site.need_number(kAverageWeights, 1) != 0)
    body("weights", "ReduceMean", {"all_weights", body.ints({1}, "over_heads")}, {{"keepdims", 0}});
  else
    body("weights", "Identity", {"all_weights"});
  return body.function();
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "_native_multi_head_attention",
    .summary = "nn.MultiheadAttention in one piece, as PyTorch runs it without gradients.",
    .source =
        "aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, "
        "Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool "
        "need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)",
    .inputs =
        "query, key, value, embed_dim, num_head, qkv_weight, qkv_bias, proj_weight, proj_bias, mask, "
        "need_weights, average_attn_weights, mask_type",
    .needed_inputs = 9,
    .most_inputs = 13,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_native_multi_head_attention
