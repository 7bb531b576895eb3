// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <limits>

#include "families/attention_body.h"

namespace onnx_lower::native_rules::com_microsoft_MultiHeadAttention {
namespace {

constexpr int kPastLength = 8;

// The part of the bias that belongs to Q, K or V: of width D, D and what is left.
std::string bias_part(const CallSite& site, Body& body, const std::string& name, int part) {
  const std::string biased = name + "_bias";
  if (const auto width = site.dim(0, 2)) {
    return body.slice("bias", part * *width, part == 2 ? std::numeric_limits<int64_t>::max() : (part + 1) * *width, 0,
                      biased);
  }
  const std::string width = body.dim_list("query", 2);
  const std::string from = body.ints({part}, "part");
  const std::string to = body.ints({part + 1}, "part");
  const std::string zero = body.ints({0}, "axis");
  body(biased + "_start", "Mul", {width, from});
  if (part == 2) {
    body(biased + "_end", "Shape", {"bias"});
  } else {
    body(biased + "_end", "Mul", {width, to});
  }
  body(biased, "Slice", {"bias", biased + "_start", biased + "_end", zero});
  return biased;
}

// (B, L, D) → (B, N, L, H), with its part of the bias.
std::string heads_of(const CallSite& site, Body& body, const std::string& name, int part, int64_t heads) {
  std::string value = name;
  if (site.has_input(3)) {
    const std::string bias = bias_part(site, body, name, part);
    body(name + "_biased", "Add", {name, bias});
    value = name + "_biased";
  }
  return split_heads(body, value, heads, size_of_head(site.dim(part, 2), heads), name);
}

// Element `index` of dimension 3 of a packed (B, L, N, 2 or 3, H), as (B, N, L, H).
std::string unpacked(Body& body, const char* packed, int64_t index, const std::string& name) {
  const std::string which = body.scalar(index, "which");
  body(name + "_packed", "Gather", {packed, which}, {{"axis", 3}});
  return body.transpose(name + "_packed", {0, 2, 1, 3}, name + "_heads");
}

// The past is a buffer with room for more rows: the new ones stand from `start` to before `end`
// (lists of one) in it, and those up to there are used.
std::string in_buffer(Body& body, const std::string& past, const std::string& value, const std::string& start,
                      const std::string& end, const std::string& name) {
  const std::string first = body.ints({0}, "first");
  const std::string last = body.ints({std::numeric_limits<int64_t>::max()}, "last");
  const std::string axis = body.ints({2}, "axis");
  body(name + "_before", "Slice", {past, first, start, axis});
  body(name + "_behind", "Slice", {past, end, last, axis});
  body(name, "Concat", {name + "_before", value, name + "_behind"}, {{"axis", 2}});
  return body(name + "_used", "Slice", {name, first, end, axis});
}

Lowering lower(const CallSite& site) {
  const int64_t heads = site.attribute_int("num_heads", 0);
  if (heads <= 0) return Declined{"num_heads is not positive"};
  if (site.has_input(9)) return Declined{"it has a cache_indirection"};
  if (site.has_output(3)) return Declined{"the output qk is asked for"};
  const std::optional<int> query_rank = site.rank(0);
  const std::optional<int> key_rank = site.rank(1);
  if (site.has_input(1)) site.need_rank(1);
  if (!site.has_input(1) && query_rank != 5) return Declined{"without a key, query must be known to have rank 5"};
  Body body("com.microsoft", "MultiHeadAttention",
            first_names({"query", "key", "value", "bias", "key_padding_mask", "attention_bias", "past_key",
                         "past_value", "past_sequence_length", "cache_indirection"},
                        site.input_count()),
            first_names({"output", "present_key", "present_value", "qk"}, site.output_count()), 15);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  AttentionInputs in;
  in.scale = site.attribute_float("scale", 0.0f);
  in.causal = site.attribute_int("unidirectional", 0) == 1;
  in.heads = heads;
  if (!site.has_input(1)) {
    if (site.has_input(3)) return Declined{"it has a bias beside a packed query"};
    in.head_size = in.value_size = site.dim(0, 4);
    in.query = unpacked(body, "query", 0, "query");
    in.key = unpacked(body, "query", 1, "key");
    in.value = unpacked(body, "query", 2, "value");
  } else {
    in.head_size = size_of_head(site.dim(0, 2), heads);
    in.query = heads_of(site, body, "query", 0, heads);
    if (*key_rank == 5) {
      if (site.has_input(3)) return Declined{"it has a bias beside a packed key"};
      in.key = unpacked(body, "key", 0, "key");
      in.value = unpacked(body, "key", 1, "value");
      in.value_size = site.dim(1, 4);
    } else if (!site.has_input(2)) {
      return Declined{"it has a key and no value"};
    } else if (*key_rank == 4) {
      in.key = "key";
      in.value = "value";
      in.value_size = site.dim(2, 3);
    } else if (*key_rank == 3) {
      in.key = heads_of(site, body, "key", 1, heads);
      in.value = heads_of(site, body, "value", 2, heads);
      in.value_size = size_of_head(site.dim(2, 2), heads);
    } else {
      return Declined{fmt::format("key has rank {}", *key_rank)};
    }
  }
  if (in.causal) {
    // The second dimension of keys in heads is their number.
    const std::optional<int64_t> length = site.dim(0, 1);
    const std::optional<int64_t> key_length = site.has_input(1) ? site.dim(1, key_rank == 4 ? 2 : 1) : length;
    in.last_sees_all = site.has_input(1) && (!length || length != key_length);
  }
  if (site.has_input(6) != site.has_input(7)) return Declined{"it has one of past_key and past_value only"};
  if (site.has_input(kPastLength)) {
    if (!site.has_input(6)) return Declined{"it has a past_sequence_length and no past_key"};
    const std::string all = body.ints({-1}, "all");
    body("past_length_wide", "Cast", {"past_sequence_length"}, {{"to", onnx::TensorProto::INT64}});
    const std::string start = body("start_of_new", "Reshape", {"past_length_wide", all});
    body("end_of_new", "Add", {start, body.dim_list(in.key, 2)});
    in.past_length = body("past_length", "Gather", {start, body.scalar(0, "first")}, {{"axis", 0}});
    in.key = in_buffer(body, "past_key", in.key, start, "end_of_new", site.has_output(1) ? "present_key" : "all_keys");
    in.value = in_buffer(body, "past_value", in.value, start, "end_of_new",
                         site.has_output(2) ? "present_value" : "all_values");
  } else if (site.has_input(6)) {
    in.past_length = body.dim("past_key", 2);
    in.key = after_past(body, "past_key", in.key, site.has_output(1) ? "present_key" : "all_keys");
    in.value = after_past(body, "past_value", in.value, site.has_output(2) ? "present_value" : "all_values");
  } else {
    if (site.has_output(1)) body("present_key", "Identity", {in.key});
    if (site.has_output(2)) body("present_value", "Identity", {in.value});
  }
  if (site.has_input(4)) {
    in.mask = mask_from_index(site, body, 4, "key_padding_mask", site.attribute_float("mask_filter_value", -10000.0f),
                              in.query, in.key);
  }
  if (site.has_input(5)) in.bias = "attention_bias";
  append_attention(body, in, "output");
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "MultiHeadAttention",
    .summary = "Multi-head attention of projected Q, K and V, apart or packed, with masks, bias and past.",
    .source = "ONNX Runtime's contrib operator MultiHeadAttention",
    .attributes = "mask_filter_value, num_heads, scale, unidirectional",
    .inputs = "query, key, value",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_MultiHeadAttention
