// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  const auto given = site.has_input(1) ? site.constant_ints(1) : site.attribute_ints("axes", {});
  if (!given) return Declined{"below opset 13 the axes must be constants"};
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
