// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// BatchedNMS_TRT and BatchedNMSDynamic_TRT, which differ in name only. Exporters write them into
// the default domain or into TRT.
#include "families/suppression.h"

namespace onnx_lower::native_rules::TRT_BatchedNMS_TRT {
namespace {

Lowering lower(const CallSite& site) {
  const int rank = rank_of_boxes(site);

  Suppression in;
  in.boxes_per_class = rank == 4 && site.attribute_int("shareLocation", 1) == 0;
  in.background_class = site.attribute_int("backgroundLabelId", -1);
  in.score_threshold = site.attribute_float("scoreThreshold", 0.0f);
  in.iou_threshold = site.attribute_float("iouThreshold", 0.0f);
  in.candidates_per_class = site.attribute_int("topK", 0);
  in.detections = site.attribute_int("keepTopK", 0);
  if (in.detections <= 0 || in.candidates_per_class <= 0) return Declined{"topK and keepTopK are not both positive"};
  in.inclusive_corners = site.attribute_int("isNormalized", 1) == 0;

  Body body("TRT", "BatchedNMS_TRT", {"boxes", "scores"},
            first_names({"num_detections", "nmsed_boxes", "nmsed_scores", "nmsed_classes"}, site.output_count()), 18);
  in.boxes = float_boxes(body, rank, in.boxes_per_class);
  in.scores = body("scores_float", "Cast", {"scores"}, {{"to", 1}});
  const Detections found = append_suppression(body, in);
  body("num_detections", "Identity", {found.count});
  if (site.output_count() > 1) {
    const bool clips = site.attribute_int("clipBoxes", 1) != 0;
    const std::string boxes = clips ? clipped(body, found.boxes) : found.boxes;
    body("nmsed_boxes", "CastLike", {boxes, "boxes"});
  }
  if (site.output_count() > 2) body("nmsed_scores", "CastLike", {found.scores, "scores"});
  if (site.output_count() > 3) {
    body("valid_class", "Where", {found.valid, found.classes, body.scalar(-1, "no_class")});
    body("nmsed_classes", "CastLike", {"valid_class", "scores"});
  }
  return body.function();
}

const NativeRule rule{
    .domain = "TRT",
    .op_type = "BatchedNMS_TRT",
    .summary = "Non-maximum suppression per class of TensorRT's plugin, with a fixed number of detections per image.",
    .source = "TensorRT's batchedNMSPlugin",
    .also = "TRT::BatchedNMSDynamic_TRT, ai.onnx::BatchedNMS_TRT, ai.onnx::BatchedNMSDynamic_TRT",
    .attributes =
        "backgroundLabelId, caffeSemantics, clipBoxes, iouThreshold, isNormalized, keepTopK, numClasses, "
        "plugin_namespace, plugin_version, scoreBits, scoreThreshold, shareLocation, topK",
    .required_attributes = "iouThreshold, keepTopK, scoreThreshold, topK",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::TRT_BatchedNMS_TRT
