// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The part that ONNX Runtime's attention operators share, as they compute it on the CPU:
//
//     output = softmax(scale * Q * K' + bias + mask) * V
//
// B is the batch size, N the number of heads, S the length of the queries, L that of the new keys,
// T that of all keys, H a head's size.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "rules/body.h"

namespace onnx_lower {

struct AttentionInputs {
  std::string query;        // (B, N, S, H)
  std::string key;          // (B, N, T, H)
  std::string value;        // (B, N, T, any)
  std::optional<int> type;  // of the elements of all of them
  std::optional<int64_t> head_size;
  std::optional<int64_t> value_size;  // of one head
  int64_t heads = 0;
  float scale = 0.0f;   // zero: 1 / sqrt(H)
  std::string bias;     // (B or 1, N or 1, S, T); empty: none
  std::string mask;     // added after the bias, (B or 1, 1, S or 1, T); empty: none
  bool causal = false;  // a query sees no key that stands after it
  // The last query sees all keys, whatever stands after it: there may be more keys than those of
  // the past and the queries, and ONNX Runtime's kernel hides them from all queries but the last.
  bool last_sees_all = false;
  std::string past_length;  // number of keys before the first query's own; a scalar, empty: 0
  float softcap = 0.0f;     // c * tanh(score / c); none where it is not above zero
  // One more score for each head, which takes weight and gives no value: (1, N, 1, 1), or one for
  // all heads; empty: none.
  std::string sink;
};

// What append_attention() has made besides its output.
struct AttentionScores {
  std::string unmasked;  // (B, N, S, T), after softcap and bias
  std::string weights;   // (B, N, S, T)
};

// The size of a head, if that of all of them is known.
inline std::optional<int64_t> size_of_head(std::optional<int64_t> width, int64_t heads) {
  return width ? std::optional(*width / heads) : std::nullopt;
}

// Makes (B, N, S, H) of (B, S, N * H).
inline std::string split_heads(Body& body, const std::string& value, int64_t heads, std::optional<int64_t> size,
                               const std::string& stem) {
  const std::string split = body.reshape(value, {0, 0, heads, told_size(size)}, std::string(stem) + "_split");
  return body.transpose(split, {0, 2, 1, 3}, std::string(stem) + "_heads");
}

// The mask that adds `filter` where the condition does not hold, of the condition's shape and the
// type of `like`.
inline std::string additive_mask(Body& body, const std::string& keep_condition, float filter, const std::string& like) {
  const std::string zero = body.scalar_like(0.0, like, "zero");
  const std::string masked = body.scalar_like(filter, like, "masked");
  return body.made("mask", "Where", {keep_condition, zero, masked});
}

// Says which keys lie between the bounds of their batch entry, (B, 1, 1, T): `bounds` has the
// number of keys of each entry, perhaps followed by the index of its first key.
inline std::string keys_within_bounds(Body& body, const char* bounds, const std::string& query,
                                      const std::string& key) {
  const std::string wide = body.made("bounds", "Cast", {bounds}, {{"to", 7}});
  const std::string batch = body.dim_list(query, 0);
  const std::string zero = body.ints({0}, "zero");
  const std::string one = body.scalar(1, "one");
  const std::string end_list = body.made("end_list", "Slice", {wide, zero, batch, zero});
  const std::string ends = body.unsqueeze(end_list, {1, 2, 3}, "ends");
  const std::string total = body.dim(key, 2);
  const std::string first = body.scalar(0, "first");
  const std::string positions = body.made("positions", "Range", {first, total, one});
  const std::string before_end = body.made("before_end", "Less", {positions, ends});
  // There are starts behind the ends where the length says so: there may be nothing, or what the
  // kernels of a GPU read. With zeros behind the ends there is something to slice in any case.
  const std::string no_starts = body.made("no_starts", "ConstantOfShape", {batch},
                                          {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{0})}});
  const std::string padded = body.made("bounds", "Concat", {wide, no_starts}, {{"axis", 0}});
  const std::string twice = body.made("twice", "Add", {batch, batch});
  const std::string start_list = body.made("start_list", "Slice", {padded, batch, twice, zero});
  const std::string length = body.made("length", "Shape", {wide});
  const std::string has_starts = body.made("has_starts", "Equal", {length, twice});
  const std::string start_or_zero = body.made("start_or_zero", "Where", {has_starts, start_list, no_starts});
  const std::string starts = body.unsqueeze(start_or_zero, {1, 2, 3}, "starts");
  const std::string before_start = body.fresh("before_start");
  const std::string from_start = body.fresh("from_start");
  const std::string keep = body.fresh("keep");
  body(before_start, "Less", {positions, starts});
  body(from_start, "Not", {before_start});
  return body(keep, "And", {before_end, from_start});
}

