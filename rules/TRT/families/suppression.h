// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Non-maximum suppression as TensorRT's plugins give it: a fixed number of detections per image,
// best first, zeros behind them.
// B images, N boxes, C classes, K detections.
#pragma once

#include <algorithm>
#include <cmath>

#include "rules/body.h"

namespace onnx_lower {

struct Suppression {
  std::string boxes;   // float corners, (B, N, 4) or, with boxes of each class, (B, N, C, 4)
  std::string scores;  // float, (B, N, C)
  bool boxes_per_class = false;
  bool class_agnostic = false;     // boxes of different classes suppress each other
  int64_t background_class = -1;   // never detected
  bool keep_equal_scores = false;  // a score that equals the threshold counts
  float score_threshold = 0.0f;
  float iou_threshold = 0.0f;  // an overlap above it suppresses; keep it between 0 and 1
  // only so many of the best boxes of a class are looked at; 0: all
  int64_t candidates_per_class = 0;
  int64_t limit_per_class = 0;     // 0: none
  int64_t detections = 0;          // K
  bool inclusive_corners = false;  // a box from 0 to 1 is two wide
};

struct Detections {
  std::string count;      // (B, 1), int32
  std::string boxes;      // (B, K, 4)
  std::string scores;     // (B, K)
  std::string classes;    // (B, K), int64, of no meaning where not valid
  std::string valid;      // (B, K)
  std::string box_index;  // (B, K), int64: which box, of no meaning where not valid
};

// The float that comes before `threshold`: x > it is the same as x >= threshold.
inline float just_below(float threshold) { return threshold <= 0.0f ? 0.0f : std::nextafter(threshold, 0.0f); }

// The input "boxes" is (B, N, 4), or (B, N, 1 or C, 4).
inline int rank_of_boxes(const CallSite& site) {
  const std::optional<int> rank = site.rank(0);
  if (rank != 3 && rank != 4) decline("boxes is not known to have rank 3 or 4");
  return *rank;
}

// That input as Suppression takes it.
inline std::string float_boxes(Body& body, int rank, bool boxes_per_class) {
  const std::string boxes = body("boxes_float", "Cast", {"boxes"}, {{"to", 1}});
  if (rank != 4 || boxes_per_class) return boxes;
  const std::string axis = body.ints({2}, "axis");
  return body("shared_boxes", "Squeeze", {boxes, axis});
}

inline std::string clipped(Body& body, const std::string& boxes) {
  const std::string zero = body.float_scalar(0.0, "low");
  const std::string one = body.float_scalar(1.0, "high");
  return body("clipped_boxes", "Clip", {boxes, zero, one});
}

inline Detections append_suppression(Body& body, const Suppression& in) {
  constexpr double never = -3e38;
  constexpr double any = -1e38;
  const std::string lowest = body.float_scalar(never, "never");
  const std::string threshold = body.float_scalar(in.score_threshold, "score_threshold");
  if (in.keep_equal_scores) {
    body("is_low", "Less", {in.scores, threshold});
  } else {
    body("is_high", "Greater", {in.scores, threshold});
    body("is_low", "Not", {"is_high"});
  }
  body("high_scores", "Where", {"is_low", lowest, in.scores});
  std::string kept = "high_scores";
  const std::string classes = body.dim(in.scores, 2);
  if (in.background_class >= 0) {
    const std::string zero = body.scalar(0, "zero");
    const std::string one = body.scalar(1, "one");
    const std::string background = body.scalar(in.background_class, "background");
    body("class_numbers", "Range", {zero, classes, one});
    body("is_background", "Equal", {"class_numbers", background});
    body("foreground_scores", "Where", {"is_background", lowest, "high_scores"});
    kept = "foreground_scores";
  }

  // What NonMaxSuppression takes: boxes (images, boxes, 4), scores (images, classes, boxes).
  std::string boxes = in.boxes;
  if (in.inclusive_corners) {
    body.constant("corner_shift", tensor_of(onnx::TensorProto::FLOAT, {4}, std::vector<double>{0.0, 0.0, 1.0, 1.0}));
    body("shifted_boxes", "Add", {boxes, "corner_shift"});
    boxes = "shifted_boxes";
  }
  if (in.class_agnostic) {
    if (!in.boxes_per_class) {
      const std::string columns = body.unsqueeze(boxes, {2}, "box_columns");
      body("scores_shape", "Shape", {in.scores});
      const std::string four = body.ints({4}, "four");
      body("boxes_shape", "Concat", {"scores_shape", four}, {{"axis", 0}});
      body("repeated_boxes", "Expand", {columns, "boxes_shape"});
      boxes = "repeated_boxes";
    }
    boxes = body.reshape(boxes, {0, -1, 4}, "candidate_boxes");
    body("flat_scores", "Flatten", {kept}, {{"axis", 1}});
    const std::string middle = body.ints({1}, "axes");
    body("candidate_scores", "Unsqueeze", {"flat_scores", middle});
  } else if (in.boxes_per_class) {
    const std::string by_class = body.transpose(boxes, {0, 2, 1, 3}, "boxes_by_class");
    body("by_class_shape", "Shape", {by_class});
    const std::string box_shape = body.slice("by_class_shape", 2, 4, 0, "box_shape");
    const std::string all = body.ints({-1}, "all");
    body("each_class_shape", "Concat", {all, box_shape}, {{"axis", 0}});
    body("candidate_boxes", "Reshape", {by_class, "each_class_shape"});
    boxes = "candidate_boxes";
    body("scores_by_class", "Transpose", {kept}, {{"perm", Ints{0, 2, 1}}});
    const std::string count = body.dim_list(in.scores, 1);
    const std::string one = body.ints({1}, "one");
    body("each_score_shape", "Concat", {all, one, count}, {{"axis", 0}});
    body("candidate_scores", "Reshape", {"scores_by_class", "each_score_shape"});
  } else {
    body("candidate_scores", "Transpose", {kept}, {{"perm", Ints{0, 2, 1}}});
  }
  std::string scores = "candidate_scores";
  body("candidate_shape", "Shape", {"candidate_scores"});
  body("nothing", "ConstantOfShape", {"candidate_shape"}, {{"value", one_float(never)}});
  if (in.candidates_per_class > 0) {
    const std::string most = body.ints({in.candidates_per_class}, "most");
    const std::string count = body.slice("candidate_shape", 2, 3, 0, "candidate_count");
    body("has_more", "Less", {most, count});
    body("best_count", "Where", {"has_more", most, count});
    body.node({"best_scores", "best_index"}, "TopK", {"candidate_scores", "best_count"}, {{"axis", 2}});
    body("best_candidates", "ScatterElements", {"nothing", "best_index", "best_scores"}, {{"axis", 2}});
    scores = "best_candidates";
  }
  int64_t most = in.detections;
  if (in.candidates_per_class > 0) most = in.candidates_per_class;
  if (in.limit_per_class > 0) most = std::min(most, in.limit_per_class);
  const std::string limit = body.ints({most}, "limit");
  body.constant("iou_threshold", one_float(in.iou_threshold));
  body.constant("any_score", one_float(any));
  body("selected", "NonMaxSuppression", {boxes, scores, limit, "iou_threshold", "any_score"});
  body("selected_scores", "GatherND", {scores, "selected"});
  body("survivors", "ScatterND", {"nothing", "selected", "selected_scores"});

  // Back to one row per image, in the order of boxes, then classes.
  if (in.class_agnostic) {
    body("survivor_row", "Flatten", {"survivors"}, {{"axis", 1}});
  } else {
    std::string by_class = "survivors";
    if (in.boxes_per_class) {
      body("scores_by_class_shape", "Shape", {"scores_by_class"});
      body("survivors_by_class", "Reshape", {"survivors", "scores_by_class_shape"});
      by_class = "survivors_by_class";
    }
    const std::string by_box = body.transpose(by_class, {0, 2, 1}, "survivors_by_box");
    body("survivor_row", "Flatten", {by_box}, {{"axis", 1}});
  }
  const std::string pads = body.ints({0, 0, 0, in.detections}, "pads");
  body("padded_row", "Pad", {"survivor_row", pads, lowest});
  const std::string detections = body.ints({in.detections}, "detections");
  body.node({"top_scores", "top_index"}, "TopK", {"padded_row", detections}, {{"axis", 1}});
  const std::string any_scalar = body.float_scalar(any, "any");
  body("valid", "Greater", {"top_scores", any_scalar});

  body("top_box", "Div", {"top_index", classes});
  body("top_box_start", "Mul", {"top_box", classes});
  body("top_class", "Sub", {"top_index", "top_box_start"});
  // A box of zeros stands before the others, for where there is no detection.
  std::string table = in.boxes;
  if (in.boxes_per_class) table = body.reshape(table, {0, -1, 4}, "all_boxes");
  const std::string front = body.ints({0, 1, 0, 0, 0, 0}, "pads");
  body("boxes_after_zero", "Pad", {table, front});
  const std::string one = body.scalar(1, "one");
  const std::string zero = body.scalar(0, "zero");
  body("row_number", "Add", {in.boxes_per_class ? "top_index" : "top_box", one});
  body("row", "Where", {"valid", "row_number", zero});
  const std::string row_column = body.unsqueeze("row", {2}, "row_column");
  const std::string four = body.ints({1, 1, 4}, "box_shape");
  body("rows", "Expand", {row_column, four});
  body("top_boxes", "GatherElements", {"boxes_after_zero", "rows"}, {{"axis", 1}});
  const std::string no_score = body.float_scalar(0.0, "no_score");
  body("valid_scores", "Where", {"valid", "top_scores", no_score});
  body("valid_numbers", "Cast", {"valid"}, {{"to", 6}});
  const std::string axis = body.ints({1}, "axis");
  body("valid_count", "ReduceSum", {"valid_numbers", axis}, {{"keepdims", 1}});
  return {.count = "valid_count",
          .boxes = "top_boxes",
          .scores = "valid_scores",
          .classes = "top_class",
          .valid = "valid",
          .box_index = "top_box"};
}

}  // namespace onnx_lower
