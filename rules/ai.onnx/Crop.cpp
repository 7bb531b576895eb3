// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <limits>

#include "../com.microsoft/body_text.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  const std::vector<int64_t> border = site.attribute_ints("border", {0, 0, 0, 0});
  const std::vector<int64_t> scale = site.attribute_ints("scale", {});
  if (border.size() != 4) return Declined{"border has not four elements"};
  if (!scale.empty() && scale.size() != 2) return Declined{"scale has not two elements"};
  BodyText body("", "Crop", {"input"}, {"output"}, 13);
  // border: left, top, right, bottom; scale: height, width.
  const auto end = [](int64_t margin) { return margin == 0 ? std::numeric_limits<int64_t>::max() : -margin; };
  const std::string starts = body.ints({border[1], border[0]}, "starts");
  const std::string ends = scale.empty() ? body.ints({end(border[3]), end(border[2])}, "ends")
                                         : body.ints({border[1] + scale[0], border[0] + scale[1]}, "ends");
  const std::string axes = body.ints({2, 3}, "axes");
  body.line("output = Slice (input, {}, {}, {})", starts, ends, axes);
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Crop",
                      .summary = "Cuts a border from an image, or a rectangle out of it.",
                      .source = "an experimental operator of ONNX before 1.5, which ONNX Runtime kept",
                      .attributes = "border, scale",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
