// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <array>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_col2im {
namespace {

// An image of ONNX's Col2Im, whose paddings are said before and behind.
Lowering lower(const CallSite& site) {
  std::array<Ints, 5> pairs;
  for (size_t index = 0; index < pairs.size(); ++index) {
    pairs[index] = site.need_sizes(static_cast<int>(index) + 1, 2);
  }
  const auto& [size, kernel, dilation, padding, stride] = pairs;
  const int rank = site.need_rank(0);
  if (rank != 2 && rank != 3) return Declined{fmt::format("input 0 has rank {}, not 2 or 3", rank)};
  const int64_t channels = site.need_dim(0, -2);
  for (size_t axis : {0, 1}) {
    if (kernel[axis] <= 0 || dilation[axis] <= 0 || stride[axis] <= 0 || padding[axis] < 0)
      return Declined{"a kernel size, dilation or stride is not positive, or a padding is negative"};
    const int64_t reach = size[axis] + 2 * padding[axis] - dilation[axis] * (kernel[axis] - 1) - 1;
    if (reach < 0) return Declined{"the kernel is larger than the output"};
  }
  const auto cells = static_cast<int64_t>(list_size(kernel));
  if (channels % cells != 0)
    return Declined{fmt::format("{} channels are no multiple of {} cells of the kernel", channels, cells)};
  Body body("aten", "col2im", {"x", "output_size", "kernel_size", "dilation", "padding", "stride"}, {"y"}, 18);
  body.constant("size", size);
  body.constant("kernel", kernel);
  std::string blocks = "x";
  if (rank == 2) blocks = body.unsqueeze("x", {0}, "one_batch");
  body(rank == 2 ? "images" : "y", "Col2Im", {blocks, "size", "kernel"},
       {{"dilations", dilation}, {"pads", Ints{padding[0], padding[1], padding[0], padding[1]}}, {"strides", stride}});
  if (rank == 2) {
    body.constant("first", Ints{0});
    body("y", "Squeeze", {"images", "first"});
  }
  return body.function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "col2im",
                      .summary = "Blocks put together to images, as torch.nn.functional.fold does.",
                      .source =
                          "aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, "
                          "int[2] padding, int[2] stride) -> Tensor",
                      .inputs = "x, output_size, kernel_size, dilation, padding, stride",
                      .needed_inputs = 6,
                      .most_inputs = 6,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_col2im
