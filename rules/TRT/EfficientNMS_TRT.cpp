// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// EfficientNMS_TRT; EfficientIdxNMS_TRT, which gives the numbers of the boxes, too; and
// EfficientRotatedNMS_TRT, whose boxes have an angle. Exporters write them into the default domain
// or into TRT.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "families/suppression.h"

namespace onnx_lower::native_rules::TRT_EfficientNMS_TRT {
namespace {

// Gives the corners of boxes that are given by centre and size, with their angle if they have one.
std::string corners(Body& body, const std::string& boxes, bool rotated) {
  const std::string centre = body.fresh("centre");
  const std::string size = body.fresh("size");
  const std::string first = body.ints({0, 1}, "first");
  const std::string second = body.ints({2, 3}, "second");
  body(centre, "Gather", {boxes, first}, {{"axis", -1}});
  body(size, "Gather", {boxes, second}, {{"axis", -1}});
  const std::string half = body.float_scalar(0.5, "half");
  body("half_size", "Mul", {size, half});
  body("low_corner", "Sub", {centre, "half_size"});
  body("high_corner", "Add", {centre, "half_size"});
  if (rotated) {
    body("box_angle", "Gather", {boxes, body.ints({4}, "fifth")}, {{"axis", -1}});
    return body("corner_boxes", "Concat", {"low_corner", "high_corner", "box_angle"}, {{"axis", -1}});
  }
  return body("corner_boxes", "Concat", {"low_corner", "high_corner"}, {{"axis", -1}});
}

// Gives the boxes that the network's offsets make of the anchors, in the coding of these:
//
//     centre = offset_centre * anchor_size + anchor_centre, size = exp(offset_size) * anchor_size
//
// or, where boxes are coded by corners, offset + anchor.
std::string decoded(Body& body, const std::string& offsets, bool boxes_per_class, bool centre_size) {
  body("anchors_float", "Cast", {"anchors"}, {{"to", 1}});
  std::string anchors = "anchors_float";
  if (boxes_per_class) anchors = body.unsqueeze(anchors, {2}, "anchor_columns");
  if (!centre_size) {
    body("decoded_boxes", "Add", {offsets, anchors});
    return "decoded_boxes";
  }
  const std::string first = body.ints({0, 1}, "first");
  const std::string second = body.ints({2, 3}, "second");
  body("offset_centre", "Gather", {offsets, first}, {{"axis", -1}});
  body("offset_size", "Gather", {offsets, second}, {{"axis", -1}});
  body("anchor_centre", "Gather", {anchors, first}, {{"axis", -1}});
  body("anchor_size", "Gather", {anchors, second}, {{"axis", -1}});
  body("moved", "Mul", {"offset_centre", "anchor_size"});
  body("decoded_centre", "Add", {"moved", "anchor_centre"});
  body("growth", "Exp", {"offset_size"});
  body("decoded_size", "Mul", {"growth", "anchor_size"});
  body("decoded_boxes", "Concat", {"decoded_centre", "decoded_size"}, {{"axis", -1}});
  return "decoded_boxes";
}

// Makes `detection_indices`: the plugin's remainder of dividing a box's place among all boxes of
// the image by N. Without boxes of each class this is the number of the box.
void append_indices(Body& body, const Suppression& in, const Detections& found) {
  std::string index = found.box_index;
  if (in.boxes_per_class) {
    body("first_of_box", "Mul", {index, body.dim(in.scores, 2)});
    body("place_of_box", "Add", {"first_of_box", found.classes});
    index = body("index_of_place", "Mod", {"place_of_box", body.dim(in.scores, 1)});
  }
  body("valid_index", "Where", {found.valid, index, body.scalar(0, "no_index")});
  body("detection_indices", "Cast", {"valid_index"}, {{"to", 6}});
}

Lowering lowered(const CallSite& site, std::string_view op_type, bool rotated = false) {
  const int rank = rank_of_boxes(site);
  const int64_t coding = site.attribute_int("box_coding", 0);
  if (coding != 0 && coding != 1) return Declined{fmt::format("box_coding is {}, and not 0 or 1", coding)};

  Suppression in;
  in.rotated = in.by_distributions = rotated;
  in.detections = site.attribute_int("max_output_boxes", 0);
  if (in.detections <= 0) return Declined{"max_output_boxes is not positive"};
  in.boxes_per_class = rank == 4 && site.dim(0, 2) != 1;
  in.class_agnostic = site.attribute_int("class_agnostic", 0) != 0;
  in.background_class = site.attribute_int("background_class", -1);
  in.keep_equal_scores = true;
  in.score_threshold = site.attribute_float("score_threshold", 0.0f);
  in.iou_threshold = just_below(site.attribute_float("iou_threshold", 0.0f));
  in.limit_per_class = std::max<int64_t>(site.attribute_int("max_output_boxes_per_class", 0), 0);

  Body body(
      "TRT", op_type, first_names({"boxes", "scores", "anchors"}, site.input_count()),
      first_names({"num_detections", "detection_boxes", "detection_scores", "detection_classes", "detection_indices"},
                  site.output_count()),
      18);
  in.boxes = float_boxes(body, rank, in.boxes_per_class);
  if (site.has_input(2)) in.boxes = decoded(body, in.boxes, in.boxes_per_class, coding == 1);
  if (coding == 1) in.boxes = corners(body, in.boxes, rotated);
  in.scores = body("scores_float", "Cast", {"scores"}, {{"to", 1}});
  if (site.attribute_int("score_activation", 0) != 0) in.scores = body("probabilities", "Sigmoid", {in.scores});
  const Detections found = append_suppression(body, in);
  body("num_detections", "Identity", {found.count});
  if (site.output_count() > 1) body("detection_boxes", "CastLike", {found.boxes, "boxes"});
  if (site.output_count() > 2) body("detection_scores", "CastLike", {found.scores, "scores"});
  if (site.output_count() > 3) {
    body("valid_class", "Where", {found.valid, found.classes, body.scalar(0, "no_class")});
    body("detection_classes", "Cast", {"valid_class"}, {{"to", 6}});
  }
  if (site.output_count() > 4) append_indices(body, in, found);
  return body.function();
}

Lowering lower(const CallSite& site) {
  if (site.output_count() > 4) return Declined{"it has more outputs than the plugin"};
  return lowered(site, "EfficientNMS_TRT");
}
Lowering lower_with_indices(const CallSite& site) { return lowered(site, "EfficientIdxNMS_TRT"); }
Lowering lower_rotated(const CallSite& site) {
  if (site.output_count() > 4) return Declined{"it has more outputs than the plugin"};
  if (site.has_input(2)) return Declined{"its boxes are offsets of anchors"};
  if (site.attribute_float("iou_threshold", 0.0f) <= 0.0f) return Declined{"iou_threshold is not above 0"};
  return lowered(site, "EfficientRotatedNMS_TRT", true);
}

constexpr std::string_view attributes =
    "background_class, box_coding, class_agnostic, iou_threshold, max_output_boxes, max_output_boxes_per_class, "
    "plugin_namespace, plugin_version, score_activation, score_threshold";
constexpr std::string_view required_attributes = "iou_threshold, max_output_boxes, score_threshold";

const std::array<NativeRule, 3> rules{
    NativeRule{.domain = "TRT",
               .op_type = "EfficientNMS_TRT",
               .summary = "Non-maximum suppression of TensorRT's plugin, with a fixed number of detections per image.",
               .source = "TensorRT's efficientNMSPlugin",
               .also = "ai.onnx::EfficientNMS_TRT",
               .attributes = attributes,
               .required_attributes = required_attributes,
               .lower = lower},
    NativeRule{.domain = "TRT",
               .op_type = "EfficientIdxNMS_TRT",
               .summary = "EfficientNMS_TRT, which also gives the number of each detection's box.",
               .source = "efficientIdxNMSPlugin of TensorRT-YOLO",
               .also = "ai.onnx::EfficientIdxNMS_TRT",
               .attributes = attributes,
               .required_attributes = required_attributes,
               .lower = lower_with_indices},
    NativeRule{.domain = "TRT",
               .op_type = "EfficientRotatedNMS_TRT",
               .summary = "EfficientNMS_TRT of boxes with an angle, whose overlap is that of normal distributions.",
               .source = "efficientRotatedNMSPlugin of TensorRT-YOLO, as its releases have it since December 2024",
               .also = "ai.onnx::EfficientRotatedNMS_TRT",
               .attributes = "background_class, box_coding, class_agnostic, iou_threshold, max_output_boxes, "
                             "plugin_namespace, plugin_version, score_activation, score_threshold",
               .required_attributes = required_attributes,
               .lower = lower_rotated}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::TRT_EfficientNMS_TRT
