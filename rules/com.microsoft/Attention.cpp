// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/self_attention.h"

namespace onnx_lower::native_rules::com_microsoft_Attention {
namespace {

Body body_of(const CallSite& site) {
  check_self_attention(site);
  if (site.has_input(6)) decline("it has the input past_sequence_length");
  Body body("com.microsoft", "Attention",
            first_names({"input", "weights", "bias", "mask_index", "past", "attention_bias", "past_sequence_length"},
                        site.input_count()),
            first_names({"output", "present"}, site.output_count()), 15);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  return body;
}

// Gives the name of the value that it makes, which ends with `product` or `projection`.
std::string projected(const CallSite& site, Body& body, const std::string& part) {
  body(part + "product", "MatMul", {"input", part + "weights"});
  if (!site.has_input(2)) return part + "product";
  body(part + "projection", "Add", {part + "product", part + "bias"});
  return part + "projection";
}

Lowering finished(const CallSite& site, Body& body, const SelfAttentionParts& parts) {
  append_self_attention(site, body, {.weights = 1, .mask_index = 3, .past = 4, .attention_bias = 5}, parts, "output");
  return body.function();
}

Lowering lower(const CallSite& site) {
  Body body = body_of(site);
  append_parts(site, body, projected(site, body, ""), {"query", "key", "value"}, 2);
  return finished(site, body, {"query", "key", "value"});
}

Lowering lower_apart(const CallSite& site) {
  Body body = body_of(site);
  append_parts(site, body, "weights", {"query_weights", "key_weights", "value_weights"}, 1);
  if (site.has_input(2)) append_parts(site, body, "bias", {"query_bias", "key_bias", "value_bias"}, 0);
  return finished(site, body,
                  {projected(site, body, "query_"), projected(site, body, "key_"), projected(site, body, "value_")});
}

constexpr NativeRule rule_for(std::string_view summary, RuleTurn turn, Lowering (*lowering)(const CallSite&)) {
  return {.domain = "com.microsoft",
          .op_type = "Attention",
          .summary = summary,
          .source = "ONNX Runtime's contrib operator Attention",
          .attributes =
              "do_rotary, mask_filter_value, num_heads, past_present_share_buffer, qkv_hidden_sizes, "
              "rotary_embedding_dim, scale, unidirectional",
          .turn = turn,
          .lower = lowering};
}

const NativeRule rules[] = {
    rule_for("Multi-head self attention with the projections of Q, K and V in one matrix.", RuleTurn::usual, lower),
    rule_for("The same with three matrices, for a runtime that stumbles over what one projection is split into.",
             RuleTurn::last_resort, lower_apart)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_Attention
