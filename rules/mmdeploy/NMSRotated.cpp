// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../TRT/families/rotated_suppression.h"

namespace onnx_lower::native_rules::mmdeploy_NMSRotated {
namespace {

Lowering lower(const CallSite& site) {
  Body body("mmdeploy", "NMSRotated", {"boxes", "scores"}, {"selected"}, 18);
  const std::string boxes = body("boxes_float", "Cast", {"boxes"}, {{"to", 1}});
  const std::string scores = body("scores_float", "Cast", {"scores"}, {{"to", 1}});
  append_rotated_selection(body, {.boxes = boxes,
                                  .scores = scores,
                                  .score_threshold = site.attribute_float("score_threshold", 0.0f),
                                  .iou_threshold = site.attribute_float("iou_threshold", 0.0f)});
  return body.function();
}

const NativeRule rule{.domain = "mmdeploy",
                      .op_type = "NMSRotated",
                      .summary = "Non-maximum suppression of rotated boxes: image, class and box of what remains.",
                      .source = "mmdeploy's operator of ONNX Runtime of that name (nms_rotated.cpp)",
                      .attributes = "iou_threshold, score_threshold",
                      .required_attributes = "iou_threshold, score_threshold",
                      .inputs = "boxes, scores",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::mmdeploy_NMSRotated
