// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/integer_products.h"

namespace onnx_lower::native_rules::ai_onnx_MatMulInteger {
namespace {

constexpr int kLeftZero = 2, kRightZero = 3;

// Y = (A - a_zero_point) * (B - b_zero_point), for runtimes that multiply no matrices of int32.
Lowering lower(const CallSite& site) {
  int64_t products = 0;
  if (const auto size = site.dim(1, site.need_rank(1) > 1 ? -2 : -1)) {
    products = *size;
  } else {
    products = site.need_dim(0, -1);
  }
  Body body("ai.onnx", "MatMulInteger", first_names({"A", "B", "a_zero_point", "b_zero_point"}, site.input_count()),
            {"Y"}, 13);
  // Zero points for each row of A, or for each column of B, are a list.
  const auto steps = [&](const char* value, const char* zero, int input, const Ints& of_list) {
    if (!site.has_input(input)) return steps_from_zero(body, value, "", {});
    const int rank = site.need_rank(input);
    if (rank > 1) decline("its zero points are of more than one dimension");
    return steps_from_zero(body, value, zero, rank == 0 || site.dim(input, 0) == 1 ? Ints{} : of_list);
  };
  const std::string left = steps("A", "a_zero_point", kLeftZero, {-1, 1});
  const std::string right = steps("B", "b_zero_point", kRightZero, {-1});
  const auto multiply = [&body](const std::string& of, const std::string& by) {
    return body.made("sums", "MatMul", {of, by});
  };
  body("Y", "Identity", {sums_of_products(body, left, right, products, multiply)});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "MatMulInteger",
                      .summary = "The product of integers, by exact sums in float.",
                      .source = "ONNX MatMulInteger-10",
                      .inputs = "A, B, a_zero_point, b_zero_point",
                      .needed_inputs = 2,
                      .most_inputs = 4,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_MatMulInteger
