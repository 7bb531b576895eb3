// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <limits>

#include "families/attention_body.h"
#include "families/rotary_body.h"

namespace onnx_lower::native_rules::com_microsoft_GroupQueryAttention {
namespace {

constexpr int kPastKey = 3;
constexpr int kPastValue = 4;
constexpr int kCosines = 7;
constexpr int kPositions = 9;
constexpr int kBias = 10;
constexpr int kSink = 11;
constexpr int kQueryNorm = 14;
constexpr int kKeyNorm = 15;
constexpr int kScores = 3;  // an output

// What qk_output asks for in the fourth output.
enum ScoresAskedFor : int64_t { none = 0, before_softmax = 1, after_softmax = 2 };

// Declines what of the operator has no lowering here.
void check_supported(const CallSite& site) {
  const int64_t heads = site.attribute_int("num_heads", 0);
  const int64_t kv_heads = site.attribute_int("kv_num_heads", 0);
  if (heads <= 0 || kv_heads <= 0 || heads % kv_heads != 0) decline("kv_num_heads does not divide num_heads");
  if (site.attribute_string("k_quant_type", "NONE") != "NONE" ||
      site.attribute_string("v_quant_type", "NONE") != "NONE") {
    decline("the cache is quantized");
  }
  if (site.attribute_int("sliding_window_cache", 0) != 0) decline("sliding_window_cache is set");
  if (site.has_input(12) || site.has_input(13)) decline("the cache is quantized");
  if (site.has_input(kQueryNorm) != site.has_input(kKeyNorm))
    decline("it has one of q_norm_weight and k_norm_weight only");
  const int64_t asked = site.attribute_int("qk_output", none);
  if (site.has_output(kScores) && asked != before_softmax && asked != after_softmax)
    decline(fmt::format("it has the output output_qk, and qk_output is {}", asked));
  if (site.has_input(1) != site.has_input(2)) decline("it has one of key and value only");
  if (site.has_input(kPastKey) != site.has_input(kPastValue)) decline("it has one of past_key and past_value only");
  if (site.attribute_int("do_rotary", 0) == 1 && !site.has_input(kCosines))
    decline("do_rotary is set without a cos_cache");
}

// The cache after this step: of each batch entry, its valid past and behind it the new rows. `past`
// is (B, N, P, H), `value` (B, N, S, H), `source_rows` (B, 1, T, 1) says for each row where it
// stands in past and value put together. Rows behind the entry are zero.
std::string present_of(Body& body, const std::string& past, const std::string& value, const std::string& source_rows,
                       const std::string& name) {
  body(name + "_joined", "Concat", {past, value}, {{"axis", 2}});
  body(name + "_joined_shape", "Shape", {name + "_joined"});
  const std::string total = body.dim_list(source_rows, 2);
  const std::string head_axes = body.slice(name + "_joined_shape", 0, 2, 0, "front");
  const std::string size = body.slice(name + "_joined_shape", 3, 4, 0, "size");
  body(name + "_shape", "Concat", {head_axes, total, size}, {{"axis", 0}});
  body(name + "_rows", "Expand", {source_rows, name + "_shape"});
  body(name + "_gathered", "GatherElements", {name + "_joined", name + "_rows"}, {{"axis", 2}});
  const std::string zero = body.scalar_like(0.0, value, "zero");
  body(name, "Where", {"row_is_valid", name + "_gathered", zero});
  return name;
}

// Root mean square normalization of each head of (B, S, heads, H), by a weight (H).
std::string normalized(Body& body, const std::string& heads, const std::string& weight, float epsilon,
                       const std::string& stem) {
  const std::string name = stem + "_normalized";
  body(name, "com.microsoft.SimplifiedLayerNormalization", {heads, weight}, {{"axis", -1}, {"epsilon", epsilon}});
  return name;
}

Lowering lower(const CallSite& site) {
  check_supported(site);
  const int64_t heads = site.attribute_int("num_heads", 0);
  const int64_t kv_heads = site.attribute_int("kv_num_heads", 0);
  Body body("com.microsoft", "GroupQueryAttention",
            first_names({"query", "key", "value", "past_key", "past_value", "seqlens_k", "total_sequence_length",
                         "cos_cache", "sin_cache", "position_ids", "attention_bias", "head_sink", "k_scale", "v_scale",
                         "q_norm_weight", "k_norm_weight"},
                        site.input_count()),
            first_names({"output", "present_key", "present_value", "output_qk"}, site.output_count()), 15);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  AttentionInputs in;
  in.scale = site.attribute_float("scale", 0.0f);
  in.softcap = site.attribute_float("softcap", 0.0f);
  std::string key;
  std::string value;
  // (B, S, heads, H): turned so, and transposed then. With a Transpose before the turn, OpenVINO
  // mixes up heads and sequence where there are as many of both.
  std::string query;
  if (site.has_input(1)) {
    in.head_size = size_of_head(site.dim(0, 2), heads);
    const int64_t size = told_size(in.head_size);
    query = body.reshape("query", {0, 0, heads, size}, "query_split");
    key = body.reshape("key", {0, 0, kv_heads, size}, "key_split");
    value = body.reshape("value", {0, 0, kv_heads, size}, "value_split");
  } else {
    in.head_size = size_of_head(site.dim(0, 2), heads + 2 * kv_heads);
    const std::string packed = body.reshape("query", {0, 0, heads + 2 * kv_heads, told_size(in.head_size)}, "packed");
    query = body.slice(packed, 0, heads, 2, "query_split");
    key = body.slice(packed, heads, heads + kv_heads, 2, "key_split");
    value = body.slice(packed, heads + kv_heads, heads + 2 * kv_heads, 2, "value_split");
  }
  in.heads = heads;
  in.value_size = in.head_size;

  if (site.has_input(kQueryNorm)) {
    body.import("com.microsoft", 1);
    const float epsilon = site.attribute_float("qk_norm_epsilon", 1e-6f);
    query = normalized(body, query, "q_norm_weight", epsilon, "query");
    key = normalized(body, key, "k_norm_weight", epsilon, "key");
  }

  // Lengths: of each batch entry all its keys (B, 1), the new ones S, and those before them. In a
  // prompt, where S is the total, nothing stands before, also where the entry is shorter.
  body("last_key", "Cast", {"seqlens_k"}, {{"to", 7}});
  const std::string last_key = body.reshape("last_key", {-1, 1}, "last_key");
  const std::string one = body.scalar(1, "one");
  const std::string zero = body.scalar(0, "zero");
  body("entry_length", "Add", {last_key, one});
  const std::string length = body.dim("query", 1);
  body("total_wide", "Cast", {"total_sequence_length"}, {{"to", 7}});
  const std::string no_shape = body.ints({}, "scalar_shape");
  body("total", "Reshape", {"total_wide", no_shape});
  body("is_prompt", "Equal", {"total", length});
  body("before_new", "Sub", {"entry_length", length});
  body("past_length", "Where", {"is_prompt", zero, "before_new"});
  body("step", "Range", {zero, length, one});
  body("query_position", "Add", {"past_length", "step"});  // (B, S)

  if (site.attribute_int("do_rotary", 0) == 1) {
    std::string positions = "query_position";
    if (site.has_input(kPositions)) {
      // In a prompt the kernel reads the first position alone, and counts on from there in every
      // batch entry.
      body("first_position", "Gather", {body.reshape("position_ids", {-1}, "position_list"), zero}, {{"axis", 0}});
      body("prompt_positions", "Add", {"first_position", "step"});
      body("positions", "Where", {"is_prompt", "prompt_positions", "position_ids"});
      positions = "positions";
    }
    const bool interleaved = site.attribute_int("rotary_interleaved", 0) == 1;
    const std::string cosines = cache_rows(body, "cos_cache", positions, "cosines", 2);
    const std::string sines = cache_rows(body, "sin_cache", positions, "sines", 2);
    // The cache may cover only the first components of a head.
    int64_t width = 0;
    const std::optional<int64_t> half = site.dim(kCosines, 1);
    if (!half || !in.head_size) return Declined{"the size of a head or the second dimension of cos_cache is not known"};
    if (2 * *half != *in.head_size) width = 2 * *half;
    query = rotated(body, query, cosines, sines, in.head_size, width, interleaved, "query");
    key = rotated(body, key, cosines, sines, in.head_size, width, interleaved, "key");
  }
  in.query = body.transpose(query, {0, 2, 1, 3}, "query_heads");
  key = body.transpose(key, {0, 2, 1, 3}, "key_heads");
  value = body.transpose(value, {0, 2, 1, 3}, "value_heads");

  if (site.has_input(kPastKey)) {
    const std::string past = body.dim("past_key", 2);
    body("is_longer", "Less", {"total", past});
    body("present_length", "Where", {"is_longer", past, "total"});
    body("row", "Range", {zero, "present_length", one});
    body("in_past", "Less", {"row", "past_length"});
    body("behind_past", "Sub", {"row", "past_length"});
    body("last_step", "Sub", {length, one});
    body("is_behind_all", "Less", {"last_step", "behind_past"});
    body("new_row", "Where", {"is_behind_all", "last_step", "behind_past"});
    body("new_source", "Add", {"new_row", past});
    body("source", "Where", {"in_past", "row", "new_source"});
    const std::string rows = body.unsqueeze("source", {1, 3}, "source_rows");
    body("row_in_entry", "Less", {"row", "entry_length"});
    const std::string valid = body.unsqueeze("row_in_entry", {1, 3}, "valid_rows");
    body("row_is_valid", "Identity", {valid});
    key = present_of(body, "past_key", key, rows, site.has_output(1) ? "present_key" : "all_keys");
    value = present_of(body, "past_value", value, rows, site.has_output(2) ? "present_value" : "all_values");
  } else {
    if (site.has_output(1)) body("present_key", "Identity", {key});
    if (site.has_output(2)) body("present_value", "Identity", {value});
  }

  // Each head of keys serves several of queries; the present may be longer than what the step sees.
  Ints shared_head = numbers_below(heads);
  for (int64_t& head : shared_head) head /= heads / kv_heads;
  const std::string head_index = body.ints(shared_head, "shared_head");
  const std::string total_list = body.reshape("total", {1}, "total_list");
  const std::string zero_list = body.ints({0}, "zero");
  const std::string sequence_axis = body.ints({2}, "axis");
  for (const auto& [stem, whole] : {std::pair{std::string("key"), &key}, std::pair{std::string("value"), &value}}) {
    body(stem + "_used", "Slice", {*whole, zero_list, total_list, sequence_axis});
    body(stem + "_repeated", "Gather", {stem + "_used", head_index}, {{"axis", 1}});
  }
  in.key = "key_repeated";
  in.value = "value_repeated";

  const std::string query_column = body.unsqueeze("query_position", {1, 3}, "query_column");
  const std::string last_of_entry = body.unsqueeze("entry_length", {1, 2}, "end_of_entry");
  body("key_position", "Range", {zero, "total", one});
  body("valid", "Less", {"key_position", last_of_entry});
  std::string seen = "valid";
  if (site.attribute_int("causal", 1) != 0) {
    body("too_late", "Less", {query_column, "key_position"});
    body("not_late", "Not", {"too_late"});
    body("valid_and_past", "And", {"valid", "not_late"});
    seen = "valid_and_past";
    if (const int64_t window = site.attribute_int("local_window_size", -1); window > 0) {
      body("window_start", "Sub", {query_column, body.scalar(window, "window")});
      body("in_window", "Less", {"window_start", "key_position"});
      body("seen", "And", {"valid_and_past", "in_window"});
      seen = "seen";
    }
  }
  in.mask = additive_mask(body, seen, std::numeric_limits<float>::lowest() / 2, in.query);
  if (site.has_input(kBias)) in.bias = "attention_bias";
  if (site.has_input(kSink)) {
    in.sink = body.reshape("head_sink", {1, heads, 1, 1}, "sink");
  } else if (site.attribute_int("smooth_softmax", 0) == 1) {
    in.sink = body.scalar_like(0.0, in.query, "sink");
  }
  const AttentionScores scores = append_attention(body, in, "output");
  if (!site.has_output(kScores)) return body.function();
  if (site.attribute_int("qk_output", none) == after_softmax) {
    body("output_qk", "Identity", {scores.weights});
  } else {
    // As the kernel gives them, the scores of keys that a query does not see are zero.
    body("output_qk", "Where", {seen, scores.unmasked, body.scalar_like(0.0, scores.unmasked, "unseen")});
  }
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "GroupQueryAttention",
    .summary = "Causal attention in which groups of query heads share keys and values, with a cache of them.",
    .source = "ONNX Runtime's contrib operator GroupQueryAttention",
    .attributes =
        "causal, do_rotary, k_quant_type, kv_cache_bit_width, kv_num_heads, local_window_size, num_heads, "
        "qk_norm_epsilon, qk_output, rotary_interleaved, scale, sliding_window_cache, smooth_softmax, softcap, "
        "v_quant_type",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_GroupQueryAttention
