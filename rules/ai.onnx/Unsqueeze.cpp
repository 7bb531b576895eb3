// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "axes_at_run_time.h"

namespace onnx_lower {
namespace {

// In a shape of ones, with a dimension more for each axis, the input's dimensions go where no axis is.
Lowering lower_at_run_time(const CallSite& site) {
  BodyText body("ai.onnx", "Unsqueeze", {"data", "axes"}, {"expanded"}, kAxesOpset);
  body.line("shape = Shape (data)");
  const std::string list = body.reshape("axes", {-1});
  body.line("rank = Shape (shape)");
  body.line("more = Shape ({})", list);
  body.line("length = Add (rank, more)");
  body.line("ones = ConstantOfShape <value = int64[1] {{1}}> (length)");
  const std::string mask = axes_mask(body, "axes", "ones");
  body.line("is_old = Not ({})", mask);
  body.line("places = NonZero (is_old)");
  const std::string old = body.reshape("places", {-1});
  body.line("expanded_shape = ScatterElements <axis = 0> (ones, {}, shape)", old);
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
  if (site.opset() >= 13) {
    return function_from_text(fmt::format(
        R"(<domain: "ai.onnx", opset_import: ["" : 13]> Unsqueeze (data) => (expanded) {{
          axes = Constant <value = int64[{}] {{{}}}> ()
          expanded = Unsqueeze (data, axes)
        }})",
        axes.size(), fmt::join(axes, ", ")));
  }
  // Below 11 no axis is counted from the end, and onnx's shape inference wants them in order.
  if (std::ranges::any_of(axes, [](int64_t axis) { return axis < 0; })) {
    const int rank = site.need_rank(0);
    for (int64_t& axis : axes) axis += axis < 0 ? rank + static_cast<int64_t>(axes.size()) : 0;
  }
  std::ranges::sort(axes);
  return function_from_text(
      fmt::format(R"(<domain: "ai.onnx", opset_import: ["" : 11]> Unsqueeze (data, axes) => (expanded) {{
        expanded = Unsqueeze <axes: ints = [{}]> (data)
      }})",
                  fmt::join(axes, ", ")));
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Unsqueeze",
                      .summary = "The axes are an attribute below 13 and an input from 13 on; negative ones are of 11.",
                      .source = "ONNX Unsqueeze-1, Unsqueeze-11, Unsqueeze-13",
                      .attributes = "axes",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