// Says where a mask is positive. A single column, which the kernel takes for no mask, counts
// as positive.
inline std::string positive_or_single(const CallSite& site, Body& body, int input, const char* name) {
  const std::string as_float = body.made("mask_float", "Cast", {name}, {{"to", 1}});
  const std::string zero = body.float_scalar(0.0, "zero");
  const std::string keep = body.made("keep", "Greater", {as_float, zero});
  if (site.rank(input) != 2 || site.dim(input, 1)) return keep;
  const std::string columns = body.dim(name, 1);
  const std::string is_column = body.fresh("is_column");
  const std::string keep_or_column = body.fresh("keep");
  body(is_column, "Equal", {columns, body.scalar(1, "one")});
  return body(keep_or_column, "Or", {keep, is_column});
}

// Makes (B, 1, S, T) of a mask (B, 1, max, max): the rows of the queries, which are the last S
// of T.
inline std::string cut_to_queries(Body& body, const std::string& mask, const std::string& query,
                                  const std::string& key) {
  const std::string length = body.dim_list(query, 2);
  const std::string total = body.dim_list(key, 2);
  const std::string first = body.made("first", "Sub", {total, length});
  const std::string zero_list = body.ints({0}, "zero");
  const std::string starts = body.fresh("starts");
  const std::string ends = body.fresh("ends");
  const std::string axes = body.ints({2, 3}, "axes");
  const std::string cut = body.fresh("mask");
  body(starts, "Concat", {first, zero_list}, {{"axis", 0}});
  body(ends, "Concat", {total, total}, {{"axis", 0}});
  return body(cut, "Slice", {mask, starts, ends, axes});
}

// Makes the mask that is added to the scores from the operators' mask_index. The rank of mask_index
// decides what it means: 1: the bounds of the keys of each batch entry; 2: (B, T); 3: (B, S, T); 4:
// (B, 1, max, max). The name is empty where mask_index masks nothing.
inline std::string mask_from_index(const CallSite& site, Body& body, int input, const char* name, float filter,
                                   const std::string& query, const std::string& key) {
  const std::optional<int> rank = site.rank(input);
  if (!rank) decline(fmt::format("the rank of {} is not known", name));
  // The kernel takes one column for no mask: the same number for every key changes nothing.
  if (*rank == 2 && site.dim(input, 1) == 1) return std::string();
  if (*rank == 1) return additive_mask(body, keys_within_bounds(body, name, query, key), filter, query);
  const std::string mask = additive_mask(body, positive_or_single(site, body, input, name), filter, query);
  if (*rank == 2) return body.unsqueeze(mask, {1, 2}, "mask");
  if (*rank == 3) return body.unsqueeze(mask, {1}, "mask");
  if (*rank == 4) return cut_to_queries(body, mask, query, key);
  decline(fmt::format("{} has rank {}", name, *rank));
}

// Appends `output = Softmax(scores)` along the last axis. ONNX Runtime's CPU provider has a kernel
// for float, and writes the function of five operators in the place of a Softmax of float16; that
// the numbers go through float is what the kernels of the operators do, too.
inline std::string softmax(Body& body, const AttentionInputs& in, std::string_view output, const std::string& scores) {
  if (in.type != onnx::TensorProto::FLOAT16) return body(output, "Softmax", {scores}, {{"axis", -1}});
  const std::string wide = body.made("wide_scores", "Cast", {scores}, {{"to", onnx::TensorProto::FLOAT}});
  const std::string weights = body.made("wide_weights", "Softmax", {wide}, {{"axis", -1}});
  return body(output, "Cast", {weights}, {{"to", *in.type}});
}

// Gives the softmax of the scores (B, N, S, T) with the sink behind them, without the sink's part.
inline std::string weights_beside_sink(Body& body, const AttentionInputs& in, const std::string& scores) {
  body("scores_shape", "Shape", {scores});
  const std::string rows = body.slice("scores_shape", 0, 3, 0, "rows_of_scores");
  const std::string one = body.ints({1}, "one_column");
  body("sink_shape", "Concat", {rows, one}, {{"axis", 0}});
  body("sink_column", "Expand", {in.sink, "sink_shape"});
  body("scores_and_sink", "Concat", {scores, "sink_column"}, {{"axis", 3}});
  softmax(body, in, "weights_and_sink", "scores_and_sink");
  return body.slice("weights_and_sink", 0, -1, 3, "weights_of_keys");
}

