// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// alpha * A' * B', where A' and B' may be transposed: what FusedMatMul and
// FusedMatMulActivation share.
#pragma once

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <utility>

#include "rules/body.h"

namespace onnx_lower {

// The name of input `input`, transposed as the node's attributes say.
inline std::string transposed_operand(const CallSite& site, Body& body, int input, const std::string& name,
                                      const char* last_two, const char* batch) {
  const bool swap_last = site.attribute_int(last_two, 0) != 0;
  const bool move_first = site.attribute_int(batch, 0) != 0;
  if (!swap_last && !move_first) return name;
  const std::optional<int> rank = site.rank(input);
  if (!rank && move_first)
    decline(fmt::format("the rank of {} is not known, so its first dimension cannot be moved", name));
  if (!rank) {
    body(name + "_transposed", "Einsum", {name}, {{"equation", "...ij->...ji"}});
    return name + "_transposed";
  }
  if (*rank < 2) return name;
  std::vector<int64_t> perm(*rank);
  std::iota(perm.begin(), perm.end(), 0);
  // The first dimension goes behind the batch dimensions.
  if (move_first) std::rotate(perm.begin(), perm.begin() + 1, perm.end() - 1);
  if (swap_last) std::swap(perm[*rank - 2], perm[*rank - 1]);
  return body.transpose(name, perm, name);
}

inline void append_fused_mat_mul(const CallSite& site, Body& body, const std::string& output) {
  const std::string a = transposed_operand(site, body, 0, "A", "transA", "transBatchA");
  const std::string b = transposed_operand(site, body, 1, "B", "transB", "transBatchB");
  const float alpha = site.attribute_float("alpha", 1.0f);
  const std::string product = alpha == 1.0f ? output : "product";
  body(product, "MatMul", {a, b});
  if (alpha != 1.0f) body(output, "Mul", {"product", body.scalar_like(alpha, "product", "alpha")});
}

}  // namespace onnx_lower
