// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

namespace onnx_lower::native_rules::com_microsoft_ConvTransposeWithDynamicPads {
namespace {

Lowering lower(const CallSite& site) {
  const Ints pads = site.has_input(2) ? site.need_ints(2) : Ints{};
  Body body("com.microsoft", "ConvTransposeWithDynamicPads", first_names({"X", "W", "Pads", "B"}, site.input_count()),
            {"Y"}, 11);
  body("Y", "ConvTranspose", {"X", "W", site.has_input(3) ? "B" : ""});
  if (!pads.empty()) body.add_attribute("ConvTranspose", {"pads", pads});
  body.copy_attributes(site, {"auto_pad", "dilations", "group", "kernel_shape", "output_padding", "strides"},
                       "ConvTranspose");
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "ConvTransposeWithDynamicPads",
                      .summary = "ConvTranspose with its pads as an input, which must be a constant.",
                      .source = "ONNX Runtime's contrib operator ConvTransposeWithDynamicPads",
                      .attributes = "auto_pad, dilations, group, kernel_shape, output_padding, strides",
                      .inputs = "X, W, Pads, B",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_ConvTransposeWithDynamicPads
