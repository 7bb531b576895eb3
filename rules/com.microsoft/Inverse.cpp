// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::com_microsoft_Inverse {
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

  Body body("com.microsoft", "Inverse", {"X"}, {"Y"}, 15);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  std::vector<int64_t> unit(n * n, 0);
  std::vector<int64_t> numbers(n);
  for (int64_t row = 0; row < n; ++row) {
    unit[row * n + row] = 1;
    numbers[row] = row;
  }
  body.constant("unit_numbers", tensor_of(onnx::TensorProto::INT64, {n, n}, unit));
  body("unit", "CastLike", {"unit_numbers", "X"});
  body("zeros", "Sub", {"X", "X"});
  body("units", "Add", {"zeros", "unit"});
  body("matrix_0", "Concat", {"X", "units"}, {{"axis", -1}});
  const std::string rows = body.ints(numbers, "row_numbers");
  const std::string hidden = body.scalar_like(-1.0, "X", "hidden");
  for (int64_t step = 0; step < n; ++step) {
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
    body(name("selection"), "CastLike", {pivot_row, "X"});
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
  const std::string starts = body.ints({n}, "start");
  const std::string ends = body.ints({2 * n}, "end");
  const std::string axes = body.ints({-1}, "axis");
  body("Y", "Slice", {fmt::format("matrix_{}", n), starts, ends, axes});
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "Inverse",
                      .summary = "The inverses of small matrices of a known size, by elimination with pivoting.",
                      .source = "ONNX Runtime's contrib operator Inverse, aten::linalg_inv(Tensor A) -> Tensor",
                      .also = "aten::linalg_inv, aten::inverse",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_Inverse
