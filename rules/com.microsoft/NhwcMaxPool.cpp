// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/fused_conv.h"
#include "families/windows.h"

namespace onnx_lower::native_rules::com_microsoft_NhwcMaxPool {
namespace {

Lowering lower(const CallSite& site) {
  const std::optional<int> known_rank = image_rank(site, 0, -1);
  const int rank = known_rank ? *known_rank : site.need_rank(0);
  const Windows windows = windows_of(site);
  if (windows.axes() != rank - 2) return Declined{"kernel_shape has not as many axes as the image"};
  Body body("com.microsoft", "NhwcMaxPool", {"x"}, {"y"}, 12);
  std::string image = "x";
  // MaxPool takes integers from opset 12 on; a float holds every integer of 8 bits.
  const bool in_float = site.opset() < 12;
  if (in_float) {
    body("x_float", "Cast", {"x"}, {{"to", 1}});
    image = "x_float";
  }
  image = body.transpose(image, channels_first_order(rank), "channels_first");
  // OpenVINO has one more window where it would begin behind the image, and neither runtime cuts
  // off elements by negative padding as the kernel does. A Pad makes the image exactly as large as
  // the windows reach, so that no size is left to be rounded.
  const bool filled = windows.may_leave_out() || windows.may_cut_off();
  if (filled) {
    const std::string pads = filled_pads(site, body, windows, image, true);
    const int type = site.need_dtype(0);
    const std::string lowest =
        body.scalar_like(type == onnx::TensorProto::INT8 ? -128.0 : 0.0, in_float ? "x_float" : "x", "lowest");
    body("filled", "Pad", {image, pads, lowest});
    image = "filled";
  }
  body("pooled", "MaxPool", {image});
  std::string pooled = "pooled";
  if (in_float) {
    body("number", "CastLike", {"pooled", "x"});
    pooled = "number";
  }
  body("y", "Transpose", {pooled}, {{"perm", channels_last_order(rank)}});
  if (filled) {
    body.copy_attributes(site, {"dilations", "kernel_shape", "strides"}, "MaxPool");
  } else {
    body.copy_attributes(site, {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides"}, "MaxPool");
  }
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "NhwcMaxPool",
                      .summary = "MaxPool with channels as the last dimension.",
                      .source = "ONNX Runtime's contrib operator NhwcMaxPool",
                      .attributes = "auto_pad, ceil_mode, dilations, kernel_shape, pads, strides",
                      .required_attributes = "kernel_shape",
                      .inputs = "x",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_NhwcMaxPool
