// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../ai.onnx/efficient_nms.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) { return lower_efficient_nms(site, "TRT"); }

const NativeRule rule{
    .domain = "TRT",
    .op_type = "EfficientNMS_TRT",
    .summary = "Non-maximum suppression of TensorRT's plugin, with a fixed number of detections per image.",
    .source = "TensorRT's efficientNMSPlugin",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
