// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/self_attention.h"

namespace onnx_lower::native_rules::com_microsoft_QAttention {
namespace {

Lowering lower(const CallSite& site) {
  check_self_attention(site);
  Body body("com.microsoft", "QAttention",
            first_names({"input", "weight", "bias", "input_scale", "weight_scale", "mask_index", "input_zero_point",
                         "weight_zero_point", "past"},
                        site.input_count()),
            first_names({"output", "present"}, site.output_count()), 15);
  body.all_are_float(site.dtype(2) == onnx::TensorProto::FLOAT);
  body("product", "MatMulInteger",
       {"input", "weight", site.has_input(6) ? "input_zero_point" : "", site.has_input(7) ? "weight_zero_point" : ""});
  body("scale", "Mul", {"input_scale", "weight_scale"});
  body("product_float", "CastLike", {"product", "scale"});
  body("scaled_product", "Mul", {"product_float", "scale"});
  body("projection", "Add", {"scaled_product", "bias"});
  append_parts(site, body, "projection", {"query", "key", "value"}, 2);
  append_self_attention(site, body, {.weights = 1, .mask_index = 5, .past = 8}, {"query", "key", "value"}, "output");
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "QAttention",
    .summary = "Multi-head self attention of quantized input and weights.",
    .source = "ONNX Runtime's contrib operator QAttention",
    .attributes = "do_rotary, mask_filter_value, num_heads, past_present_share_buffer, scale, unidirectional",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_QAttention
