// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// TRTBatchedNMS and TRTBatchedRotatedNMS, whose boxes have an angle.
#include <fmt/format.h>

#include <array>

#include "../TRT/families/suppression.h"

namespace onnx_lower::native_rules::mmdeploy_TRTBatchedNMS {
namespace {

Lowering lowered(const CallSite& site, std::string_view op_type, bool rotated) {
  const int rank = rank_of_boxes(site);

  Suppression in;
  in.rotated = rotated;
  in.boxes_per_class = rank == 4 && site.dim(0, 2) != 1;
  in.background_class = site.attribute_int("background_label_id", -1);
  in.score_threshold = site.attribute_float("score_threshold", 0.0f);
  in.iou_threshold = site.attribute_float("iou_threshold", 0.0f);
  in.candidates_per_class = site.attribute_int("topk", 0);
  in.detections = site.attribute_int("keep_topk", 0);
  if (in.detections <= 0 || in.candidates_per_class <= 0) return Declined{"topk and keep_topk are not both positive"};

  Body body("mmdeploy", op_type, {"boxes", "scores"}, first_names({"dets", "labels", "index"}, site.output_count()),
            18);
  in.boxes = float_boxes(body, rank, in.boxes_per_class);
  in.scores = body("scores_float", "Cast", {"scores"}, {{"to", 1}});
  const Detections found = append_suppression(body, in);
  const bool clips = site.attribute_int("clip_boxes", 0) != 0;
  const std::string boxes = clips ? clipped(body, found.boxes) : found.boxes;
  const std::string score_column = body.unsqueeze(found.scores, {2}, "score_column");
  body("dets_float", "Concat", {boxes, score_column}, {{"axis", 2}});
  body("dets", "CastLike", {"dets_float", "boxes"});
  const std::string none = body.scalar(-1, "none");
  // The plugin's integer outputs are int32, but models that use it often declare int64.
  const auto integer_output = [&](int output, const std::string& value, const char* name) {
    if (!site.has_output(output)) return;
    const onnx::TypeProto* type = site.output_type(output);
    const bool wide = type != nullptr && type->tensor_type().elem_type() == onnx::TensorProto::INT64;
    body(fmt::format("valid_{}", name), "Where", {found.valid, value, none});
    body(name, "Cast", {fmt::format("valid_{}", name)},
         {{"to", static_cast<int>(wide ? onnx::TensorProto::INT64 : onnx::TensorProto::INT32)}});
  };
  integer_output(1, found.classes, "labels");
  integer_output(2, found.box_index, "index");
  return body.function();
}

Lowering lower(const CallSite& site) { return lowered(site, "TRTBatchedNMS", false); }
Lowering lower_rotated(const CallSite& site) { return lowered(site, "TRTBatchedRotatedNMS", true); }

const std::array<NativeRule, 2> rules{
    NativeRule{
        .domain = "mmdeploy",
        .op_type = "TRTBatchedNMS",
        .summary = "Non-maximum suppression per class: boxes with scores, and labels, a fixed number per image.",
        .source = "mmdeploy's TensorRT plugin of that name",
        .attributes =
            "background_label_id, clip_boxes, iou_threshold, is_normalized, keep_topk, num_classes, return_index, "
            "score_threshold, topk",
        .required_attributes = "iou_threshold, keep_topk, score_threshold, topk",
        .lower = lower},
    NativeRule{.domain = "mmdeploy",
               .op_type = "TRTBatchedRotatedNMS",
               .summary = "TRTBatchedNMS of boxes with an angle.",
               .source = "mmdeploy's TensorRT plugins TRTBatchedRotatedNMS and TRTBatchedBEVNMS",
               .also = "mmdeploy::TRTBatchedBEVNMS",
               .attributes = "background_label_id, clip_boxes, iou_threshold, is_normalized, keep_topk, num_classes, "
                             "return_index, score_threshold, topk",
               .required_attributes = "iou_threshold, keep_topk, score_threshold, topk",
               .lower = lower_rotated}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::mmdeploy_TRTBatchedNMS
