// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/embed_layer_norm.h"

namespace onnx_lower::native_rules::com_microsoft_QEmbedLayerNormalization {
namespace {

Lowering lower(const CallSite& site) {
  const bool segments = site.has_input(1);
  for (const int input : {4, 10, 15}) {
    if (site.has_input(input) != segments) return Declined{"it has some, but not all, of the inputs of the segments"};
  }
  Body body("com.microsoft", "QEmbedLayerNormalization",
            first_names({"input_ids", "segment_ids", "words_quant", "positions_quant", "segments_quant", "gamma_quant",
                         "beta_quant", "mask", "words_scale", "positions_scale", "segments_scale", "gamma_scale",
                         "beta_scale", "words_zero", "positions_zero", "segments_zero", "gamma_zero", "beta_zero"},
                        site.input_count()),
            first_names({"output", "mask_index"}, site.output_count()), 17);
  body("words_8", "Gather", {"words_quant", "input_ids"}, {{"axis", 0}});
  body("words", "DequantizeLinear", {"words_8", "words_scale", "words_zero"});
  const std::string rows = first_positions(body, "positions_quant", "input_ids");
  body("positions", "DequantizeLinear", {rows, "positions_scale", "positions_zero"});
  std::string sum = "words_at_positions";
  body("words_at_positions", "Add", {"words", "positions"});
  if (segments) {
    body("segments_8", "Gather", {"segments_quant", "segment_ids"}, {{"axis", 0}});
    body("segments", "DequantizeLinear", {"segments_8", "segments_scale", "segments_zero"});
    body("sum", "Add", {"words_at_positions", "segments"});
    sum = "sum";
  }
  body("gamma", "DequantizeLinear", {"gamma_quant", "gamma_scale", "gamma_zero"});
  body("beta", "DequantizeLinear", {"beta_quant", "beta_scale", "beta_zero"});
  body("output", "LayerNormalization", {sum, "gamma", "beta"},
       {{"axis", -1}, {"epsilon", site.attribute_float("epsilon", 1e-12f)}});
  if (site.has_output(1)) append_mask_index(body, "input_ids", site.has_input(7) ? "mask" : "", "mask_index");
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "QEmbedLayerNormalization",
                      .summary = "The layer normalization of the sum of embeddings that are quantized to 8 bits.",
                      .source = "ONNX Runtime's contrib operator QEmbedLayerNormalization",
                      .attributes = "epsilon",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_QEmbedLayerNormalization
