// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../com.microsoft/body_text.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  const bool renamed = site.opset() >= 20;
  static constexpr const char* old_modes[] = {"bilinear", "nearest", "bicubic"};
  static constexpr const char* new_modes[] = {"linear", "nearest", "cubic"};
  static constexpr const char* paddings[] = {"zeros", "border", "reflection"};
  const int64_t mode = site.attribute_int("interpolation_mode", 0);
  const int64_t padding = site.attribute_int("padding_mode", 0);
  if (mode < 0 || mode > 2) return Declined{fmt::format("interpolation_mode is {}, and not 0, 1 or 2", mode)};
  if (padding < 0 || padding > 2) return Declined{fmt::format("padding_mode is {}, and not 0, 1 or 2", padding)};
  BodyText body("mmdeploy", "grid_sampler", {"input", "grid"}, {"output"}, renamed ? 20 : 16);
  body.line("output = GridSample <align_corners = {}, mode = \"{}\", padding_mode = \"{}\"> (input, grid)",
            site.attribute_int("align_corners", 0) != 0 ? 1 : 0, renamed ? new_modes[mode] : old_modes[mode],
            paddings[padding]);
  return body.function();
}

const NativeRule rule{.domain = "mmdeploy",
                      .op_type = "grid_sampler",
                      .summary = "GridSample with its modes as numbers.",
                      .source = "mmdeploy's operator of that name, and torch's grid_sampler",
                      .attributes = "align_corners, interpolation_mode, padding_mode",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
