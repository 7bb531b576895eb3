// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// NGramHashMapping: hashes of each token and those before it.
//
//     hash[b, t, i] = mod(xor over k < n of token[b, t - k] * multiplier[k], size[i]) + offset[i]
//     with i = (n - 2) * heads + h
//
// Products and sums wrap around in the type of the tokens. Beyond a boundary, where the token
// before is the last of a text or another segment begins, stands the last token of a text.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::com_microsoft_NGramHashMapping {
namespace {

enum Input { ids, multipliers, vocab_sizes, past_ids, head_offsets, eos_token_id, segment_ids };

class Hashes {
 public:
  Hashes(Body& body, const CallSite& site, int64_t longest, int64_t heads)
      : body_(body), site_(site), longest_(longest), heads_(heads) {}

  void append() {
    const bool resets = site_.has_input(eos_token_id) && site_.attribute_int("reset_on_eos", 0) != 0;
    append_all_ids();
    if (resets || site_.has_input(segment_ids)) append_boundaries(resets);
    std::vector<std::string> hashes;
    std::string mix, hidden;
    for (int64_t back = 0; back < longest_; ++back) {
      if (back > 0 && !boundaries_.empty()) hidden = hidden_behind(hidden, back - 1);
      const std::string factor =
          body_.made("factor", "Gather", {"multipliers", body_.scalar(back, "back")}, {{"axis", 0}});
      const std::string product = body_.made("product", "Mul", {token(hidden, back), factor});
      mix = back == 0 ? product : body_.made("mix", "BitwiseXor", {mix, product});
      if (back > 0) hashes.push_back(hashes_of(mix, back - 1));
    }
    body_("hash_ids", "Concat", hashes, {{"axis", 2}});
    if (site_.has_output(1))
      body_("present_ids", "Slice", {"all_ids", body_.ints({1 - longest_}), body_.ints({most}), body_.ints({1})});
  }

 private:
  static constexpr int64_t most = INT64_MAX;

  // Makes `all_ids`, (B, before + T): the tokens before the first one and all others; and `beyond`,
  // what stands where there are none.
  void append_all_ids() {
    if (site_.has_input(eos_token_id)) {
      body_("beyond", "Reshape", {"eos_token_id", body_.ints({1})});
    } else {
      const int64_t pad = site_.attribute_int("pad_id", 0);
      body_.constant("pad", Ints{pad});
      body_("beyond", "CastLike", {"pad", "input_ids"});
    }
    if (!site_.has_input(past_ids) || site_.has_input(segment_ids)) {
      body_("before_shape", "Concat", {body_.dim_list("input_ids", 0), body_.ints({longest_ - 1})}, {{"axis", 0}});
    }
    std::string before = "past_ids";
    if (!site_.has_input(past_ids)) before = body_("nothing_before", "Expand", {"beyond", "before_shape"});
    body_("all_ids", "Concat", {before, "input_ids"}, {{"axis", 1}});
  }

  // The part of a list of all, (B, before + T), that stands so far in front of the tokens: (B, T).
  std::string shifted(const std::string& all, int64_t back, const char* stem) {
    const int64_t end = back == 0 ? most : -back;
    return body_.made(stem, "Slice", {all, body_.ints({longest_ - 1 - back}), body_.ints({end}), body_.ints({1})});
  }

  // Makes the boundaries, (B, before + T): whether something else begins with the token. Texts may
  // end among the tokens before the first one, too.
  void append_boundaries(bool resets) {
    body_.constant("no", tensor_of(onnx::TensorProto::BOOL, {}, Ints{0}));
    if (resets) {
      body_("ids_before", "Slice", {"all_ids", body_.ints({0}), body_.ints({-1}), body_.ints({1})});
      body_("ends", "Equal", {"ids_before", "beyond"});
      body_("first_shape", "Concat", {body_.dim_list("input_ids", 0), body_.ints({1})}, {{"axis", 0}});
      body_("none_first", "Expand", {"no", "first_shape"});
      body_("follows_end", "Concat", {"none_first", "ends"}, {{"axis", 1}});
    }
    if (site_.has_input(segment_ids)) {
      body_("segments_before", "Slice", {"segment_ids", body_.ints({0}), body_.ints({-1}), body_.ints({1})});
      body_("first_segments", "Slice", {"segment_ids", body_.ints({0}), body_.ints({1}), body_.ints({1})});
      body_("segments_but_last", "Concat", {"first_segments", "segments_before"}, {{"axis", 1}});
      body_("same_segment", "Equal", {"segment_ids", "segments_but_last"});
      body_("other_segment", "Not", {"same_segment"});
      body_("none_before", "Expand", {"no", "before_shape"});
      body_("begins_segment", "Concat", {"none_before", "other_segment"}, {{"axis", 1}});
    }
    if (resets && site_.has_input(segment_ids)) {
      boundaries_ = body_("boundaries", "Or", {"follows_end", "begins_segment"});
    } else {
      boundaries_ = resets ? "follows_end" : "begins_segment";
    }
  }

  std::string hidden_behind(const std::string& hidden, int64_t back) {
    const std::string begins = shifted(boundaries_, back, "boundary");
    return hidden.empty() ? begins : body_.made("hidden", "Or", {hidden, begins});
  }

  std::string token(const std::string& hidden, int64_t back) {
    const std::string source = shifted("all_ids", back, "source");
    return hidden.empty() ? source : body_.made("token", "Where", {hidden, "beyond", source});
  }

  // The hashes, (B, T, heads), of what `mix` has of so many tokens and two.
  std::string hashes_of(const std::string& mix, int64_t order) {
    const std::string column = body_.unsqueeze(mix, {2}, "mix_column");
    const auto of_order = [&](const char* list) {
      return body_.slice(list, order * heads_, (order + 1) * heads_, 0, "of_order");
    };
    const std::string hash = body_.made("hash", "Mod", {column, of_order("vocab_sizes")});
    if (!site_.has_input(head_offsets)) return hash;
    return body_.made("place", "Add", {hash, of_order("head_offsets")});
  }

  Body& body_;
  const CallSite& site_;
  const int64_t longest_;
  const int64_t heads_;
  std::string boundaries_;  // empty: there are none
};

Lowering lower(const CallSite& site) {
  const int64_t longest = site.attribute_int("max_ngram_size", 0);
  const int64_t heads = site.attribute_int("n_head_per_ngram", 0);
  if (longest < 2 || longest > 1024) return Declined{fmt::format("its max_ngram_size is {}", longest)};
  if (heads < 1 || heads > 1 << 20) return Declined{fmt::format("its n_head_per_ngram is {}", heads)};
  Body body("com.microsoft", "NGramHashMapping",
            first_names(
                {"input_ids", "multipliers", "vocab_sizes", "past_ids", "head_offsets", "eos_token_id", "segment_ids"},
                site.input_count()),
            first_names({"hash_ids", "present_ids"}, site.output_count()), 18);
  Hashes(body, site, longest, heads).append();
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "NGramHashMapping",
    .summary = "Hashes of each token and those before it, of several lengths and for several heads.",
    .source = "ONNX Runtime's contrib operator NGramHashMapping and its CPU kernel",
    .attributes = "max_ngram_size, n_head_per_ngram, pad_id, reset_on_eos",
    .required_attributes = "max_ngram_size, n_head_per_ngram, pad_id",
    .inputs = "input_ids, multipliers, vocab_sizes, past_ids, head_offsets, eos_token_id, segment_ids",
    .needed_inputs = 3,
    .most_inputs = 7,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_NGramHashMapping
