// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "embed_layer_norm.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  if (site.has_input(1) != site.has_input(4)) return Declined{"it has one of segment_ids and segment_embedding only"};
  BodyText body("com.microsoft", "EmbedLayerNormalization",
                first_names({"input_ids", "segment_ids", "word_embedding", "position_embedding", "segment_embedding",
                             "gamma", "beta", "mask", "position_ids"},
                            site.input_count()),
                first_names({"output", "mask_index", "embedding_sum"}, site.output_count()), 17);
  body.line("words = Gather <axis = 0> (word_embedding, input_ids)");
  std::string positions = "positions";
  if (site.has_input(8)) {
    body.line("positions = Gather <axis = 0> (position_embedding, position_ids)");
  } else {
    positions = first_positions(body, "position_embedding", "input_ids");
  }
  const std::string sum = site.has_output(2) ? "embedding_sum" : "sum";
  if (site.has_input(1)) {
    body.line("words_at_positions = Add (words, {})", positions);
    body.line("segments = Gather <axis = 0> (segment_embedding, segment_ids)");
    body.line("{} = Add (words_at_positions, segments)", sum);
  } else {
    body.line("{} = Add (words, {})", sum, positions);
  }
  body.line("output = LayerNormalization <axis = -1, epsilon = {}> ({}, gamma, beta)",
            float_text(site.attribute_float("epsilon", 1e-12f)), sum);
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
}  // namespace onnx_lower
