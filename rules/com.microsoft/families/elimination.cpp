// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "elimination.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

namespace onnx_lower {

int64_t need_size_of_matrices(const CallSite& site, int input) {
  constexpr int64_t largest = 32;
  std::optional<int64_t> size = site.dim(input, -1);
  if (!size) size = site.dim(input, -2);
  if (!size) decline("the size of the matrices is not known");
  if (*size < 1 || *size > largest)
    decline(fmt::format("the matrices are of size {}, and not from 1 to {}", *size, largest));
  return *size;
}

void eliminate(Body& body, const std::string& matrices, const std::string& beside, int64_t size,
               std::string_view output) {
  body("matrix_0", "Concat", {matrices, beside}, {{"axis", -1}});
  const std::string rows = body.ints(numbers_below(size), "row_numbers");
  const std::string hidden = body.scalar_like(-1.0, matrices, "hidden");
  for (int64_t step = 0; step < size; ++step) {
    const std::string matrix = fmt::format("matrix_{}", step);
    const auto name = [&](const char* stem) { return fmt::format("{}_{}", stem, step); };
    const std::string column = body.scalar(step, "column");
    const std::string column_list = body.ints({step}, "column");
    body(name("values"), "Gather", {matrix, column}, {{"axis", -1}});
    body(name("sizes"), "Abs", {name("values")});
    body(name("is_done"), "Less", {rows, column});
    body(name("candidates"), "Where", {name("is_done"), hidden, name("sizes")});
    body(name("pivot_number"), "ArgMax", {name("candidates")}, {{"axis", -1}, {"keepdims", 1}});
    body(name("is_pivot"), "Equal", {rows, name("pivot_number")});
    const std::string pivot_column = body.unsqueeze(name("is_pivot"), {-1}, "pivot_column");
    const std::string pivot_row = body.unsqueeze(name("is_pivot"), {-2}, "pivot_row");
    body(name("selection"), "CastLike", {pivot_row, matrices});
    body(name("pivot"), "MatMul", {name("selection"), matrix});
    body(name("own"), "Gather", {matrix, column_list}, {{"axis", -2}});
    // The row of this step goes where the pivot was; the pivot's row, divided, comes here.
    body(name("swapped"), "Where", {pivot_column, name("own"), matrix});
    body(name("divisor"), "Gather", {name("pivot"), column_list}, {{"axis", -1}});
    body(name("unit_pivot"), "Div", {name("pivot"), name("divisor")});
    body(name("factors"), "Gather", {name("swapped"), column_list}, {{"axis", -1}});
    body(name("shares"), "Mul", {name("factors"), name("unit_pivot")});
    body(name("cleared"), "Sub", {name("swapped"), name("shares")});
    body(name("is_own"), "Equal", {rows, column});
    const std::string own_column = body.unsqueeze(name("is_own"), {-1}, "own_column");
    body(fmt::format("matrix_{}", step + 1), "Where", {own_column, name("unit_pivot"), name("cleared")});
  }
  const std::string starts = body.ints({size}, "start");
  const std::string ends = body.ints({std::numeric_limits<int64_t>::max()}, "end");
  const std::string axes = body.ints({-1}, "axis");
  body(output, "Slice", {fmt::format("matrix_{}", size), starts, ends, axes});
}

}  // namespace onnx_lower
