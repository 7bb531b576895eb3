// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Non-maximum suppression as TensorRT's plugins give it: a fixed number of detections for each
// image, the best ones first, and zeros behind them.
// There are B images, N boxes, C classes and K detections.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rotated_suppression.h"
#include "rules/body.h"

namespace onnx_lower {

struct Suppression {
  // Float, (B, N, 4) or, with boxes of each class, (B, N, C, 4): corners; or, where they are
  // rotated, (B, N, 5) or (B, N, C, 5): centre, width, height and the angle in radians.
  std::string boxes;
  std::string scores;  // float, (B, N, C)
  bool boxes_per_class = false;
  bool rotated = false;
  // Rotated boxes are two corners, as if they were not turned, and the angle; they are taken for
  // distributions.
  bool by_distributions = false;
  bool class_agnostic = false;     // boxes of different classes suppress each other
  int64_t background_class = -1;   // never detected
  bool keep_equal_scores = false;  // a score that equals the threshold counts
  float score_threshold = 0.0f;
  float iou_threshold = 0.0f;  // an overlap above it suppresses; keep it between 0 and 1
  // How many boxes of a class are looked at, the best ones first; 0: all.
  int64_t candidates_per_class = 0;
  int64_t limit_per_class = 0;     // 0: none
  int64_t detections = 0;          // K
  bool inclusive_corners = false;  // a box from 0 to 1 is two wide
};

struct Detections {
  std::string count;      // (B, 1), int32
  std::string boxes;      // (B, K, 4), or (B, K, 5) where they are rotated
  std::string scores;     // (B, K)
  std::string classes;    // (B, K), int64, of no meaning where not valid
  std::string valid;      // (B, K)
  std::string box_index;  // (B, K), int64: which box, of no meaning where not valid
};

// The float that comes before `threshold`: x > just_below(threshold) is the same as x >= threshold.
inline float just_below(float threshold) { return threshold <= 0.0f ? 0.0f : std::nextafter(threshold, 0.0f); }

// Gives the rank of the input "boxes", which is (B, N, 4) or (B, N, 1 or C, 4).
inline int rank_of_boxes(const CallSite& site) {
  const std::optional<int> rank = site.rank(0);
  if (rank != 3 && rank != 4) decline("boxes is not known to have rank 3 or 4");
  return *rank;
}

// Gives the input "boxes" as Suppression::boxes: in float, and without a dimension of 1 for
// classes.
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

class NonMaximumSuppression {
 public:
  NonMaximumSuppression(Body& body, const Suppression& in)
      : body_(body), in_(in), box_size_(in.rotated ? 5 : 4), lowest_(body.float_scalar(never, "never")) {}

  Detections detections() {
    append_high_scores();
    classes_ = body_.dim(in_.scores, 2);
    Candidates candidates = candidates_of(in_.background_class >= 0 ? foreground_scores() : "high_scores");
    body_("candidate_shape", "Shape", {"candidate_scores"});
    body_("nothing", "ConstantOfShape", {"candidate_shape"}, {{"value", one_float(never)}});
    if (in_.candidates_per_class > 0) candidates.scores = best_of_each_class();
    append_survivors(candidates);
    append_survivors_of_images();
    append_best_survivors();
    append_their_boxes();
    return {.count = append_count(),
            .boxes = "top_boxes",
            .scores = "valid_scores",
            .classes = "top_class",
            .valid = "valid",
            .box_index = "top_box"};
  }

 private:
  static constexpr double never = -3e38;  // the score of what is no candidate, or is suppressed
  static constexpr double any = -1e38;    // less than every score, and more than that

  // What NonMaxSuppression takes. Its images are the B images, or all B * C pairs of these and
  // classes.
  struct Candidates {
    std::string boxes;   // (images, boxes, 4)
    std::string scores;  // (images, classes, boxes)
  };

  // Makes `high_scores`, (B, N, C), in which those below the threshold are `never`.
  void append_high_scores() {
    const std::string threshold = body_.float_scalar(in_.score_threshold, "score_threshold");
    if (in_.keep_equal_scores) {
      body_("is_low", "Less", {in_.scores, threshold});
    } else {
      body_("is_high", "Greater", {in_.scores, threshold});
      body_("is_low", "Not", {"is_high"});
    }
    body_("high_scores", "Where", {"is_low", lowest_, in_.scores});
  }

