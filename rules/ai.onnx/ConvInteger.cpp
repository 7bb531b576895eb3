// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/integer_products.h"

namespace onnx_lower::native_rules::ai_onnx_ConvInteger {
namespace {

constexpr int kFilter = 1, kImageZero = 2, kFilterZero = 3;

// How many products are added up for each element of the result.
int64_t cells_of_filter(const CallSite& site) {
  int64_t cells = site.need_dim(kFilter, 1);
  for (int axis = 2; axis < site.need_rank(kFilter); ++axis) {
    cells *= site.need_dim(kFilter, axis);
    expect_exact_sums(cells);
  }
  return cells;
}

// y = Conv(x - x_zero_point, w - w_zero_point)
Lowering lower(const CallSite& site) {
  const int64_t cells = cells_of_filter(site);
  Body body("ai.onnx", "ConvInteger", first_names({"x", "w", "x_zero_point", "w_zero_point"}, site.input_count()),
            {"y"}, 9);
  // Zero points of the filter for each output are a list, which goes along the filter's first axis.
  Ints by_output(static_cast<size_t>(site.need_rank(kFilter)), 1);
  by_output.front() = -1;
  const std::string image = steps_from_zero(body, "x", site.has_input(kImageZero) ? "x_zero_point" : "", {});
  const std::string filter = steps_from_zero(body, "w", site.has_input(kFilterZero) ? "w_zero_point" : "", by_output);
  const auto convolve = [&body](const std::string& of, const std::string& by) {
    return body.made("sums", "Conv", {of, by});
  };
  body("y", "Identity", {sums_of_products(body, image, filter, cells, convolve)});
  body.copy_attributes(site, {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}, "Conv");
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "ConvInteger",
                      .summary = "The convolution of integers, by exact sums in float.",
                      .source = "ONNX ConvInteger-10",
                      .attributes = "auto_pad, dilations, group, kernel_shape, pads, strides",
                      .inputs = "x, w, x_zero_point, w_zero_point",
                      .needed_inputs = 2,
                      .most_inputs = 4,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ConvInteger
