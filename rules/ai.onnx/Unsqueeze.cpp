// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "families/axes_at_run_time.h"

namespace onnx_lower::native_rules::ai_onnx_Unsqueeze {
namespace {

// The new shape has a 1 for each of the axes, and the input's dimensions, in order, where no
// axis is.
Lowering lower_at_run_time(const CallSite& site) {
  Body body("ai.onnx", "Unsqueeze", {"data", "axes"}, {"expanded"}, kAxesOpset);
  body("shape", "Shape", {"data"});
  const std::string list = body.reshape("axes", {-1});
  body("rank", "Shape", {"shape"});
  body("more", "Shape", {list});
  body("length", "Add", {"rank", "more"});
  body("ones", "ConstantOfShape", {"length"}, {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{1})}});
  const std::string mask = axes_mask(body, "axes", "ones");
  body("is_old", "Not", {mask});
  body("places", "NonZero", {"is_old"});
  const std::string old = body.reshape("places", {-1});
  body("expanded_shape", "ScatterElements", {"ones", old, "shape"}, {{"axis", 0}});
  const auto rank = site.rank(0), count = axis_count(site, 1);
  const std::string result =
      of_length(body, "expanded_shape", rank && count ? std::optional(*rank + *count) : std::nullopt);
  reshape_to(body, "expanded", "data", result, !has_elements(site, 0));
  return body.function();
}

Lowering lower(const CallSite& site) {
  const auto given = site.has_input(1) ? site.constant_ints(1) : site.attribute_ints("axes", {});
  if (!given) return lower_at_run_time(site);
  std::vector<int64_t> axes = *given;
  std::vector<int64_t> in_order = axes;
  std::ranges::sort(in_order);
  if (std::ranges::adjacent_find(in_order) != in_order.end()) decline("its axes name one twice");
  if (site.opset() >= 13) {
    Body body("ai.onnx", "Unsqueeze", {"data"}, {"expanded"}, 13);
    body.constant("axes", axes);
    body("expanded", "Unsqueeze", {"data", "axes"});
    return body.function();
  }
  // Below opset 11 no axis counts from the end, and onnx's shape inference wants axes in order.
  const bool may_stay = site.opset() >= 11 && axes.size() == 1 && !site.rank(0);
  if (!may_stay && std::ranges::any_of(axes, [](int64_t axis) { return axis < 0; })) {
    const int rank = site.need_rank(0);
    for (int64_t& axis : axes) axis += axis < 0 ? rank + static_cast<int64_t>(axes.size()) : 0;
  }
  std::ranges::sort(axes);
  Body body("ai.onnx", "Unsqueeze", {"data", "axes"}, {"expanded"}, 11);
  body("expanded", "Unsqueeze", {"data"}, {{"axes", axes}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Unsqueeze",
                      .summary = "The axes are an attribute below 13 and an input from 13 on; negative ones are of 11.",
                      .source = "ONNX Unsqueeze-1, Unsqueeze-11, Unsqueeze-13",
                      .attributes = "axes",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Unsqueeze
