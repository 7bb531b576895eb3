// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <limits>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_scaled_dot_product_attention {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

enum Input { kQuery, kKey, kValue, kMask, kDropout, kCausal, kScale, kGrouped };

// Gives query * scale, or query / sqrt(channels) where no scale is given.
std::string scaled_query(Body& body, const CallSite& site, int rank) {
  if (site.has_input(kScale)) {
    body("factor", "CastLike", {"scale", "query"});
    return body("scaled_query", "Mul", {"query", "factor"});
  }
  body("channels", "CastLike", {body.dim("query", rank - 1), "query"});
  body("divisor", "Sqrt", {"channels"});
  return body("scaled_query", "Div", {"query", "divisor"});
}

Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(kKey);
  if (rank < 2) return Declined{"the keys are no matrices"};
  if (site.has_input(kDropout)) {
    const auto dropout = site.constant_floats(kDropout);
    if (!dropout || dropout->size() != 1 || dropout->front() != 0) return Declined{"dropout_p is not the constant 0"};
  }
  if (site.need_number(kGrouped, 0) != 0) return Declined{"it does not know enable_gqa"};

  Body body("aten", "scaled_dot_product_attention",
            {"query", "key", "value", "attn_mask", "dropout_p", "is_causal", "scale", "enable_gqa"}, {"y"}, 18);
  Ints perm = numbers_below(rank);
  std::swap(perm[static_cast<std::size_t>(rank) - 1], perm[static_cast<std::size_t>(rank) - 2]);
  body("turned_key", "Transpose", {"key"}, {{"perm", perm}});
  std::string scores = body("scores", "MatMul", {scaled_query(body, site, rank), "turned_key"});
  if (site.has_input(kMask)) {
    scores = site.need_dtype(kMask) == onnx::TensorProto::BOOL
                 ? body("masked", "Where", {"attn_mask", scores, body.scalar_like(kNever, scores, "never")})
                 : body("masked", "Add", {scores, "attn_mask"});
  }
  if (site.need_number(kCausal, 0) != 0) {
    const std::string zero = body.scalar(0, "zero"), one = body.scalar(1, "one");
    body("steps", "Range", {zero, body.dim("query", rank - 2), one});
    body("column", "Range", {zero, body.dim("key", rank - 2), one});
    body("is_later", "Less", {body.unsqueeze("steps", {1}, "row"), "column"});
    scores = body("causal", "Where", {"is_later", body.scalar_like(kNever, scores, "never"), scores});
  }
  body("weights", "Softmax", {scores}, {{"axis", -1}});
  body("y", "MatMul", {"weights", "value"});
  return body.function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "scaled_dot_product_attention",
                      .summary = "Attention: softmax(query * key^T * scale + mask) * value.",
                      .source =
                          "aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? "
                          "attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool "
                          "enable_gqa=False) -> Tensor",
                      .inputs = "query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa",
                      .needed_inputs = 3,
                      .most_inputs = 8,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_scaled_dot_product_attention
