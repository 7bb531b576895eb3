// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "../com.microsoft/families/elimination.h"

namespace onnx_lower::native_rules::aten_linalg_solve {
namespace {

// Whether both are batches of one size, as elimination needs them, which puts them side by side.
bool have_one_batch(const CallSite& site, int rank, int other_rank) {
  for (int axis = 0; axis < rank - 2; ++axis) {
    const std::optional<int64_t> size = site.dim(0, axis);
    if (!size || size != site.dim(1, axis)) return false;
  }
  return rank == other_rank;
}

// X = inverse(A) * B, or X = B * inverse(A) if not left; by elimination.
Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(0), other_rank = site.need_rank(1);
  const int64_t size = need_size_of_matrices(site, 0);
  const bool is_left = site.need_number(2, 1) != 0;
  if (rank < 2) return Declined{"input 0 (A) is no matrix"};
  // As PyTorch tells vectors from matrices.
  bool are_vectors = other_rank == 1 || other_rank == rank - 1;
  for (int axis = 0; are_vectors && axis < other_rank && other_rank > 1; ++axis) {
    const std::optional<int64_t> expected = site.dim(0, axis), found = site.dim(1, axis);
    if (!expected || !found)
      return Declined{"whether input 1 (B) is a batch of vectors is not known, as not all dimensions are"};
    are_vectors = expected == found;
  }
  if (are_vectors && !is_left) return Declined{"A stands to the right of a vector"};

  Body body("aten", "linalg_solve", {"A", "B", "left"}, {"X"}, 18);
  Ints exchanged = numbers_below(rank), exchanged_other = numbers_below(other_rank);
  std::swap(exchanged[rank - 1], exchanged[rank - 2]);
  std::string matrices = "A", beside = are_vectors ? body.unsqueeze("B", {-1}, "column") : "B";
  if (!is_left) {
    if (other_rank < 2) return Declined{"input 1 (B) is no matrix"};
    std::swap(exchanged_other[other_rank - 1], exchanged_other[other_rank - 2]);
    matrices = body.transpose("A", exchanged, "A_transposed");
    beside = body.transpose("B", exchanged_other, "B_transposed");
  }
  const std::string solution = are_vectors || !is_left ? "solution" : "X";
  if (have_one_batch(site, rank, are_vectors ? other_rank + 1 : other_rank)) {
    eliminate(body, matrices, beside, size, solution);
  } else {
    body.import("aten", 1);
    body("inverse", "aten.linalg_inv", {matrices});
    body(solution, "MatMul", {"inverse", beside});
  }
  if (are_vectors) {
    body("X", "Squeeze", {solution, body.ints({-1}, "last")});
  } else if (!is_left) {
    Ints back = numbers_below(std::max(rank, other_rank));
    std::swap(back[back.size() - 1], back[back.size() - 2]);
    body("X", "Transpose", {solution}, {{"perm", back}});
  }
  return body.function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "linalg_solve",
                      .summary = "The solution X of A X = B, or of X A = B, for small matrices A of a known size.",
                      .source = "aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
                      .inputs = "A, B, left",
                      .needed_inputs = 2,
                      .most_inputs = 3,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_linalg_solve
