// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Attention with a cache, of which groups of query heads share keys and values:
//
//     present = past with the new keys (or values) behind those of each batch entry
//     output = softmax(scale * Q * present_key' + bias + mask) * present_value
//
// where the mask hides keys behind the end of the entry, after the query or outside the window.
// Queries and keys may be normalized and rotated by their positions first. The letters for
// dimensions are those of attention_body.h.
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

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

// Declines for calls that this rule does not lower.
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

// Root mean square normalization of each head of (B, S, heads, H), by a weight (H).
std::string normalized(Body& body, const std::string& heads, const std::string& weight, float epsilon,
                       const std::string& stem) {
  const std::string name = stem + "_normalized";
  body(name, "com.microsoft.SimplifiedLayerNormalization", {heads, weight}, {{"axis", -1}, {"epsilon", epsilon}});
  return name;
}

// N is the number of the query's heads, G that of the heads of keys and values, of which each
// serves N / G of the query's; P is the number of rows of the given cache.
class CachedAttention {
 public:
  explicit CachedAttention(const CallSite& site)
      : site_(site),
        heads_(site.attribute_int("num_heads", 0)),
        kv_heads_(site.attribute_int("kv_num_heads", 0)),
        body_("com.microsoft", "GroupQueryAttention",
              first_names({"query", "key", "value", "past_key", "past_value", "seqlens_k", "total_sequence_length",
                           "cos_cache", "sin_cache", "position_ids", "attention_bias", "head_sink", "k_scale",
                           "v_scale", "q_norm_weight", "k_norm_weight"},
                          site.input_count()),
              first_names({"output", "present_key", "present_value", "output_qk"}, site.output_count()), 15) {
    body_.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
    in_.scale = site.attribute_float("scale", 0.0f);
    in_.softcap = site.attribute_float("softcap", 0.0f);
    in_.heads = heads_;
    in_.type = site_.dtype(0);
  }

  Lowering lowering() {
    split_heads_of_inputs();
    if (site_.has_input(kQueryNorm)) normalize_heads();
    find_lengths();
    if (site_.attribute_int("do_rotary", 0) == 1) turn_by_position();
    in_.query = body_.transpose(query_, {0, 2, 1, 3}, "query_heads");
    key_ = body_.transpose(key_, {0, 2, 1, 3}, "key_heads");
    value_ = body_.transpose(value_, {0, 2, 1, 3}, "value_heads");
    if (site_.has_input(kPastKey)) {
      append_to_past();
    } else {
      if (site_.has_output(1)) body_("present_key", "Identity", {key_});
      if (site_.has_output(2)) body_("present_value", "Identity", {value_});
    }
    repeat_shared_heads();
    const std::string seen = seen_keys();
    in_.mask = additive_mask(body_, seen, std::numeric_limits<float>::lowest() / 2, in_.query);
    if (site_.has_input(kBias)) in_.bias = "attention_bias";
    if (site_.has_input(kSink)) {
      in_.sink = body_.reshape("head_sink", {1, heads_, 1, 1}, "sink");
    } else if (site_.attribute_int("smooth_softmax", 0) == 1) {
      in_.sink = body_.scalar_like(0.0, in_.query, "sink");
    }
    const AttentionScores scores = append_attention(body_, in_, "output");
    if (site_.has_output(kScores)) show(scores, seen);
    return body_.function();
  }

 private:
  // Makes `query_`, (B, S, N, H), `key_` and `value_`, (B, S, G, H). They are rotated in these
  // shapes, and transposed afterwards: with a Transpose before the rotation, OpenVINO mixes up
  // heads and sequence where there are as many of both.
  void split_heads_of_inputs() {
    if (site_.has_input(1)) {
      in_.head_size = size_of_head(site_.dim(0, 2), heads_);
      const int64_t size = told_size(in_.head_size);
      query_ = body_.reshape("query", {0, 0, heads_, size}, "query_split");
      key_ = body_.reshape("key", {0, 0, kv_heads_, size}, "key_split");
      value_ = body_.reshape("value", {0, 0, kv_heads_, size}, "value_split");
    } else {
      const int64_t all = heads_ + 2 * kv_heads_;
      in_.head_size = size_of_head(site_.dim(0, 2), all);
      const std::string packed = body_.reshape("query", {0, 0, all, told_size(in_.head_size)}, "packed");
      query_ = body_.slice(packed, 0, heads_, 2, "query_split");
      key_ = body_.slice(packed, heads_, heads_ + kv_heads_, 2, "key_split");
      value_ = body_.slice(packed, heads_ + kv_heads_, all, 2, "value_split");
    }
    in_.value_size = in_.head_size;
  }

