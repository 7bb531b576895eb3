// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The halves of each head are rotated, in as few passes as possible:
//
//     y = x * (cos, cos) + (second half of x, first half of x) * (-sin, sin)
//
// The halves have a dimension of their own, along which one Gather swaps them. The factors of
// cosines and sines depend on the caches and the places only, and are the same in all layers of a
// model: ONNX Runtime computes them once. Where they are small they are repeated for each head,
// too, because products of one shape take half as long as those that repeat a factor every few
// dozen elements. The interleaved form is that of the function in the schema.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_RotaryEmbedding {
namespace {

// Whether cosines for each place of each head are so few that they stay in a processor's cache.
// Where the heads stand before the places, a product repeats long runs of them anyway.
bool is_small_for_all_heads(const CallSite& site, int rank, int64_t heads, int64_t rotated) {
  constexpr int64_t largest_repeated = int64_t{1} << 15;
  const std::optional<int64_t> batch = site.dim(0, 0), places = site.dim(0, 1);
  if (rank != 3 || !batch || !places) return false;
  int64_t count = 1;
  for (const int64_t factor : {*batch, *places, heads, rotated}) {
    if (factor < 1 || factor > largest_repeated / count) return false;
    count *= factor;
  }
  return true;
}

Lowering lower(const CallSite& site) {
  if (site.attribute_int("interleaved", 0) == 1)
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
  // The dimensions are batch x heads x places x 2 x half, or batch x places x heads x 2 x half: the
  // caches get dimensions of 1 where the heads and the halves are.
  const Ints between = {rank == 4 ? 1 : 2, 3};
  const std::string x = rank == 4 || is_whole ? "X" : body.reshape("X", {0, 0, heads, size.value_or(-1)}, "heads");
  const std::string turning = is_whole ? x : body.slice(x, 0, rotated, 3, "turning");
  const std::string halves = body.reshape(turning, {0, 0, rank == 4 ? 0 : heads, 2, rotated / 2}, "halves");
  // The places are gathered as they are: ONNX Runtime would make a constant of its own of each
  // Unsqueeze of constant places, and tables for each of those.
  const auto rows = [&](const char* cache, const char* name) {
    if (!site.has_input(3)) return body.unsqueeze(cache, between, name);
    return body.unsqueeze(body(body.fresh("places"), "Gather", {cache, "position_ids"}, {{"axis", 0}}), between, name);
  };
  const std::string cos = rows("cos_cache", "cos"), sin = rows("sin_cache", "sin");
  std::string cos_twice = body("cos_twice", "Concat", {cos, cos}, {{"axis", 3}});
  body("minus_sin", "Neg", {sin});
  std::string sin_twice = body("sin_twice", "Concat", {"minus_sin", sin}, {{"axis", 3}});
  if (is_small_for_all_heads(site, rank, heads, rotated)) {
    const std::string each_head = body.ints({1, 1, heads, 1, 1}, "each_head");
    cos_twice = body("cos_of_heads", "Expand", {cos_twice, each_head});
    sin_twice = body("sin_of_heads", "Expand", {sin_twice, each_head});
  }
  body("swapped", "Gather", {halves, body.ints({1, 0}, "other_half")}, {{"axis", 3}});
  body("straight", "Mul", {halves, cos_twice});
  body("across", "Mul", {"swapped", sin_twice});
  std::string result = body("turned", "Add", {"straight", "across"});
  if (!is_whole) {
    const std::string together = body.reshape(result, {0, 0, 0, rotated}, "together");
    const std::string still = body.slice(x, rotated, std::numeric_limits<int64_t>::max(), 3, "still");
    result = body("joined", "Concat", {together, still}, {{"axis", -1}});
  }
  if (rank == 3) {
    body("Y", "Reshape", {result, body.ints({0, 0, size ? *size * heads : -1}, "shape")});
  } else if (is_whole) {
    body("Y", "Reshape", {result, body.ints({0, 0, 0, rotated}, "shape")});
  } else {
    body("Y", "Identity", {result});
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
