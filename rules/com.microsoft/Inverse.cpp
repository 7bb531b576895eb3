// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "body_text.h"

namespace onnx_lower {
namespace {

// Larger matrices would make larger graphs than anybody wants.
constexpr int64_t kLargest = 32;

// Gauss-Jordan elimination with partial pivoting, one step per column, on the matrices and beside them the unit matrix.
Lowering lower(const CallSite& site) {
  std::optional<int64_t> size = site.dim(0, -1);
  if (!size) size = site.dim(0, -2);
  if (!size) return Declined{"the size of the matrices is not known"};
  if (*size < 1 || *size > kLargest)
    return Declined{fmt::format("the matrices are of size {}, and not from 1 to {}", *size, kLargest)};
  const int64_t n = *size;

  BodyText body("com.microsoft", "Inverse", {"X"}, {"Y"}, 15);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  std::vector<int64_t> unit(n * n, 0);
  std::vector<int64_t> numbers(n);
  for (int64_t row = 0; row < n; ++row) {
    unit[row * n + row] = 1;
    numbers[row] = row;
  }
  body.line("unit_numbers = Constant <value = int64[{}, {}] {{{}}}> ()", n, n, fmt::join(unit, ", "));
  body.line("unit = CastLike (unit_numbers, X)");
  body.line("zeros = Sub (X, X)");
  body.line("units = Add (zeros, unit)");
  body.line("matrix_0 = Concat <axis = -1> (X, units)");
  const std::string rows = body.ints(numbers, "row_numbers");
  const std::string hidden = body.scalar_like(-1.0, "X", "hidden");
  for (int64_t step = 0; step < n; ++step) {
    const std::string matrix = fmt::format("matrix_{}", step);
    const auto name = [&](const char* stem) { return fmt::format("{}_{}", stem, step); };
    const std::string column = body.scalar(step, "column");
    const std::string column_list = body.ints({step}, "column");
    body.line("{} = Gather <axis = -1> ({}, {})", name("values"), matrix, column);
    body.line("{} = Abs ({})", name("sizes"), name("values"));
    body.line("{} = Less ({}, {})", name("is_done"), rows, column);
    body.line("{} = Where ({}, {}, {})", name("candidates"), name("is_done"), hidden, name("sizes"));
    body.line("{} = ArgMax <axis = -1, keepdims = 1> ({})", name("pivot_number"), name("candidates"));
    body.line("{} = Equal ({}, {})", name("is_pivot"), rows, name("pivot_number"));
    const std::string pivot_column = body.unsqueeze(name("is_pivot"), {-1}, "pivot_column");
    const std::string pivot_row = body.unsqueeze(name("is_pivot"), {-2}, "pivot_row");
    body.line("{} = CastLike ({}, X)", name("selection"), pivot_row);
    body.line("{} = MatMul ({}, {})", name("pivot"), name("selection"), matrix);
    body.line("{} = Gather <axis = -2> ({}, {})", name("own"), matrix, column_list);
    // The row of this step goes where the pivot was; the pivot's row, divided, comes here.
    body.line("{} = Where ({}, {}, {})", name("swapped"), pivot_column, name("own"), matrix);
    body.line("{} = Gather <axis = -1> ({}, {})", name("divisor"), name("pivot"), column_list);
    body.line("{} = Div ({}, {})", name("unit_pivot"), name("pivot"), name("divisor"));
    body.line("{} = Gather <axis = -1> ({}, {})", name("factors"), name("swapped"), column_list);
    body.line("{} = Mul ({}, {})", name("shares"), name("factors"), name("unit_pivot"));
    body.line("{} = Sub ({}, {})", name("cleared"), name("swapped"), name("shares"));
    body.line("{} = Equal ({}, {})", name("is_own"), rows, column);
    const std::string own_column = body.unsqueeze(name("is_own"), {-1}, "own_column");
    body.line("matrix_{} = Where ({}, {}, {})", step + 1, own_column, name("unit_pivot"), name("cleared"));
  }
  const std::string starts = body.ints({n}, "start");
  const std::string ends = body.ints({2 * n}, "end");
  const std::string axes = body.ints({-1}, "axis");
  body.line("Y = Slice (matrix_{}, {}, {}, {})", n, starts, ends, axes);
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "Inverse",
                      .summary = "The inverses of small matrices of a known size, by elimination with pivoting.",
                      .source = "ONNX Runtime's contrib operator Inverse",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
