// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ConvTranspose for a runtime that has to know how many channels go in before the model runs: as
// many as the weights have.

#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_channels_of_weights {
namespace {

Lowering lower(const CallSite& site) {
  if (site.dim(0, 1)) return Declined{"the number of its channels is known", {}, true};
  const int64_t channels = site.need_dim(1, 0);
  if (channels <= 0) return Declined{"its weights are of no channels"};
  // In a Reshape, 0 is the size that the input has.
  Ints shape(static_cast<size_t>(site.need_rank(1)), 0);
  if (shape.size() < 2) return Declined{"its weights have less than two dimensions"};
  shape[1] = channels;
  Body body("ai.onnx", "ConvTranspose", first_names({"X", "W", "B"}, site.input_count()), {"Y"}, 11);
  const std::string known = body.reshape("X", shape, "of_known_channels");
  body("Y", "ConvTranspose", site.input_count() > 2 ? Values{known, "W", "B"} : Values{known, "W"});
  body.copy_attributes(
      site, {"auto_pad", "dilations", "group", "kernel_shape", "output_padding", "output_shape", "pads", "strides"},
      "ConvTranspose");
  return body.function();
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "ConvTranspose",
    .summary = "Of as many channels as its weights have, for a runtime that has to know their number.",
    .source = "ONNX ConvTranspose-11",
    .attributes = "auto_pad, dilations, group, kernel_shape, output_padding, output_shape, pads, strides",
    .turn = RuleTurn::last_resort,
    .makes_it_anew = true,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_channels_of_weights