  void normalize_heads() {
    body_.import("com.microsoft", 1);
    const float epsilon = site_.attribute_float("qk_norm_epsilon", 1e-6f);
    query_ = normalized(body_, query_, "q_norm_weight", epsilon, "query");
    key_ = normalized(body_, key_, "k_norm_weight", epsilon, "key");
  }

  // Makes the numbers of keys: `entry_length`, (B, 1), of all keys of a batch entry; `past_length`,
  // (B, 1), of those before the new ones; `length_`, S, of the new ones; and `total`, of the
  // longest entry. `query_position` is (B, S). In a prompt, where S is the total, there are no keys
  // before the new ones, even in an entry that is shorter.
  void find_lengths() {
    body_("last_key", "Cast", {"seqlens_k"}, {{"to", 7}});
    const std::string last_key = body_.reshape("last_key", {-1, 1}, "last_key");
    one_ = body_.scalar(1, "one");
    zero_ = body_.scalar(0, "zero");
    body_("entry_length", "Add", {last_key, one_});
    length_ = body_.dim("query", 1);
    body_("total_wide", "Cast", {"total_sequence_length"}, {{"to", 7}});
    const std::string no_shape = body_.ints({}, "scalar_shape");
    body_("total", "Reshape", {"total_wide", no_shape});
    body_("is_prompt", "Equal", {"total", length_});
    body_("before_new", "Sub", {"entry_length", length_});
    body_("past_length", "Where", {"is_prompt", zero_, "before_new"});
    body_("step", "Range", {zero_, length_, one_});
    body_("query_position", "Add", {"past_length", "step"});
  }

  // Gives the rows, (B, S), of cos_cache and sin_cache by which the new queries and keys
  // are rotated.
  std::string rotary_positions() {
    if (!site_.has_input(kPositions)) return "query_position";
    // In a prompt the kernel reads only the first position, and counts on from that in every
    // batch entry.
    body_("first_position", "Gather", {body_.reshape("position_ids", {-1}, "position_list"), zero_}, {{"axis", 0}});
    body_("prompt_positions", "Add", {"first_position", "step"});
    return body_("positions", "Where", {"is_prompt", "prompt_positions", "position_ids"});
  }

  void turn_by_position() {
    const std::string positions = rotary_positions();
    const bool interleaved = site_.attribute_int("rotary_interleaved", 0) == 1;
    const std::string cosines = cache_rows(body_, "cos_cache", positions, "cosines", 2);
    const std::string sines = cache_rows(body_, "sin_cache", positions, "sines", 2);
    // The cache may cover only the first components of a head.
    int64_t width = 0;
    const std::optional<int64_t> half = site_.dim(kCosines, 1);
    if (!half || !in_.head_size) decline("the size of a head or the second dimension of cos_cache is not known");
    if (2 * *half != *in_.head_size) width = 2 * *half;
    query_ = rotated(body_, query_, cosines, sines, in_.head_size, width, interleaved, "query");
    key_ = rotated(body_, key_, cosines, sines, in_.head_size, width, interleaved, "key");
  }

  // `key_` and `value_`, (B, G, S, H), become the cache after this step, (B, G, max(P, total), H).
  void append_to_past() {
    const std::string rows = rows_of_present();
    key_ = present_of("past_key", key_, rows, site_.has_output(1) ? "present_key" : "all_keys");
    value_ = present_of("past_value", value_, rows, site_.has_output(2) ? "present_value" : "all_values");
  }

  // Gives the place of each row of the cache after this step in the given cache with the new rows
  // behind it, (B, 1, max(P, total), 1). `row_is_valid`, of the same shape, is false behind the end
  // of the entry.
  std::string rows_of_present() {
    const std::string past = body_.dim("past_key", 2);
    body_("is_longer", "Less", {"total", past});
    body_("present_length", "Where", {"is_longer", past, "total"});
    body_("row", "Range", {zero_, "present_length", one_});
    body_("in_past", "Less", {"row", "past_length"});
    body_("behind_past", "Sub", {"row", "past_length"});
    body_("last_step", "Sub", {length_, one_});
    body_("is_behind_all", "Less", {"last_step", "behind_past"});
    body_("new_row", "Where", {"is_behind_all", "last_step", "behind_past"});
    body_("new_source", "Add", {"new_row", past});
    body_("source", "Where", {"in_past", "row", "new_source"});
    const std::string rows = body_.unsqueeze("source", {1, 3}, "source_rows");
    body_("row_in_entry", "Less", {"row", "entry_length"});
    const std::string valid = body_.unsqueeze("row_in_entry", {1, 3}, "valid_rows");
    body_("row_is_valid", "Identity", {valid});
    return rows;
  }

