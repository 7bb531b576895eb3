// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../ai.onnx/batched_nms.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) { return lower_batched_nms(site, "TRT", "BatchedNMS_TRT"); }

const NativeRule rule{
    .domain = "TRT",
    .op_type = "BatchedNMS_TRT",
    .summary = "Non-maximum suppression per class of TensorRT's plugin, with a fixed number of detections per image.",
    .source = "TensorRT's batchedNMSPlugin",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
