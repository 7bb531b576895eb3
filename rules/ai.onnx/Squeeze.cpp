// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "families/axes_at_run_time.h"

namespace onnx_lower::native_rules::ai_onnx_Squeeze {
namespace {

Lowering lower_at_run_time(const CallSite& site) {
  Body body("ai.onnx", "Squeeze", {"data", "axes"}, {"squeezed"}, kAxesOpset);
  body("shape", "Shape", {"data"});
  const std::string mask = axes_mask(body, "axes", "shape");
  body("is_kept", "Not", {mask});
  body("kept", "Compress", {"shape", "is_kept"}, {{"axis", 0}});
  const auto rank = site.rank(0), count = axis_count(site, 1);
  const std::string kept = of_length(body, "kept", rank && count ? std::optional(*rank - *count) : std::nullopt);
  reshape_to(body, "squeezed", "data", kept, !has_elements(site, 0));
  return body.function();
}

Lowering lower(const CallSite& site) {
  const auto given = site.has_input(1) ? site.constant_ints(1) : site.attribute_ints("axes", {});
  if (!given) return lower_at_run_time(site);
  std::vector<int64_t> axes = *given;
  if (!site.has_input(1) && site.attribute("axes") == nullptr) {
    // Without axes, all dimensions of 1 are dropped.
    for (int axis = 0; axis < site.need_rank(0); ++axis) {
      if (site.need_dim(0, axis) == 1) axes.push_back(axis);
    }
  }
  if (site.opset() >= 13) {
    Body body("ai.onnx", "Squeeze", {"data"}, {"squeezed"}, 13);
    body.constant("axes", axes);
    body("squeezed", "Squeeze", {"data", "axes"});
    return body.function();
  }
  // Below opset 11 no axis counts from the end, and onnx's shape inference wants axes in order.
  if (std::ranges::any_of(axes, [](int64_t axis) { return axis < 0; })) {
    const int rank = site.need_rank(0);
    for (int64_t& axis : axes) axis += axis < 0 ? rank : 0;
  }
  std::ranges::sort(axes);
  Body body("ai.onnx", "Squeeze", {"data", "axes"}, {"squeezed"}, 11);
  body("squeezed", "Squeeze", {"data"}, {{"axes", axes}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Squeeze",
                      .summary = "The axes are an attribute below 13 and an input from 13 on; negative ones are of 11.",
                      .source = "ONNX Squeeze-1, Squeeze-11, Squeeze-13",
                      .attributes = "axes",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Squeeze
