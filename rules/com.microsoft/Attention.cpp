// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "self_attention.h"

namespace onnx_lower::native_rules::com_microsoft_Attention {
namespace {

Lowering lower(const CallSite& site) {
  check_self_attention(site);
  if (site.has_input(6)) return Declined{"it has the input past_sequence_length"};
  Body body("com.microsoft", "Attention",
            first_names({"input", "weights", "bias", "mask_index", "past", "attention_bias", "past_sequence_length"},
                        site.input_count()),
            first_names({"output", "present"}, site.output_count()), 15);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  body("product", "MatMul", {"input", "weights"});
  std::string projection = "product";
  if (site.has_input(2)) {
    body("projection", "Add", {"product", "bias"});
    projection = "projection";
  }
  append_self_attention(site, body, {.weights = 1, .mask_index = 3, .past = 4, .attention_bias = 5}, projection,
                        "output");
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "Attention",
                      .summary = "Multi-head self attention with the projections of Q, K and V in one matrix.",
                      .source = "ONNX Runtime's contrib operator Attention",
                      .attributes =
                          "do_rotary, mask_filter_value, num_heads, past_present_share_buffer, qkv_hidden_sizes, "
                          "rotary_embedding_dim, scale, unidirectional",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_Attention
