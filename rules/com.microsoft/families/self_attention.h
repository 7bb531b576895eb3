// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What Attention and QAttention do with the product of input and weights.
#pragma once

#include "attention_body.h"

namespace onnx_lower {

struct SelfAttentionSite {
  int weights;     // index of the input that holds the weights
  int mask_index;  // and of these, which are formal parameters of the same name
  int past;
  int attention_bias = -1;
};

// Declines a self attention that cannot be lowered, whatever its operator is.
inline void check_self_attention(const CallSite& site) {
  if (site.attribute_int("num_heads", 0) <= 0) decline("num_heads is not positive");
  if (site.attribute_int("past_present_share_buffer", 0) != 0) decline("past_present_share_buffer is set");
  if (site.attribute_int("do_rotary", 0) != 0) decline("do_rotary is set");
}

// Splits a value into its parts for Q, K and V along an axis.
inline void append_parts(const CallSite& site, Body& body, const std::string& whole,
                         const std::vector<std::string>& parts, int64_t axis) {
  const std::vector<int64_t> sizes = site.attribute_ints("qkv_hidden_sizes", {});
  // Without the attribute qkv_hidden_sizes the parts are equal.
  if (sizes.size() == 3 && sizes[2] != sizes[0]) {
    body.node(parts, "Split", {whole, body.ints(sizes, "sizes")}, {{"axis", axis}});
  } else {
    body.node(parts, "Split", {whole}, {{"axis", axis}});
  }
}

// (B, S, q), (B, S, k), (B, S, v)
struct SelfAttentionParts {
  std::string query, key, value;
};

// Appends `output` (and `present`, if the node has it).
inline void append_self_attention(const CallSite& site, Body& body, const SelfAttentionSite& at,
                                  const SelfAttentionParts& parts, const std::string& output) {
  const int64_t heads = site.attribute_int("num_heads", 0);
  AttentionInputs in;
  in.scale = site.attribute_float("scale", 0.0f);
  in.causal = site.attribute_int("unidirectional", 0) == 1;
  const std::vector<int64_t> sizes = site.attribute_ints("qkv_hidden_sizes", {});
  const bool own_value_size = sizes.size() == 3 && sizes[2] != sizes[0];
  if (own_value_size && sizes[0] != sizes[1]) decline("qkv_hidden_sizes gives Q and K different sizes");
  if (own_value_size && (site.has_input(at.past) || site.has_output(1))) {
    decline("past and present hold keys and values of one size, and qkv_hidden_sizes gives them two");
  }
  if (own_value_size) {
    in.head_size = sizes[0] / heads;
    in.value_size = sizes[2] / heads;
  } else if (const auto width = site.dim(at.weights, 1)) {
    in.head_size = *width / 3 / heads;
    in.value_size = in.head_size;
  }
  in.heads = heads;
  // Each part gets a Transpose of its own right before it is used: with one for all three, OpenVINO
  // mixes up heads and sequence where there are as many of both.
  in.query = split_heads(body, parts.query, heads, in.head_size, "query");
  in.key = split_heads(body, parts.key, heads, in.head_size, "key");
  in.value = split_heads(body, parts.value, heads, in.value_size, "value");
  if (site.has_input(at.past)) {
    const std::string first = body.scalar(0, "which");
    const std::string second = body.scalar(1, "which");
    body("past_key", "Gather", {"past", first}, {{"axis", 0}});
    body("past_value", "Gather", {"past", second}, {{"axis", 0}});
    in.key = after_past(body, "past_key", in.key, "all_keys");
    in.value = after_past(body, "past_value", in.value, "all_values");
    in.past_length = body.dim("past_key", 2);
  }
  if (site.has_output(1)) {
    const std::string key = body.unsqueeze(in.key, {0}, "present_key");
    const std::string value = body.unsqueeze(in.value, {0}, "present_value");
    body("present", "Concat", {key, value}, {{"axis", 0}});
  }
  if (site.has_input(at.mask_index)) {
    in.mask = mask_from_index(site, body, at.mask_index, "mask_index",
                              site.attribute_float("mask_filter_value", -10000.0f), in.query, in.key);
  }
  if (at.attention_bias >= 0 && site.has_input(at.attention_bias)) in.bias = "attention_bias";
  append_attention(body, in, output);
}

}  // namespace onnx_lower
