// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rotary_body.h"

namespace onnx_lower::native_rules::com_microsoft_RotaryEmbedding {
namespace {

// The kernels read scale and is_packed_batching, and compute the same whatever they are.
Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(0);
  if (rank != 3 && rank != 4) return Declined{fmt::format("input has rank {}", rank)};
  const int position_rank = site.need_rank(1);
  const int64_t width = site.attribute_int("rotary_embedding_dim", 0);
  int64_t heads = site.attribute_int("num_heads", 0);

  Body body("com.microsoft", "RotaryEmbedding", {"input", "position_ids", "cos_cache", "sin_cache"}, {"output"}, 15);
  std::string split = "input";
  if (rank == 3) {
    if (heads > 0) {
      split = body.reshape("input", {0, 0, heads, -1}, "split");
    } else {
      // A row of the cache is half a head.
      if (width != 0) return Declined{"it has a rotary_embedding_dim and no num_heads"};
      const int64_t half = site.need_dim(2, 1);
      split = body.reshape("input", {0, 0, -1, 2 * half}, "split");
    }
    split = body.transpose(split, {0, 2, 1, 3}, "heads");
  }
  std::string positions = "position_ids";
  if (position_rank == 1) {
    // The position of the first token; the others follow.
    const std::string length = body.dim(split, 2);
    const std::string zero = body.scalar(0, "zero");
    const std::string one = body.scalar(1, "one");
    body("steps", "Range", {zero, length, one});
    body("position_row", "Add", {"steps", "position_ids"});
    positions = body.unsqueeze("position_row", {0}, "positions");
  }
  const std::string cosines = cache_rows(body, "cos_cache", positions, "cosines");
  const std::string sines = cache_rows(body, "sin_cache", positions, "sines");
  const std::string turned =
      rotated(body, split, cosines, sines, width, site.attribute_int("interleaved", 0) != 0, "input");
  if (rank == 4) {
    body("output", "Identity", {turned});
  } else {
    const std::string merged = body.transpose(turned, {0, 2, 1, 3}, "merged");
    const std::string shape = body.ints({0, 0, -1}, "shape");
    body("output", "Reshape", {merged, shape});
  }
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "RotaryEmbedding",
                      .summary = "Turns pairs of components by angles that grow with the position.",
                      .source = "ONNX Runtime's contrib operator RotaryEmbedding",
                      .attributes = "interleaved, is_packed_batching, num_heads, rotary_embedding_dim, scale",
                      .inputs = "input, position_ids, cos_cache, sin_cache",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_RotaryEmbedding