  // Gives scores (B, N, C) in which those of the background are `never`, too.
  std::string foreground_scores() {
    const std::string zero = body_.scalar(0, "zero");
    const std::string one = body_.scalar(1, "one");
    const std::string background = body_.scalar(in_.background_class, "background");
    body_("class_numbers", "Range", {zero, classes_, one});
    body_("is_background", "Equal", {"class_numbers", background});
    return body_("foreground_scores", "Where", {"is_background", lowest_, "high_scores"});
  }

  // `scores` is (B, N, C).
  Candidates candidates_of(const std::string& scores) {
    std::string boxes = in_.boxes;
    if (in_.inclusive_corners) {
      body_.constant("corner_shift", tensor_of(onnx::TensorProto::FLOAT, {4}, std::vector<double>{0.0, 0.0, 1.0, 1.0}));
      boxes = body_("shifted_boxes", "Add", {boxes, "corner_shift"});
    }
    if (in_.class_agnostic) return candidates_of_one_class(boxes, scores);
    if (in_.boxes_per_class) return candidates_of_each_class(boxes, scores);
    return {boxes, body_("candidate_scores", "Transpose", {scores}, {{"perm", Ints{0, 2, 1}}})};
  }

  // Each box is, once for each class, a candidate of the only class. Boxes are (B, N * C, 4) and
  // scores (B, 1, N * C).
  Candidates candidates_of_one_class(std::string boxes, const std::string& scores) {
    if (!in_.boxes_per_class) {
      const std::string columns = body_.unsqueeze(boxes, {2}, "box_columns");
      body_("scores_shape", "Shape", {in_.scores});
      const std::string size = body_.ints({box_size_}, "box_size");
      body_("boxes_shape", "Concat", {"scores_shape", size}, {{"axis", 0}});
      boxes = body_("repeated_boxes", "Expand", {columns, "boxes_shape"});
    }
    boxes = body_.reshape(boxes, {0, -1, box_size_}, "candidate_boxes");
    body_("flat_scores", "Flatten", {scores}, {{"axis", 1}});
    const std::string middle = body_.ints({1}, "axes");
    return {boxes, body_("candidate_scores", "Unsqueeze", {"flat_scores", middle})};
  }

  // Each class of each image is an image of its own.
  // Boxes are (B * C, N, 4) and scores (B * C, 1, N).
  Candidates candidates_of_each_class(const std::string& boxes, const std::string& scores) {
    const std::string by_class = body_.transpose(boxes, {0, 2, 1, 3}, "boxes_by_class");
    body_("by_class_shape", "Shape", {by_class});
    const std::string box_shape = body_.slice("by_class_shape", 2, 4, 0, "box_shape");
    const std::string all = body_.ints({-1}, "all");
    body_("each_class_shape", "Concat", {all, box_shape}, {{"axis", 0}});
    body_("candidate_boxes", "Reshape", {by_class, "each_class_shape"});
    body_("scores_by_class", "Transpose", {scores}, {{"perm", Ints{0, 2, 1}}});
    const std::string count = body_.dim_list(in_.scores, 1);
    const std::string one = body_.ints({1}, "one");
    body_("each_score_shape", "Concat", {all, one, count}, {{"axis", 0}});
    return {"candidate_boxes", body_("candidate_scores", "Reshape", {"scores_by_class", "each_score_shape"})};
  }

  // Gives the candidates' scores, of which all but the best so many of a class are `never`.
  std::string best_of_each_class() {
    const std::string most = body_.ints({in_.candidates_per_class}, "most");
    const std::string count = body_.slice("candidate_shape", 2, 3, 0, "candidate_count");
    body_("has_more", "Less", {most, count});
    body_("best_count", "Where", {"has_more", most, count});
    body_.node({"best_scores", "best_index"}, "TopK", {"candidate_scores", "best_count"}, {{"axis", 2}});
    return body_("best_candidates", "ScatterElements", {"nothing", "best_index", "best_scores"}, {{"axis", 2}});
  }

  // Makes `survivors`, of the shape of the candidates' scores, in which those that are suppressed
  // are `never`.
  void append_survivors(const Candidates& candidates) {
    if (in_.rotated) {
      append_rotated_selection(body_, {.boxes = candidates.boxes,
                                       .scores = candidates.scores,
                                       .score_threshold = any,
                                       .iou_threshold = in_.iou_threshold,
                                       .flat_overlaps = !in_.by_distributions,
                                       .by_distributions = in_.by_distributions});
    } else {
      append_selection(candidates);
    }
    body_("selected_scores", "GatherND", {candidates.scores, "selected"});
    body_("survivors", "ScatterND", {"nothing", "selected", "selected_scores"});
  }

