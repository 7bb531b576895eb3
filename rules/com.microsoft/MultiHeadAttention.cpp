// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// output = softmax(scale * Q * K' + attention_bias + mask) * V for each head, where Q, K and V come
// in heads or are split into heads, and a part of the bias is added to each. The letters for
// dimensions are those of attention_body.h; D is N * H.
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "families/attention_body.h"

namespace onnx_lower::native_rules::com_microsoft_MultiHeadAttention {
namespace {

constexpr int kKey = 1, kValue = 2, kBias = 3, kMask = 4, kScoresBias = 5;
constexpr int kPastKey = 6, kPastValue = 7, kPastLength = 8;

// The part of the bias that belongs to Q, K or V (0, 1 or 2): the first two have the width D, and
// the third has the rest.
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

// Makes (B, N, L, H) of (B, L, D), with its part of the bias added.
std::string heads_of(const CallSite& site, Body& body, const std::string& name, int part, int64_t heads) {
  std::string value = name;
  if (site.has_input(kBias)) {
    const std::string bias = bias_part(site, body, name, part);
    body(name + "_biased", "Add", {name, bias});
    value = name + "_biased";
  }
  return split_heads(body, value, heads, size_of_head(site.dim(part, 2), heads), name);
}

// Makes (B, N, L, H) of the element `index` of dimension 3 of a packed (B, L, N, 2 or 3, H).
std::string unpacked(Body& body, const char* packed, int64_t index, const std::string& name) {
  const std::string which = body.scalar(index, "which");
  body(name + "_packed", "Gather", {packed, which}, {{"axis", 3}});
  return body.transpose(name + "_packed", {0, 2, 1, 3}, name + "_heads");
}

// The past is a buffer with room for more rows. The new ones are written from `start` to before
// `end` (both lists of one element), and the rows before `end` are used.
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

class AttentionOfHeads {
 public:
  explicit AttentionOfHeads(const CallSite& site)
      : site_(site),
        body_("com.microsoft", "MultiHeadAttention",
              first_names({"query", "key", "value", "bias", "key_padding_mask", "attention_bias", "past_key",
                           "past_value", "past_sequence_length", "cache_indirection"},
                          site.input_count()),
              first_names({"output", "present_key", "present_value", "qk"}, site.output_count()), 15) {
    body_.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
    in_.scale = site.attribute_float("scale", 0.0f);
    in_.causal = site.attribute_int("unidirectional", 0) == 1;
    in_.heads = site.attribute_int("num_heads", 0);
    in_.type = site.dtype(0);
  }

  Lowering lowering() {
    if (site_.has_input(kKey)) {
      in_.head_size = size_of_head(site_.dim(0, 2), in_.heads);
      in_.query = heads_of(site_, body_, "query", 0, in_.heads);
      read_key_and_value();
    } else {
      unpack_query();
    }
    if (in_.causal) in_.last_sees_all = may_see_keys_behind();
    if (site_.has_input(kPastKey) != site_.has_input(kPastValue)) decline("it has one of past_key and past_value only");
    if (site_.has_input(kPastLength)) {
      write_to_buffer();
    } else if (site_.has_input(kPastKey)) {
      append_to_past();
    } else {
      if (site_.has_output(1)) body_("present_key", "Identity", {in_.key});
      if (site_.has_output(2)) body_("present_value", "Identity", {in_.value});
    }
    if (site_.has_input(kMask)) {
      in_.mask = mask_from_index(site_, body_, kMask, "key_padding_mask",
                                 site_.attribute_float("mask_filter_value", -10000.0f), in_.query, in_.key);
    }
    if (site_.has_input(kScoresBias)) in_.bias = "attention_bias";
    append_attention(body_, in_, "output");
    return body_.function();
  }

 private:
  // The query is (B, L, N, 3, H).
  void unpack_query() {
    if (site_.has_input(kBias)) decline("it has a bias beside a packed query");
    in_.head_size = in_.value_size = site_.dim(0, 4);
    in_.query = unpacked(body_, "query", 0, "query");
    in_.key = unpacked(body_, "query", 1, "key");
    in_.value = unpacked(body_, "query", 2, "value");
  }

  // The key is (B, L, N, 2, H) with the value in it, (B, N, L, H), or (B, L, D).
  void read_key_and_value() {
    const int rank = site_.need_rank(kKey);
    if (rank == 5) {
      if (site_.has_input(kBias)) decline("it has a bias beside a packed key");
      in_.key = unpacked(body_, "key", 0, "key");
      in_.value = unpacked(body_, "key", 1, "value");
      in_.value_size = site_.dim(kKey, 4);
    } else if (!site_.has_input(kValue)) {
      decline("it has a key and no value");
    } else if (rank == 4) {
      in_.key = "key";
      in_.value = "value";
      in_.value_size = site_.dim(kValue, 3);
    } else if (rank == 3) {
      in_.key = heads_of(site_, body_, "key", kKey, in_.heads);
      in_.value = heads_of(site_, body_, "value", kValue, in_.heads);
      in_.value_size = size_of_head(site_.dim(kValue, 2), in_.heads);
    } else {
      decline(fmt::format("key has rank {}", rank));
    }
  }

  // Says whether there may be more new keys than queries.
  bool may_see_keys_behind() const {
    if (!site_.has_input(kKey)) return false;
    // The second dimension of keys in heads is the number of heads.
    const std::optional<int64_t> length = site_.dim(0, 1);
    const std::optional<int64_t> key_length = site_.dim(kKey, site_.rank(kKey) == 4 ? 2 : 1);
    return !length || length != key_length;
  }

  std::string name_of_keys() const { return site_.has_output(1) ? "present_key" : "all_keys"; }
  std::string name_of_values() const { return site_.has_output(2) ? "present_value" : "all_values"; }

  void write_to_buffer() {
    if (!site_.has_input(kPastKey)) decline("it has a past_sequence_length and no past_key");
    const std::string all = body_.ints({-1}, "all");
    body_("past_length_wide", "Cast", {"past_sequence_length"}, {{"to", onnx::TensorProto::INT64}});
    const std::string start = body_("start_of_new", "Reshape", {"past_length_wide", all});
    const std::string end = body_("end_of_new", "Add", {start, body_.dim_list(in_.key, 2)});
    in_.past_length = body_("past_length", "Gather", {start, body_.scalar(0, "first")}, {{"axis", 0}});
    in_.key = in_buffer(body_, "past_key", in_.key, start, end, name_of_keys());
    in_.value = in_buffer(body_, "past_value", in_.value, start, end, name_of_values());
  }

  void append_to_past() {
    in_.past_length = body_.dim("past_key", 2);
    in_.key = after_past(body_, "past_key", in_.key, name_of_keys());
    in_.value = after_past(body_, "past_value", in_.value, name_of_values());
  }

  const CallSite& site_;
  Body body_;
  AttentionInputs in_;
};

Lowering lower(const CallSite& site) {
  if (site.attribute_int("num_heads", 0) <= 0) return Declined{"num_heads is not positive"};
  if (site.has_input(9)) return Declined{"it has a cache_indirection"};
  if (site.has_output(3)) return Declined{"the output qk is asked for"};
  if (site.has_input(kKey)) site.need_rank(kKey);
  if (!site.has_input(kKey) && site.rank(0) != 5) return Declined{"without a key, query must be known to have rank 5"};
  return AttentionOfHeads(site).lowering();
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