  // Gives the cache after this step: for each batch entry its valid past, the new rows behind that,
  // and zeros behind the entry. `past` is (B, G, P, H), `value` (B, G, S, H).
  std::string present_of(const std::string& past, const std::string& value, const std::string& source_rows,
                         const std::string& name) {
    body_(name + "_joined", "Concat", {past, value}, {{"axis", 2}});
    body_(name + "_joined_shape", "Shape", {name + "_joined"});
    const std::string total = body_.dim_list(source_rows, 2);
    const std::string head_axes = body_.slice(name + "_joined_shape", 0, 2, 0, "front");
    const std::string size = body_.slice(name + "_joined_shape", 3, 4, 0, "size");
    body_(name + "_shape", "Concat", {head_axes, total, size}, {{"axis", 0}});
    body_(name + "_rows", "Expand", {source_rows, name + "_shape"});
    body_(name + "_gathered", "GatherElements", {name + "_joined", name + "_rows"}, {{"axis", 2}});
    const std::string zero = body_.scalar_like(0.0, value, "zero");
    return body_(name, "Where", {"row_is_valid", name + "_gathered", zero});
  }

  // Makes the keys and values that the step sees, (B, N, total, H): the cache may be longer, and
  // each of its heads serves several of the query's.
  void repeat_shared_heads() {
    Ints shared_head = numbers_below(heads_);
    for (int64_t& head : shared_head) head /= heads_ / kv_heads_;
    const std::string head_index = body_.ints(shared_head, "shared_head");
    const std::string total_list = body_.reshape("total", {1}, "total_list");
    const std::string zero_list = body_.ints({0}, "zero");
    const std::string sequence_axis = body_.ints({2}, "axis");
    const auto repeated = [&](const std::string& stem, const std::string& whole) {
      body_(stem + "_used", "Slice", {whole, zero_list, total_list, sequence_axis});
      return body_(stem + "_repeated", "Gather", {stem + "_used", head_index}, {{"axis", 1}});
    };
    in_.key = repeated("key", key_);
    in_.value = repeated("value", value_);
  }

  // Says which keys each query sees, (B, 1, S or 1, total).
  std::string seen_keys() {
    const std::string query_column = body_.unsqueeze("query_position", {1, 3}, "query_column");
    const std::string last_of_entry = body_.unsqueeze("entry_length", {1, 2}, "end_of_entry");
    body_("key_position", "Range", {zero_, "total", one_});
    body_("valid", "Less", {"key_position", last_of_entry});
    if (site_.attribute_int("causal", 1) == 0) return "valid";
    body_("too_late", "Less", {query_column, "key_position"});
    body_("not_late", "Not", {"too_late"});
    body_("valid_and_past", "And", {"valid", "not_late"});
    const int64_t window = site_.attribute_int("local_window_size", -1);
    if (window <= 0) return "valid_and_past";
    body_("window_start", "Sub", {query_column, body_.scalar(window, "window")});
    body_("in_window", "Less", {"window_start", "key_position"});
    return body_("seen", "And", {"valid_and_past", "in_window"});
  }

  // Makes the output output_qk, (B, N, S, total).
  void show(const AttentionScores& scores, const std::string& seen) {
    if (site_.attribute_int("qk_output", none) == after_softmax) {
      body_("output_qk", "Identity", {scores.weights});
    } else {
      // As the kernel gives them, the scores of keys that a query does not see are zero.
      body_("output_qk", "Where", {seen, scores.unmasked, body_.scalar_like(0.0, scores.unmasked, "unseen")});
    }
  }

  const CallSite& site_;
  const int64_t heads_, kv_heads_;
  Body body_;
  AttentionInputs in_;
  std::string query_, key_, value_;
  std::string zero_, one_, length_;
};

Lowering lower(const CallSite& site) {
  check_supported(site);
  return CachedAttention(site).lowering();
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