  // Makes `selected`, (any number, 3): image, class and box of those that remain.
  void append_selection(const Candidates& candidates) {
    int64_t most = in_.detections;
    if (in_.candidates_per_class > 0) most = in_.candidates_per_class;
    if (in_.limit_per_class > 0) most = std::min(most, in_.limit_per_class);
    const std::string limit = body_.ints({most}, "limit");
    body_.constant("iou_threshold", one_float(in_.iou_threshold));
    body_.constant("any_score", one_float(any));
    body_("selected", "NonMaxSuppression", {candidates.boxes, candidates.scores, limit, "iou_threshold", "any_score"});
  }

  // Makes `survivor_row`, (B, N * C): one row for each image again, ordered by boxes, then classes.
  void append_survivors_of_images() {
    if (in_.class_agnostic) {
      body_("survivor_row", "Flatten", {"survivors"}, {{"axis", 1}});
      return;
    }
    std::string by_class = "survivors";
    if (in_.boxes_per_class) {
      body_("scores_by_class_shape", "Shape", {"scores_by_class"});
      by_class = body_("survivors_by_class", "Reshape", {"survivors", "scores_by_class_shape"});
    }
    const std::string by_box = body_.transpose(by_class, {0, 2, 1}, "survivors_by_box");
    body_("survivor_row", "Flatten", {by_box}, {{"axis", 1}});
  }

  // Makes, all of them (B, K): `top_scores`; `top_index`, their places in the row of survivors;
  // `valid`, which says where they are detections; `top_box` and `top_class`, the numbers of their
  // boxes and of their classes.
  void append_best_survivors() {
    const std::string pads = body_.ints({0, 0, 0, in_.detections}, "pads");
    body_("padded_row", "Pad", {"survivor_row", pads, lowest_});
    const std::string detections = body_.ints({in_.detections}, "detections");
    body_.node({"top_scores", "top_index"}, "TopK", {"padded_row", detections}, {{"axis", 1}});
    const std::string any_scalar = body_.float_scalar(any, "any");
    body_("valid", "Greater", {"top_scores", any_scalar});
    body_("top_box", "Div", {"top_index", classes_});
    body_("top_box_start", "Mul", {"top_box", classes_});
    body_("top_class", "Sub", {"top_index", "top_box_start"});
  }

  // Makes `top_boxes`, (B, K, 4). Where there is no detection, it takes the box of zeros that is
  // put before the others.
  void append_their_boxes() {
    std::string table = in_.boxes;
    if (in_.boxes_per_class) table = body_.reshape(table, {0, -1, box_size_}, "all_boxes");
    const std::string front = body_.ints({0, 1, 0, 0, 0, 0}, "pads");
    body_("boxes_after_zero", "Pad", {table, front});
    const std::string one = body_.scalar(1, "one");
    const std::string zero = body_.scalar(0, "zero");
    body_("row_number", "Add", {in_.boxes_per_class ? "top_index" : "top_box", one});
    body_("row", "Where", {"valid", "row_number", zero});
    const std::string row_column = body_.unsqueeze("row", {2}, "row_column");
    const std::string shape = body_.ints({1, 1, box_size_}, "box_shape");
    body_("rows", "Expand", {row_column, shape});
    body_("top_boxes", "GatherElements", {"boxes_after_zero", "rows"}, {{"axis", 1}});
  }

  // Makes `valid_scores`, (B, K), and gives the number of detections of each image, (B, 1).
  std::string append_count() {
    const std::string no_score = body_.float_scalar(0.0, "no_score");
    body_("valid_scores", "Where", {"valid", "top_scores", no_score});
    body_("valid_numbers", "Cast", {"valid"}, {{"to", 6}});
    const std::string axis = body_.ints({1}, "axis");
    return body_("valid_count", "ReduceSum", {"valid_numbers", axis}, {{"keepdims", 1}});
  }

  Body& body_;
  const Suppression& in_;
  const int64_t box_size_;
  const std::string lowest_;
  std::string classes_;  // the number C
};

inline Detections append_suppression(Body& body, const Suppression& in) {
  return NonMaximumSuppression(body, in).detections();
}

}  // namespace onnx_lower