// Gives the scale, or 1 / sqrt(H) where none is given, as a number of rank 0.
inline std::string scale_of_scores(Body& body, const AttentionInputs& in) {
  if (in.scale != 0.0f) return body.scalar_like(in.scale, in.query, "scale");
  if (in.head_size && *in.head_size > 0)
    return body.scalar_like(1.0 / std::sqrt(static_cast<double>(*in.head_size)), in.query, "scale");
  const std::string size = body.dim(in.query, 3);
  const std::string scale = body.fresh("scale");
  body(scale + "_size", "Cast", {size}, {{"to", 1}});
  body(scale + "_root", "Sqrt", {scale + "_size"});
  body(scale + "_float", "Reciprocal", {scale + "_root"});
  return body(scale, "CastLike", {scale + "_float", in.query});
}

// Gives scale * Q * K', bounded by the softcap, with the bias added: (B, N, S, T).
inline std::string unmasked_scores(Body& body, const AttentionInputs& in) {
  const std::string scale = scale_of_scores(body, in);
  body("scaled_query", "Mul", {in.query, scale});
  const std::string key_columns = body.transpose(in.key, {0, 1, 3, 2}, "key_columns");
  std::string scores = body("scores", "MatMul", {"scaled_query", key_columns});
  if (in.softcap > 0.0f) {
    const std::string cap = body.scalar_like(in.softcap, scores, "softcap");
    body("uncapped", "Div", {scores, cap});
    body("bounded", "Tanh", {"uncapped"});
    scores = body("capped", "Mul", {"bounded", cap});
  }
  return in.bias.empty() ? scores : body("biased_scores", "Add", {scores, in.bias});
}

// Gives the scores (B, N, S, T) with the lowest number for keys that stand after the query.
inline std::string causal_scores(Body& body, const AttentionInputs& in, const std::string& scores) {
  const std::string zero = body.scalar(0, "zero");
  const std::string one = body.scalar(1, "one");
  const std::string length = body.dim(in.query, 2);
  const std::string total = body.dim(in.key, 2);
  body("query_number", "Range", {zero, length, one});
  const std::string query_position =
      in.past_length.empty() ? "query_number" : body("query_position", "Add", {"query_number", in.past_length});
  const std::string query_column = body.unsqueeze(query_position, {1}, "query_column");
  body("key_position", "Range", {zero, total, one});
  std::string hidden = body("too_late", "Less", {query_column, "key_position"});
  if (in.last_sees_all) {
    body("last_query", "Sub", {length, one});
    body("is_before_last", "Less", {"query_number", "last_query"});
    const std::string before_last_column = body.unsqueeze("is_before_last", {1}, "before_last_column");
    hidden = body("hidden_before_last", "And", {hidden, before_last_column});
  }
  const std::string lowest = body.scalar_like(std::numeric_limits<float>::lowest(), scores, "lowest");
  return body("causal_scores", "Where", {hidden, lowest, scores});
}

// Appends `output = …`, with shape (B, S, N * size of a value).
inline AttentionScores append_attention(Body& body, const AttentionInputs& in, const std::string& output) {
  std::string scores = unmasked_scores(body, in);
  AttentionScores made{.unmasked = scores, .weights = "weights_of_keys"};
  if (!in.mask.empty()) scores = body("masked_scores", "Add", {scores, in.mask});
  if (in.causal) scores = causal_scores(body, in, scores);
  if (in.sink.empty()) {
    softmax(body, in, made.weights, scores);
  } else {
    made.weights = weights_beside_sink(body, in, scores);
  }
  body("weighted", "MatMul", {made.weights, in.value});
  const std::string merged = body.transpose("weighted", {0, 2, 1, 3}, "merged");
  const std::optional<int64_t> width = in.value_size ? std::optional(*in.value_size * in.heads) : std::nullopt;
  const std::string flat = body.ints({0, 0, told_size(width)}, "shape");
  body(output, "Reshape", {merged, flat});
  return made;
}

// Puts the new keys or values behind those of the past.
inline std::string after_past(Body& body, const std::string& past, const std::string& value, const std::string& name) {
  body(name, "Concat", {past, value}, {{"axis", 2}});
  return name;
}

}  // namespace onnx_lower
