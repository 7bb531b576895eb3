// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Non-maximum suppression as TensorRT's plugins give it: a fixed number of detections per image, best first, zeros behind them.
// B images, N boxes, C classes, K detections.
#pragma once

#include <algorithm>
#include <cmath>

#include "../com.microsoft/body_text.h"

namespace onnx_lower {

struct Suppression {
  std::string boxes;   // float corners, (B, N, 4) or, with boxes of each class, (B, N, C, 4)
  std::string scores;  // float, (B, N, C)
  bool boxes_per_class = false;
  bool class_agnostic = false;     // boxes of different classes suppress each other
  int64_t background_class = -1;   // never detected
  bool keep_equal_scores = false;  // a score that equals the threshold counts
  float score_threshold = 0.0f;
  float iou_threshold = 0.0f;        // an overlap above it suppresses; keep it between 0 and 1
  int64_t candidates_per_class = 0;  // only so many of the best boxes of a class are looked at; 0: all
  int64_t limit_per_class = 0;       // 0: none
  int64_t detections = 0;            // K
  bool inclusive_corners = false;    // a box from 0 to 1 is two wide
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

inline Detections append_suppression(BodyText& body, const Suppression& in) {
  constexpr double never = -3e38;
  constexpr double any = -1e38;
  const std::string lowest = body.float_scalar(never, "never");
  const std::string threshold = body.float_scalar(in.score_threshold, "score_threshold");
  if (in.keep_equal_scores) {
    body.line("is_low = Less ({}, {})", in.scores, threshold);
  } else {
    body.line("is_high = Greater ({}, {})", in.scores, threshold);
    body.line("is_low = Not (is_high)");
  }
  body.line("high_scores = Where (is_low, {}, {})", lowest, in.scores);
  std::string kept = "high_scores";
  const std::string classes = body.dim(in.scores, 2);
  if (in.background_class >= 0) {
    const std::string zero = body.scalar(0, "zero");
    const std::string one = body.scalar(1, "one");
    const std::string background = body.scalar(in.background_class, "background");
    body.line("class_numbers = Range ({}, {}, {})", zero, classes, one);
    body.line("is_background = Equal (class_numbers, {})", background);
    body.line("foreground_scores = Where (is_background, {}, high_scores)", lowest);
    kept = "foreground_scores";
  }

  // What NonMaxSuppression takes: boxes (images, boxes, 4), scores (images, classes, boxes).
  std::string boxes = in.boxes;
  if (in.inclusive_corners) {
    body.line("corner_shift = Constant <value = float[4] {{0.0, 0.0, 1.0, 1.0}}> ()");
    body.line("shifted_boxes = Add ({}, corner_shift)", boxes);
    boxes = "shifted_boxes";
  }
  if (in.class_agnostic) {
    if (!in.boxes_per_class) {
      const std::string columns = body.unsqueeze(boxes, {2}, "box_columns");
      body.line("scores_shape = Shape ({})", in.scores);
      const std::string four = body.ints({4}, "four");
      body.line("boxes_shape = Concat <axis = 0> (scores_shape, {})", four);
      body.line("repeated_boxes = Expand ({}, boxes_shape)", columns);
      boxes = "repeated_boxes";
    }
    boxes = body.reshape(boxes, {0, -1, 4}, "candidate_boxes");
    body.line("flat_scores = Flatten <axis = 1> ({})", kept);
    const std::string middle = body.ints({1}, "axes");
    body.line("candidate_scores = Unsqueeze (flat_scores, {})", middle);
  } else if (in.boxes_per_class) {
    const std::string by_class = body.transpose(boxes, {0, 2, 1, 3}, "boxes_by_class");
    body.line("by_class_shape = Shape ({})", by_class);
    const std::string box_shape = body.slice("by_class_shape", 2, 4, 0, "box_shape");
    const std::string all = body.ints({-1}, "all");
    body.line("each_class_shape = Concat <axis = 0> ({}, {})", all, box_shape);
    body.line("candidate_boxes = Reshape ({}, each_class_shape)", by_class);
    boxes = "candidate_boxes";
    body.line("scores_by_class = Transpose <perm = [0, 2, 1]> ({})", kept);
    const std::string count = body.dim_list(in.scores, 1);
    const std::string one = body.ints({1}, "one");
    body.line("each_score_shape = Concat <axis = 0> ({}, {}, {})", all, one, count);
    body.line("candidate_scores = Reshape (scores_by_class, each_score_shape)");
  } else {
    body.line("candidate_scores = Transpose <perm = [0, 2, 1]> ({})", kept);
  }
  std::string scores = "candidate_scores";
  body.line("candidate_shape = Shape (candidate_scores)");
  body.line("nothing = ConstantOfShape <value = float[1] {{{}}}> (candidate_shape)", float_text(never));
  if (in.candidates_per_class > 0) {
    const std::string most = body.ints({in.candidates_per_class}, "most");
    const std::string count = body.slice("candidate_shape", 2, 3, 0, "candidate_count");
    body.line("has_more = Less ({}, {})", most, count);
    body.line("best_count = Where (has_more, {}, {})", most, count);
    body.line("best_scores, best_index = TopK <axis = 2> (candidate_scores, best_count)");
    body.line("best_candidates = ScatterElements <axis = 2> (nothing, best_index, best_scores)");
    scores = "best_candidates";
  }
  int64_t most = in.detections;
  if (in.candidates_per_class > 0) most = in.candidates_per_class;
  if (in.limit_per_class > 0) most = std::min(most, in.limit_per_class);
  const std::string limit = body.ints({most}, "limit");
  body.line("iou_threshold = Constant <value = float[1] {{{}}}> ()", float_text(in.iou_threshold));
  body.line("any_score = Constant <value = float[1] {{{}}}> ()", float_text(any));
  body.line("selected = NonMaxSuppression ({}, {}, {}, iou_threshold, any_score)", boxes, scores, limit);
  body.line("selected_scores = GatherND ({}, selected)", scores);
  body.line("survivors = ScatterND (nothing, selected, selected_scores)");

  // Back to one row per image, in the order of boxes, then classes.
  if (in.class_agnostic) {
    body.line("survivor_row = Flatten <axis = 1> (survivors)");
  } else {
    std::string by_class = "survivors";
    if (in.boxes_per_class) {
      body.line("scores_by_class_shape = Shape (scores_by_class)");
      body.line("survivors_by_class = Reshape (survivors, scores_by_class_shape)");
      by_class = "survivors_by_class";
    }
    const std::string by_box = body.transpose(by_class, {0, 2, 1}, "survivors_by_box");
    body.line("survivor_row = Flatten <axis = 1> ({})", by_box);
  }
  const std::string pads = body.ints({0, 0, 0, in.detections}, "pads");
  body.line("padded_row = Pad (survivor_row, {}, {})", pads, lowest);
  const std::string detections = body.ints({in.detections}, "detections");
  body.line("top_scores, top_index = TopK <axis = 1> (padded_row, {})", detections);
  const std::string any_scalar = body.float_scalar(any, "any");
  body.line("valid = Greater (top_scores, {})", any_scalar);

  body.line("top_box = Div (top_index, {})", classes);
  body.line("top_box_start = Mul (top_box, {})", classes);
  body.line("top_class = Sub (top_index, top_box_start)");
  // A box of zeros stands before the others, for where there is no detection.
  std::string table = in.boxes;
  if (in.boxes_per_class) table = body.reshape(table, {0, -1, 4}, "all_boxes");
  const std::string front = body.ints({0, 1, 0, 0, 0, 0}, "pads");
  body.line("boxes_after_zero = Pad ({}, {})", table, front);
  const std::string one = body.scalar(1, "one");
  const std::string zero = body.scalar(0, "zero");
  body.line("row_number = Add ({}, {})", in.boxes_per_class ? "top_index" : "top_box", one);
  body.line("row = Where (valid, row_number, {})", zero);
  const std::string row_column = body.unsqueeze("row", {2}, "row_column");
  const std::string four = body.ints({1, 1, 4}, "box_shape");
  body.line("rows = Expand ({}, {})", row_column, four);
  body.line("top_boxes = GatherElements <axis = 1> (boxes_after_zero, rows)");
  const std::string no_score = body.float_scalar(0.0, "no_score");
  body.line("valid_scores = Where (valid, top_scores, {})", no_score);
  body.line("valid_numbers = Cast <to = 6> (valid)");
  const std::string axis = body.ints({1}, "axis");
  body.line("valid_count = ReduceSum <keepdims = 1> (valid_numbers, {})", axis);
  return {.count = "valid_count",
          .boxes = "top_boxes",
          .scores = "valid_scores",
          .classes = "top_class",
          .valid = "valid",
          .box_index = "top_box"};
}

}  // namespace onnx_lower
