// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Y = softmax(softcap(scale * Q * K') + bias) * V, where the bias is attn_mask, and -inf where a
// query must not see a key: one behind the query (is_causal), outside the window, or padding.
//
// Attention with as few passes over its scores as runtimes need: no bias where nothing is masked,
// one scaling, which they take into the product, and heads that share keys and values as more rows
// of one product. What is not said here is as in the function in the schema.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"
#include "types/type_knowledge.h"

namespace onnx_lower::native_rules::ai_onnx_Attention {
namespace {

enum Input { Q, K, V, attn_mask, past_key, past_value, nonpad_kv_seqlen };

// What the output qk_matmul_output gives, by the numbers of the attribute qk_matmul_output_mode.
enum class Shown : int64_t { nothing = -1, raw_scores = 0, capped_scores = 1, biased_scores = 2, weights = 3 };

// Whether two dimensions have the same size, or the same name where the size is not known.
bool is_same_dimension(const CallSite& site, int input, int axis, int other_input, int other_axis) {
  const auto dimension = [&](int of, int at) -> const onnx::TensorShapeProto::Dimension* {
    const onnx::TensorShapeProto* shape = shape_of(site.input_type(of));
    if (shape == nullptr) return nullptr;
    const int place = at < 0 ? at + shape->dim_size() : at;
    return place < 0 || place >= shape->dim_size() ? nullptr : &shape->dim(place);
  };
  const auto* one = dimension(input, axis);
  const auto* other = dimension(other_input, other_axis);
  if (one == nullptr || other == nullptr) return false;
  if (one->has_dim_value() || other->has_dim_value())
    return one->has_dim_value() && other->has_dim_value() && one->dim_value() == other->dim_value();
  return !one->dim_param().empty() && one->dim_param() == other->dim_param();
}

class AttentionFunction {
 public:
  explicit AttentionFunction(const CallSite& site)
      : site_(site),
        type_(site.need_dtype(Q)),
        rank_(site.need_rank(Q)),
        is_causal_(site.attribute_int("is_causal", 0) == 1),
        left_(site.attribute_int("left_window_size", -1)),
        right_(site.attribute_int("right_window_size", -1)),
        shown_(site.has_output(3) ? Shown{site.attribute_int("qk_matmul_output_mode", 0)} : Shown::nothing),
        body_("ai.onnx", "Attention", {"Q", "K", "V", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen"},
              first_names({"Y", "present_key", "present_value", "qk_matmul_output"}, site.output_count()), 18) {
    body_.all_are_float(type_ == onnx::TensorProto::FLOAT);
  }

  Lowering lowering() {
    if (rank_ != 3 && rank_ != 4) return Declined{"its query has neither three nor four dimensions"};
    const int64_t precision = site_.attribute_int("softmax_precision", type_);
    if (precision == onnx::TensorProto::BFLOAT16)
      return Declined{"a softmax of bfloat16 is left to the function in the schema"};
    read_sizes();

    const std::string query =
        has_rows_by_place_ ? heads(Q, "Q", kv_heads_, *q_size_ * group()) : heads(Q, "Q", q_heads_, q_size_);
    std::string key = heads(K, "K", kv_heads_, q_size_), value = heads(V, "V", kv_heads_, v_size_);
    key = with_past(key, "past_key", "present_key", 1);
    value = with_past(value, "past_value", "present_value", 2);
    std::string scores = grouped_scores(query, key);
    if (shown_ == Shown::raw_scores) show(ungrouped(scores, query, "raw_scores"));
    if (const float softcap = site_.attribute_float("softcap", 0); softcap > 0) scores = capped(scores, softcap);
    if (shown_ == Shown::capped_scores) show(ungrouped(scores, query, "capped_scores"));
    const std::string bias = added_to_scores(query, key);
    if (shown_ == Shown::biased_scores) show_with_bias(ungrouped(scores, query, "shown_scores"), bias);
    const bool stays_grouped = bias.empty() || (shown_ == Shown::nothing && is_small_for_all_heads());
    if (!bias.empty() && stays_grouped) {
      scores = body_("biased", "Add", {scores, for_each_of_group(bias)});
    } else if (!bias.empty()) {
      scores = body_("biased", "Add", {ungrouped(scores, query, "ungrouped_scores"), bias});
    }
    std::string weights = softmax_of(scores, precision);
    if (shown_ == Shown::weights) show_where_open(stays_grouped ? ungrouped(weights, query, "shown_weights") : weights);
    if (!stays_grouped && group() > 1) weights = reshaped(weights, kv_heads_, group(), query, "grouped_weights");
    give(attended(weights, value, query));
    return body_.function();
  }

 private:
  int64_t group() const { return q_heads_ / kv_heads_; }

  void read_sizes() {
    const auto head_count = [&](int input, const char* attribute) {
      const std::optional<int64_t> count = rank_ == 3 ? site_.attribute_int(attribute, 0) : site_.dim(input, 1);
      if (!count || *count < 1) decline("the number of its heads is not known");
      return *count;
    };
    q_heads_ = head_count(Q, "q_num_heads");
    kv_heads_ = head_count(K, "kv_num_heads");
    if (q_heads_ % kv_heads_ != 0) decline("its heads cannot share keys and values evenly");
    const auto size = [&](int input, int64_t count) {
      const std::optional<int64_t> last = site_.dim(input, -1);
      return last && rank_ == 3 ? std::optional(*last / count) : last;
    };
    q_size_ = size(Q, q_heads_);
    v_size_ = size(V, kv_heads_);
    q_length_ = site_.dim(Q, -2);
    const std::optional<int64_t> present = site_.dim(K, -2),
                                 past = site_.has_input(past_key) ? site_.dim(past_key, 2) : 0;
    int64_t all = 0;
    if (present && past && !__builtin_add_overflow(*present, *past, &all)) key_length_ = all;
    if (group() > 1 && !q_size_) decline("the size of its heads is not known");
    has_batch_of_one_ = rank_ == 3 && site_.dim(Q, 0) == 1 && q_size_.value_or(0) > 0 && v_size_.value_or(0) > 0;
    const bool stays_grouped = !site_.has_output(3) && (is_small_for_all_heads() || !has_bias());
    has_rows_by_place_ = rank_ == 3 && group() > 1 && q_length_ != 1 && (q_length_ || v_size_) && stays_grouped;
  }

  std::string heads(Input input, std::string_view name, int64_t count, std::optional<int64_t> size) {
    if (rank_ == 4) return std::string(name);
    if (site_.dim(input, 1) == 1) return body_.reshape(name, {0, count, 1, size.value_or(-1)}, "heads_of_one");
    if (has_batch_of_one_) {
      return body_.transpose(body_.reshape(name, {-1, 1, count, *size}, "heads"), {1, 2, 0, 3}, "heads_first");
    }
    return body_.transpose(body_.reshape(name, {0, 0, count, size.value_or(-1)}, "heads"), {0, 2, 1, 3}, "heads_first");
  }

  std::string with_past(const std::string& values, std::string_view past, std::string_view present, int output) {
    const bool has_output = site_.has_output(output);
    const std::string name = has_output ? std::string(present) : fmt::format("all_{}", present);
    if (site_.has_input(past == "past_key" ? past_key : past_value)) {
      return body_(name, "Concat", {past, values}, {{"axis", 2}});
    }
    if (has_output) body_(name, "Identity", {values});
    return values;
  }

  // The scores of heads that share keys: batch x heads of keys x (heads that share them * queries)
  // x keys.
  std::string grouped_scores(const std::string& query, const std::string& key) {
    const bool is_narrow = type_ != onnx::TensorProto::FLOAT && type_ != onnx::TensorProto::DOUBLE;
    std::string factor;
    if (site_.attribute("scale") != nullptr || q_size_) {
      const double scale = site_.attribute("scale") != nullptr ? static_cast<double>(site_.attribute_float("scale", 1))
                                                               : 1 / std::sqrt(static_cast<double>(*q_size_));
      if (scale < 0) decline("its scale is negative");
      factor = body_.scalar_like(is_narrow ? std::sqrt(scale) : scale, "Q", "scale");
    } else {
      body_("size", "Cast", {body_.dim(query, 3)}, {{"to", onnx::TensorProto::FLOAT}});
      body_("root_of_size", "Sqrt", {"size"});
      body_("scale_number", "Reciprocal", {"root_of_size"});
      if (is_narrow) body_("root_of_scale", "Sqrt", {"scale_number"});
      factor = body_("scale", "CastLike", {is_narrow ? "root_of_scale" : "scale_number", "Q"});
    }
    std::string rows = query;
    if (group() > 1) rows = body_.reshape(query, {0, kv_heads_, -1, *q_size_}, "grouped_query");
    body_("scaled_query", "Mul", {rows, factor});
    std::string columns = body_.transpose(key, {0, 1, 3, 2}, "key_columns");
    if (is_narrow) {
      // Query and key are both multiplied by the root of the scale: their product would overflow
      // before it was scaled.
      columns = body_("scaled_key", "Mul", {columns, factor});
    }
    return body_("scores", "MatMul", {"scaled_query", columns});
  }

  // Reshapes the rows of a group of heads into those of each head, or back.
  std::string reshaped(const std::string& values, int64_t heads, int64_t in_group, const std::string& query,
                       std::string_view name) {
    if (q_length_) return body_.reshape(values, {0, heads, *q_length_ * in_group, -1}, name);
    const std::string length = body_.dim_list(query, 2);
    std::string rows = length;
    if (in_group > 1) {
      rows = body_(fmt::format("{}_rows", name), "Mul", {length, body_.ints({in_group}, "group")});
    }
    const std::string rest = body_.ints({-1}, "rest"), head_count = body_.ints({heads}, "heads"),
                      batch = body_.ints({0}, "batch");
    const std::string shape =
        body_(fmt::format("{}_shape", name), "Concat", {batch, head_count, rows, rest}, {{"axis", 0}});
    return body_(name, "Reshape", {values, shape});
  }

  std::string ungrouped(const std::string& scores, const std::string& query, std::string_view name) {
    return group() == 1 ? scores : reshaped(scores, q_heads_, 1, query, name);
  }

  // Whether a bias of queries x keys costs little if it is repeated for each head of a group: ONNX
  // Runtime computes it before the model runs, or once for all layers.
  bool is_small_for_all_heads() const {
    if (!q_length_ || !key_length_ || site_.has_input(nonpad_kv_seqlen)) return false;
    if (site_.has_input(attn_mask) && (site_.rank(attn_mask) != 2 || site_.dim(attn_mask, 0) != q_length_))
      return false;
    if (std::min(*q_length_, *key_length_) < 1) return false;
    if (std::max({*q_length_, group(), *key_length_}) > largest_repeated) return false;
    return *q_length_ * group() <= largest_repeated / *key_length_;
  }

  std::string for_each_of_group(const std::string& bias) {
    if (group() == 1) return bias;
    if (has_rows_by_place_) {
      const std::string rows = body_.unsqueeze(bias, {1}, "bias_rows");
      body_("repeated_rows", "Expand", {rows, body_.ints({1, group(), 1}, "group")});
      return body_.reshape("repeated_rows", {*q_length_ * group(), *key_length_}, "bias_of_group");
    }
    return body_("bias_of_group", "Concat", std::vector(static_cast<size_t>(group()), bias), {{"axis", -2}});
  }

  void show(const std::string& scores) { body_("qk_matmul_output", "Identity", {scores}); }

  void show_with_bias(const std::string& scores, const std::string& bias) {
    show(bias.empty() ? scores : body_("shown_with_bias", "Add", {scores, whole_bias_}));
  }

  void show_where_open(const std::string& weights) {
    show(open_share_.empty() ? weights : body_("shown_where_open", "Mul", {weights, open_share_}));
  }

  std::string capped(const std::string& scores, float softcap) {
    const std::string cap = body_.scalar_like(softcap, "Q", "cap");
    body_("uncapped", "Div", {scores, cap});
    body_("bounded", "Tanh", {"uncapped"});
    return body_("capped", "Mul", {"bounded", cap});
  }

  // weights = softmax(scores) over the keys, computed in the type `precision`.
  std::string softmax_of(std::string scores, int64_t precision) {
    if (precision != type_) scores = body_("precise_scores", "Cast", {scores}, {{"to", precision}});
    const std::string weights = body_("weights", "Softmax", {scores}, {{"axis", -1}});
    return precision == type_ ? weights : body_("rounded_weights", "Cast", {weights}, {{"to", type_}});
  }

  // Whether there is a single query: the results of its heads lie behind each other already, as Y
  // has them.
  bool has_one_row() const { return rank_ == 3 && q_length_ == 1; }

  // Gives the products of the weights and the values: batch x heads x queries x size. With one
  // query, or with rows by place, the shape is another one with the elements in the same order.
  std::string attended(const std::string& weights, const std::string& value, const std::string& query) {
    std::string result = body_("mixed", "MatMul", {weights, value});
    if (has_rows_by_place_) {
      const int64_t length = q_length_.value_or(-1), width = v_size_ ? *v_size_ * group() : -1;
      result = body_.reshape(result, {0, 0, length, width}, "result_of_places");
    } else if (group() > 1 && !(has_one_row() && open_share_.empty())) {
      result = ungrouped(result, query, "ungrouped_result");
    }
    return open_share_.empty() ? result : body_("seen_result", "Mul", {result, open_share_});
  }

  // Makes Y, of the same rank as Q: batch x heads x queries x size, or
  // batch x queries x (heads * size).
  void give(const std::string& result) {
    if (rank_ == 4) {
      body_("Y", "Identity", {result});
      return;
    }
    const int64_t width = v_size_ ? q_heads_ * *v_size_ : -1;
    if (has_one_row()) {
      body_("Y", "Reshape", {result, body_.ints({0, 1, width}, "shape")});
    } else if (has_batch_of_one_) {
      const std::string rows = body_.transpose(result, {2, 0, 1, 3}, "rows");
      body_("Y", "Reshape", {rows, body_.ints({1, -1, width}, "shape")});
    } else {
      const std::string rows = body_.transpose(result, {0, 2, 1, 3}, "rows");
      body_("Y", "Reshape", {rows, body_.ints({0, 0, width}, "shape")});
    }
  }

  // Gives the bias that is added to the scores, which is -inf where a key is masked; an empty name
  // where there is none. A query that sees no key has the result 0: `open_share_` is 0 for its row
  // and 1 for others, and nothing is added to that row, since a softmax of -inf alone is NaN.
  std::string added_to_scores(const std::string& query, const std::string& key) {
    const std::string behind = hidden_keys(query, key);
    std::string bias;
    if (behind.empty() && !site_.has_input(attn_mask)) return "";
    body_("outside", "CastLike", {body_.float_scalar(-INFINITY, "infinity"), "Q"});
    std::string seen;
    if (site_.has_input(attn_mask) && !has_whole_mask()) {
      bias = padded_mask(key);
    } else if (site_.has_input(attn_mask)) {
      (site_.need_dtype(attn_mask) == onnx::TensorProto::BOOL ? seen : bias) = "attn_mask";
    }
    const std::string inside = body_.scalar_like(0, "Q", "inside");
    if (!behind.empty() && !seen.empty()) {
      body_("not_behind", "Not", {behind});
      seen = body_("seen_by_both", "And", {seen, "not_behind"});
    } else if (!behind.empty()) {
      const std::string causal = body_(bias.empty() ? "bias" : "causal_bias", "Where", {behind, "outside", inside});
      bias = bias.empty() ? causal : body_("bias_of_both", "Add", {bias, causal});
    }
    if (bias.empty()) bias = body_("bias", "Where", {seen, inside, "outside"});
    whole_bias_ = bias;
    const bool is_open_by_itself = !site_.has_input(nonpad_kv_seqlen) && left_ < 0;
    if (is_open_by_itself && (!site_.has_input(attn_mask) || sees_something_everywhere())) return bias;
    // Whether a query sees a key is not told by the greatest bias of its row: OpenVINO's ReduceMax
    // of -inf alone is a finite number.
    if (seen.empty()) {
      seen = site_.has_input(attn_mask) ? body_("is_open", "Greater", {bias, "outside"})
                                        : body_("is_open", "Not", {behind});
    }
    body_("open_shares", "Cast", {seen}, {{"to", type_}});
    open_share_ = body_("open_share", "ReduceMax", {"open_shares", body_.ints({-1}, "last")}, {{"keepdims", 1}});
    body_("has_open", "Greater", {open_share_, inside});
    return body_("bias_of_seen", "Where", {"has_open", bias, inside});
  }

  bool has_hidden_keys() const {
    if (site_.has_input(nonpad_kv_seqlen) || left_ >= 0) return true;
    // A single new token sees all keys before it.
    return (is_causal_ || right_ >= 0) && !(q_length_ == 1 && site_.dim(K, -2) == 1);
  }

  bool has_bias() const { return site_.has_input(attn_mask) || has_hidden_keys(); }

  // How many queries or keys there are in a value of batch x heads x queries or keys x size.
  // Where the number is known, all layers of a model compute the same mask of it, and ONNX
  // Runtime keeps one.
  std::string length(std::string_view values, std::optional<int64_t> known) {
    return known ? body_.scalar(*known, "length") : body_.dim(values, 2);
  }

  // Gives (batch x 1 x) queries x keys: whether the key is behind the query, outside its window or
  // only padding; an empty name if no key is.
  std::string hidden_keys(const std::string& query, const std::string& key) {
    const bool has_lengths = site_.has_input(nonpad_kv_seqlen);
    const int64_t right = is_causal_ ? 0 : right_;
    if (!has_hidden_keys()) return "";
    body_.constant("first", 0);
    body_.constant("next", 1);
    body_("key_line", "Range", {"first", length(key, key_length_), "next"});
    std::string hidden;
    const auto hide = [&](const std::string& more) {
      if (!hidden.empty()) {
        hidden = body_(body_.fresh("hidden"), "Or", {hidden, more});
      } else {
        hidden = more;
      }
    };
    if (has_lengths) {
      body_("lengths", "Reshape", {"nonpad_kv_seqlen", body_.ints({-1, 1, 1, 1}, "column")});
      body_("is_there", "Less", {"key_line", "lengths"});
      body_("is_padding", "Not", {"is_there"});
      hide("is_padding");
    }
    if (right < 0 && left_ < 0) return hidden;
    const std::string query_length = length(query, q_length_);
    body_("query_line", "Range", {"first", query_length, "next"});
    std::string places = body_.unsqueeze("query_line", {1}, "query_column");
    if (site_.has_input(past_key)) {
      places = body_("places", "Add", {places, length("past_key", site_.dim(past_key, 2))});
    } else if (has_lengths) {
      body_("before_query", "Sub", {"lengths", query_length});
      places = body_("places", "Add", {places, "before_query"});
    }
    if (right >= 0) {
      std::string last = places;
      if (right > 0) last = body_("last_place", "Add", {places, body_.scalar(right, "right")});
      body_("is_behind", "Less", {last, "key_line"});
      hide("is_behind");
    }
    if (left_ >= 0) {
      body_("first_place", "Sub", {places, body_.scalar(left_, "left")});
      body_("is_before", "Less", {"key_line", "first_place"});
      hide("is_before");
    }
    return hidden;
  }

  bool has_whole_mask() const {
    if (!site_.has_input(past_key)) return is_same_dimension(site_, attn_mask, -1, K, -2);
    return key_length_ && site_.dim(attn_mask, -1) == key_length_;
  }

  // Keys behind the end of the mask are masked.
  std::string padded_mask(const std::string& key) {
    const int rank = site_.need_rank(attn_mask);
    if (rank == 0) decline("its mask has no dimensions");
    std::string bias = "attn_mask";
    if (site_.need_dtype(attn_mask) == onnx::TensorProto::BOOL) {
      bias = body_("mask_bias", "Where", {"attn_mask", body_.scalar_like(0, "Q", "seen"), "outside"});
    }
    const std::string mask_length = body_.dim_list(bias, rank - 1), key_length = body_.dim_list(key, 2);
    body_("missing", "Sub", {key_length, mask_length});
    const std::vector<int64_t> none(static_cast<size_t>(2 * rank - 1), 0);
    body_("widths", "Concat", {body_.ints(none, "widths"), "missing"}, {{"axis", 0}});
    return body_("whole_bias", "Pad", {bias, "widths", "outside"});
  }

  // Whether a constant mask leaves some key to each query; the first key is behind none.
  bool sees_something_everywhere() const {
    const onnx::TensorProto* mask = site_.constant(attn_mask);
    if (mask == nullptr || mask->dims_size() == 0 || mask->dims(mask->dims_size() - 1) < 1) return false;
    const int64_t length = mask->dims(mask->dims_size() - 1);
    std::vector<bool> seen;
    if (mask->data_type() == onnx::TensorProto::BOOL) {
      const auto numbers = site_.constant_ints(attn_mask);
      if (!numbers) return false;
      for (const int64_t number : *numbers) seen.push_back(number != 0);
    } else {
      const auto numbers = site_.constant_floats(attn_mask);
      if (!numbers) return false;
      for (const double number : *numbers) seen.push_back(number > -INFINITY);
    }
    for (size_t row = 0; row < seen.size(); row += static_cast<size_t>(length)) {
      const auto begin = seen.begin() + static_cast<std::ptrdiff_t>(row);
      if (std::find(begin, begin + (is_causal_ ? 1 : length), true) == begin + (is_causal_ ? 1 : length)) return false;
    }
    return true;
  }

  const CallSite& site_;
  int type_;
  int rank_;
  bool is_causal_;
  int64_t left_, right_;
  Shown shown_;
  Body body_;
  static constexpr int64_t largest_repeated = int64_t{1} << 16;
  int64_t q_heads_ = 0, kv_heads_ = 0;
  std::optional<int64_t> q_size_, v_size_, q_length_, key_length_;
  // Whether the queries' dimension stands before that of the batch, which is 1, until they are
  // transposed: ONNX Runtime fuses that transposition into the product, and does not where a batch
  // of several is in between.
  bool has_batch_of_one_ = false;
  // Whether the rows of a group of heads are ordered by place, then by head, as in a query of three
  // dimensions: transposing that one then moves longer pieces.
  bool has_rows_by_place_ = false;
  std::string whole_bias_, open_share_;
};

Lowering lower(const CallSite& site) { return AttentionFunction(site).lowering(); }

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "Attention",
    .summary = "Products of queries and keys, their softmax, and the product with the values.",
    .source = "ONNX Attention-23, Attention-25",
    .attributes =
        "is_causal, kv_num_heads, left_window_size, q_num_heads, qk_matmul_output_mode, right_window_size, "
        "scale, softcap, softmax_precision",
    .needed_inputs = 3,
    .most_inputs = 7,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Attention
