// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/embed_layer_norm.h"

namespace onnx_lower::native_rules::com_microsoft_EmbedLayerNormalization {
namespace {

Lowering lower(const CallSite& site) {
  if (site.has_input(1) != site.has_input(4)) return Declined{"it has one of segment_ids and segment_embedding only"};
  Body body("com.microsoft", "EmbedLayerNormalization",
            first_names({"input_ids", "segment_ids", "word_embedding", "position_embedding", "segment_embedding",
                         "gamma", "beta", "mask", "position_ids"},
                        site.input_count()),
            first_names({"output", "mask_index", "embedding_sum"}, site.output_count()), 17);
  body("words", "Gather", {"word_embedding", "input_ids"}, {{"axis", 0}});
  std::string positions = "positions";
  if (site.has_input(8)) {
    body("positions", "Gather", {"position_embedding", "position_ids"}, {{"axis", 0}});
  } else {
    positions = first_positions(body, "position_embedding", "input_ids");
  }
  const std::string sum = site.has_output(2) ? "embedding_sum" : "sum";
  if (site.has_input(1)) {
    body("words_at_positions", "Add", {"words", positions});
    body("segments", "Gather", {"segment_embedding", "segment_ids"}, {{"axis", 0}});
    body(sum, "Add", {"words_at_positions", "segments"});
  } else {
    body(sum, "Add", {"words", positions});
  }
  body("output", "LayerNormalization", {sum, "gamma", "beta"},
       {{"axis", -1}, {"epsilon", site.attribute_float("epsilon", 1e-12f)}});
  if (site.has_output(1)) append_mask_index(body, "input_ids", site.has_input(7) ? "mask" : "", "mask_index");
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "EmbedLayerNormalization",
                      .summary = "The layer normalization of word, position and segment embeddings' sum.",
                      .source = "ONNX Runtime's contrib operator EmbedLayerNormalization",
                      .attributes = "epsilon, mask_index_type",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_EmbedLayerNormalization
