// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The halves of each head rotated, in as few passes as it takes: x * (cos, cos) + (second half, first half) * (-sin, sin). What is beside x depends on the caches only, which are
// constants as a rule. The function in the schema says the interleaved form.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_RotaryEmbedding {
namespace {

Lowering lower(const CallSite& site) {
  if (site.attribute_int("interleaved", 0) != 0)
    return Declined{"pairs that are interleaved are left to the function in the schema"};
  const int rank = site.need_rank(0);
  if (rank != 3 && rank != 4) return Declined{"its input has neither three nor four dimensions"};
  const int64_t heads = site.attribute_int("num_heads", 0);
  if (rank == 3 && heads < 1) return Declined{"the number of its heads is not known"};
  std::optional<int64_t> size = site.dim(0, -1);
  if (size && rank == 3) size = *size / heads;
  int64_t rotated = site.attribute_int("rotary_embedding_dim", 0);
  const bool is_whole = rotated == 0 || size == rotated;
  if (rotated == 0) {
    if (!size) return Declined{"the size of its heads is not known"};
    rotated = *size;
  }
  if (rotated < 2 || rotated % 2 != 0) return Declined{"what is rotated has no halves"};

  Body body("ai.onnx", "RotaryEmbedding", {"X", "cos_cache", "sin_cache", "position_ids"}, {"Y"}, 18);
  // Batch x heads x places x size, or batch x places x heads x size: the caches get a dimension of 1 where the heads are.
  const std::string x = rank == 4 ? "X" : body.reshape("X", {0, 0, heads, size.value_or(-1)}, "heads");
  const auto cache = [&](std::string name) {
    if (site.has_input(3)) {
      name = body(name + "_here", "Gather", {name, "position_ids"}, {{"axis", 0}});
    }
    return body.unsqueeze(name, {rank == 4 ? 1 : 2}, name + "_row");
  };
  const std::string cos = cache("cos_cache"), sin = cache("sin_cache");
  body("cos_twice", "Concat", {cos, cos}, {{"axis", -1}});
  body("minus_sin", "Neg", {sin});
  body("sin_twice", "Concat", {"minus_sin", sin}, {{"axis", -1}});
  const std::string turning = is_whole ? x : body.slice(x, 0, rotated, 3, "turning");
  const std::string first = body.slice(turning, 0, rotated / 2, 3, "first_half"),
                    second = body.slice(turning, rotated / 2, rotated, 3, "second_half");
  body("swapped", "Concat", {second, first}, {{"axis", -1}});
  body("straight", "Mul", {turning, "cos_twice"});
  body("across", "Mul", {"swapped", "sin_twice"});
  std::string result = body("turned", "Add", {"straight", "across"});
  if (!is_whole) {
    const std::string still = body.slice(x, rotated, std::numeric_limits<int64_t>::max(), 3, "still");
    result = body("joined", "Concat", {result, still}, {{"axis", -1}});
  }
  if (rank == 4) {
    body("Y", "Identity", {result});
  } else {
    body("Y", "Reshape", {result, body.ints({0, 0, size ? *size * heads : -1}, "shape")});
  }
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "RotaryEmbedding",
                      .summary = "The halves of each head, rotated by the angle of its place.",
                      .source = "ONNX RotaryEmbedding-23",
                      .attributes = "interleaved, num_heads, rotary_embedding_dim",
                      .needed_inputs = 3,
                      .most_inputs = 4,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_RotaryEmbedding
