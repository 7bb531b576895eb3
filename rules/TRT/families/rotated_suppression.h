// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Non-maximum suppression of rotated boxes.
//
// The n candidates of all images and classes stand in one list, the best of each image and class
// first. Of each two of them the common area is computed, in blocks of rows; then those that remain
// are found in rounds: a candidate remains if no better one that remains overlaps it. What a round
// says of the first k of a class, once it is right, makes the next round right of one more, so that
// the rounds end, and they end when one changes nothing.
//
// The common area of a box and a rectangle that stands straight is the integral over x, within the
// rectangle, of what is between the upper and the lower edges of the box, each cut to the height of
// the rectangle: the sum over the edges, in the order in which they go around the box. As a
// function of the boxes it has no jumps, so that edges that lie on each other need no care.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower {

struct RotatedSuppression {
  std::string boxes;   // float, (B, N, 5): centre, width, height and the angle in radians
  std::string scores;  // float, (B, C, N)
  double score_threshold = 0.0;
  double iou_threshold = 0.0;
  // A box without area overlaps all others, and not none.
  bool flat_overlaps = false;
  // Boxes are two corners, as if they were not turned, and the angle. They are distributions, and
  // an overlap that equals the threshold suppresses, too.
  bool by_distributions = false;
};

class RotatedSelection {
 public:
  RotatedSelection(Body& body, const RotatedSuppression& in) : body_(body), in_(in) {}

  // Makes `selected`, (any number, 3), int64: the image, the class and the box of each that
  // remains, in the order of images, then classes, then scores from the best on.
  void append() {
    make_constants();
    append_candidates();
    append_columns();
    append_overlaps();
    append_rounds();
    body_("remains", "NonZero", {"remaining"});
    body_("remaining_row", "Squeeze", {"remains", "first_axis"});
    body_("selected", "Gather", {"places", "remaining_row"});
  }

 private:
  void make_constants() {
    body_.constant("first_axis", Ints{0});
    body_.constant("second_axis", Ints{1});
    body_.constant("third_axis", Ints{2});
    body_.constant("number_zero", 0);
    body_.constant("number_one", 1);
    body_.constant("half", 0.5);
    body_.constant("no_area", 0.0);
    body_.constant("whole", 1.0);
    body_.constant("flat_list", Ints{-1});
    body_.constant("overlap_threshold", in_.iou_threshold);
    body_.constant("least_score", in_.score_threshold);
  }

  // Makes `places`, the rows of what `selected` may have, in its order, and behind them one of
  // zeros that is none; `group`, the same number for those of the same image and class, and -1 for
  // the last; and `candidates`, their boxes.
  void append_candidates() {
    body_("is_candidate", "Greater", {in_.scores, "least_score"});
    body_("place_columns", "NonZero", {"is_candidate"});
    body_("unsorted_places", "Transpose", {"place_columns"}, {{"perm", Ints{1, 0}}});
    body_("unsorted_scores", "GatherND", {in_.scores, "unsorted_places"});
    body_("place_count", "Shape", {"unsorted_scores"});
    body_.node({"sorted_scores", "by_score"}, "TopK", {"unsorted_scores", "place_count"}, {{"axis", 0}});
    body_("places_by_score", "Gather", {"unsorted_places", "by_score"});
    body_.constant("image_column", 0);
    body_.constant("class_column", 1);
    body_("image_by_score", "Gather", {"places_by_score", "image_column"}, {{"axis", 1}});
    body_("class_by_score", "Gather", {"places_by_score", "class_column"}, {{"axis", 1}});
    body_("group_start", "Mul", {"image_by_score", body_.dim(in_.scores, 1)});
    body_("group_by_score", "Add", {"group_start", "class_by_score"});
    body_("number_of_places", "Squeeze", {"place_count"});
    body_("rank", "Range", {"number_zero", "number_of_places", "number_one"});
    body_("ranks_before", "Mul", {"group_by_score", "number_of_places"});
    body_("key", "Add", {"ranks_before", "rank"});
    body_.node({"sorted_keys", "in_order"}, "TopK", {"key", "place_count"}, {{"axis", 0}, {"largest", 0}});
    body_("group_in_order", "Gather", {"group_by_score", "in_order"});
    body_("group", "Concat", {"group_in_order", "flat_list"}, {{"axis", 0}});
    body_("places_in_order", "Gather", {"places_by_score", "in_order"});
    body_.constant("no_place", tensor_of(onnx::TensorProto::INT64, {1, 3}, Ints{0, 0, 0}));
    body_("places", "Concat", {"places_in_order", "no_place"}, {{"axis", 0}});
    body_.constant("image_and_box", Ints{0, 2});
    body_("box_places", "Gather", {"places_in_order", "image_and_box"}, {{"axis", 1}});
    body_("boxes_in_order", "GatherND", {in_.boxes, "box_places"});
    body_.constant("no_box", tensor_of(onnx::TensorProto::FLOAT, {1, 5}, std::vector<double>(5, 0.0)));
    body_("candidates", "Concat", {"boxes_in_order", "no_box"}, {{"axis", 0}});
  }

  // Makes a list of each number of the candidates, (n), and of those of boxes without area; and
  // `row_blocks`, (blocks, rows), the numbers of candidates that a round computes together.
  void append_columns() {
    const std::vector<const char*> names =
        in_.by_distributions ? std::vector<const char*>{"one_x", "one_y", "other_x", "other_y", "angle"}
                             : std::vector<const char*>{"x", "y", "width", "height", "angle"};
    for (int column = 0; column < 5; ++column)
      body_(names[column], "Gather", {"candidates", body_.scalar(column, "column")}, {{"axis", 1}});
    if (in_.by_distributions) {
      append_distributions();
    } else {
      body_("area", "Mul", {"width", "height"});
    }
    body_("count", "Shape", {"group"});
    body_("number", "Squeeze", {"count"});
    body_("candidate_number", "Range", {"number_zero", "number", "number_one"});
    body_.constant("at_once", Ints{65536});
    body_("fitting_rows", "Div", {"at_once", "count"});
    body_("some_rows", "Max", {"fitting_rows", "second_axis"});
    body_("block_rows", "Min", {"some_rows", "count"});
    body_("rows_and_count", "Add", {"count", "block_rows"});
    body_("reaching", "Sub", {"rows_and_count", "second_axis"});
    body_("blocks", "Div", {"reaching", "block_rows"});
    body_("padded_count", "Mul", {"blocks", "block_rows"});
    body_("padded_number", "Squeeze", {"padded_count"});
    body_("padded_rows", "Range", {"number_zero", "padded_number", "number_one"});
    body_("last_row", "Sub", {"number", "number_one"});
    body_("clamped_rows", "Min", {"padded_rows", "last_row"});
    body_("blocks_shape", "Concat", {"blocks", "block_rows"}, {{"axis", 0}});
    body_("row_blocks", "Reshape", {"clamped_rows", "blocks_shape"});
  }

  // Makes `hides`, (n, n), float: 1 where the candidate of the column overlaps that of the row, of
  // the same image and class, and is better.
  void append_overlaps() {
    body_.constant("always", tensor_of(onnx::TensorProto::BOOL, {}, Ints{1}));
    body_("block_count", "Squeeze", {"blocks"});
    const onnx::GraphProto block = body_.graph(
        "overlaps_of_rows", {{"block", onnx::TensorProto::INT64}, {"goes", onnx::TensorProto::BOOL}},
        {{"goes_on", onnx::TensorProto::BOOL}, {"hides_rows", onnx::TensorProto::FLOAT, {"block_rows", "n"}}},
        [&] { append_rows(); });
    body_("hides_blocks", "Loop", {"block_count", "always"}, {{"body", block}});
    body_("square", "Concat", {"flat_list", "count"}, {{"axis", 0}});
    body_("padded_hides", "Reshape", {"hides_blocks", "square"});
    body_("hides", "Slice", {"padded_hides", "first_axis", "count", "first_axis"});
  }

  // What the candidates of a block are, as columns, beside the lists of all.
  void append_rows() {
    body_("goes_on", "Identity", {"goes"});
    body_("these", "Gather", {"row_blocks", "block"});
    const auto column = [&](const char* name, const std::string& list) {
      body_(std::string("some_") + name, "Gather", {list, "these"});
      body_(std::string("own_") + name, "Unsqueeze", {std::string("some_") + name, "second_axis"});
    };
    const std::vector<const char*> needed =
        in_.by_distributions ? std::vector<const char*>{"x", "y", "spread_x", "spread_y", "mixed", "extent", "group"}
                             : std::vector<const char*>{"x", "y", "width", "height", "angle", "area", "group"};
    for (const char* name : needed) column(name, name);
    body_("own_number", "Unsqueeze", {"these", "second_axis"});
    const std::string overlaps = in_.by_distributions ? overlaps_of_distributions() : overlaps_of_areas();
    body_("is_of_group", "Equal", {"own_group", "group"});
    body_("is_better", "Less", {"candidate_number", "own_number"});
    body_("is_better_of_group", "And", {"is_of_group", "is_better"});
    body_("hides_bool", "And", {overlaps, "is_better_of_group"});
    body_("hides_rows", "Cast", {"hides_bool"}, {{"to", 1}});
  }

  // Gives whether two boxes have more than a share of their union in common, (rows, n).
  std::string overlaps_of_areas() {
    append_turned();
    append_common_area();
    body_("both_areas", "Add", {"own_area", "area"});
    body_("union", "Sub", {"both_areas", "common_area"});
    body_("bound", "Mul", {"union", "overlap_threshold"});
    body_("overlaps", "Greater", {"common_area", "bound"});
    if (!in_.flat_overlaps) return "overlaps";
    body_.constant("least_area", 1e-14);
    body_("smaller_area", "Min", {"own_area", "area"});
    body_("is_flat", "Less", {"smaller_area", "least_area"});
    return body_("overlaps_or_is_flat", "Or", {"overlaps", "is_flat"});
  }

  // Makes, of each candidate, the centre, and of its distribution the variances `spread_x` and
  // `spread_y`, the covariance `mixed` and their determinant, `extent`.
  void append_distributions() {
    for (const std::string axis : {"x", "y"}) {
      body_("low_" + axis, "Min", {"one_" + axis, "other_" + axis});
      body_("high_" + axis, "Max", {"one_" + axis, "other_" + axis});
      body_("size_" + axis, "Sub", {"high_" + axis, "low_" + axis});
      body_("half_size_" + axis, "Mul", {"size_" + axis, "half"});
      body_(axis, "Add", {"low_" + axis, "half_size_" + axis});
      body_("square_" + axis, "Mul", {"size_" + axis, "size_" + axis});
      body_("own_spread_" + axis + "_straight", "Mul", {"square_" + axis, body_.float_scalar(1.0 / 12, "twelfth")});
    }
    body_("cosine", "Cos", {"angle"});
    body_("sine", "Sin", {"angle"});
    body_("square_of_cosine", "Mul", {"cosine", "cosine"});
    body_("square_of_sine", "Mul", {"sine", "sine"});
    const auto turned = [&](const std::string& name, const std::string& axis, const std::string& other) {
      body_(name + "_by_cosine", "Mul", {"own_spread_" + axis + "_straight", "square_of_cosine"});
      body_(name + "_by_sine", "Mul", {"own_spread_" + other + "_straight", "square_of_sine"});
      body_(name, "Add", {name + "_by_cosine", name + "_by_sine"});
    };
    turned("spread_x", "x", "y");
    turned("spread_y", "y", "x");
    body_("straight_difference", "Sub", {"own_spread_y_straight", "own_spread_x_straight"});
    body_("difference_by_cosine", "Mul", {"straight_difference", "cosine"});
    body_("mixed", "Mul", {"difference_by_cosine", "sine"});
    body_("product_of_spreads", "Mul", {"spread_x", "spread_y"});
    body_("square_of_mixed", "Mul", {"mixed", "mixed"});
    body_("signed_extent", "Sub", {"product_of_spreads", "square_of_mixed"});
    body_("extent", "Max", {"signed_extent", "no_area"});
  }

  // Gives whether the overlap of two distributions is above the threshold, (rows, n).
  std::string overlaps_of_distributions() {
    for (const std::string name : {"spread_x", "spread_y", "mixed"})
      body_("joint_" + name, "Add", {"own_" + name, name});
    for (const std::string axis : {"x", "y"}) body_("away_" + axis, "Sub", {"own_" + axis, axis});
    body_("joint_product", "Mul", {"joint_spread_x", "joint_spread_y"});
    body_("square_of_joint", "Mul", {"joint_mixed", "joint_mixed"});
    body_("signed_joint", "Sub", {"joint_product", "square_of_joint"});
    const std::string least = body_.float_scalar(1e-7, "least");
    body_("joint_extent", "Max", {"signed_joint", least});
    body_("square_away_x", "Mul", {"away_x", "away_x"});
    body_("square_away_y", "Mul", {"away_y", "away_y"});
    body_("along_x", "Mul", {"joint_spread_y", "square_away_x"});
    body_("along_y", "Mul", {"joint_spread_x", "square_away_y"});
    body_("straight", "Add", {"along_x", "along_y"});
    body_("away_mixed", "Mul", {"away_x", "away_y"});
    body_("across", "Mul", {"joint_mixed", "away_mixed"});
    body_("all_ways", "Add", {"straight", "across"});
    body_("quarter_ways", "Mul", {"all_ways", body_.float_scalar(0.25, "quarter")});
    body_("both_extents", "Mul", {"own_extent", "extent"});
    body_("four_extents", "Mul", {"both_extents", body_.float_scalar(4, "four")});
    body_("growth", "Div", {"joint_extent", "four_extents"});
    body_("log_growth", "Log", {"growth"});
    body_("half_log", "Mul", {"log_growth", "half"});
    body_("all_terms", "Add", {"quarter_ways", "half_log"});
    body_("signed_distance", "Div", {"all_terms", "joint_extent"});
    body_("not_too_far", "Min", {"signed_distance", body_.float_scalar(100, "farthest")});
    body_("distance", "Max", {"not_too_far", least});
    body_("negative_distance", "Neg", {"distance"});
    body_("likeness", "Exp", {"negative_distance"});
    body_("unlikeness", "Sub", {"whole", "likeness"});
    body_("root", "Sqrt", {"unlikeness"});
    body_("overlap", "Sub", {"whole", "root"});
    return body_("overlaps", "Greater", {"overlap", "overlap_threshold"});
  }

  // Makes the corners of all boxes as the box of the row sees them, which stands straight around
  // the origin, (rows, n, 4): `from_x`, `from_y` and, of the next corner, `to_x`, `to_y`.
  void append_turned() {
    body_("away_x", "Sub", {"x", "own_x"});
    body_("away_y", "Sub", {"y", "own_y"});
    body_("own_cosine", "Cos", {"own_angle"});
    body_("own_sine", "Sin", {"own_angle"});
    body_("x_by_cosine", "Mul", {"away_x", "own_cosine"});
    body_("y_by_sine", "Mul", {"away_y", "own_sine"});
    body_("x_by_sine", "Mul", {"away_x", "own_sine"});
    body_("y_by_cosine", "Mul", {"away_y", "own_cosine"});
    body_("seen_x", "Add", {"x_by_cosine", "y_by_sine"});
    body_("seen_y", "Sub", {"y_by_cosine", "x_by_sine"});
    body_("turn", "Sub", {"angle", "own_angle"});
    body_("cosine", "Cos", {"turn"});
    body_("sine", "Sin", {"turn"});
    body_("half_width", "Mul", {"width", "half"});
    body_("half_height", "Mul", {"height", "half"});
    body_("along_x", "Mul", {"half_width", "cosine"});
    body_("along_y", "Mul", {"half_width", "sine"});
    body_("across_x", "Mul", {"half_height", "sine"});
    body_("across_y", "Mul", {"half_height", "cosine"});
    for (const char* name : {"seen_x", "seen_y", "along_x", "along_y", "across_x", "across_y"})
      body_(std::string(name) + "_", "Unsqueeze", {name, "third_axis"});
    // Around the box: the signs of half the width and half the height.
    const auto signs = [&](const char* name, const std::vector<double>& values) {
      body_.constant(name, tensor_of(onnx::TensorProto::FLOAT, {4}, values));
    };
    signs("from_along", {1, -1, -1, 1});
    signs("from_across", {1, 1, -1, -1});
    signs("to_along", {-1, -1, 1, 1});
    signs("to_across", {1, -1, -1, 1});
    for (const std::string end : {"from", "to"}) {
      body_(end + "_ax", "Mul", {"along_x_", end + "_along"});
      body_(end + "_cx", "Mul", {"across_x_", end + "_across"});
      body_(end + "_ay", "Mul", {"along_y_", end + "_along"});
      body_(end + "_cy", "Mul", {"across_y_", end + "_across"});
      body_(end + "_corner_x", "Sub", {end + "_ax", end + "_cx"});
      body_(end + "_corner_y", "Add", {end + "_ay", end + "_cy"});
      body_(end + "_x", "Add", {"seen_x_", end + "_corner_x"});
      body_(end + "_y", "Add", {"seen_y_", end + "_corner_y"});
    }
  }

  // Makes `common_area`, (rows, n).
  void append_common_area() {
    body_("own_half_width", "Mul", {"own_width", "half"});
    body_("own_half_height", "Mul", {"own_height", "half"});
    body_("right", "Unsqueeze", {"own_half_width", "third_axis"});
    body_("top", "Unsqueeze", {"own_half_height", "third_axis"});
    body_("left", "Neg", {"right"});
    body_("bottom", "Neg", {"top"});
    append_cut("x", "from_x", "to_x", "left", "right");
    // The heights at which each edge, cut to the width, begins and ends.
    body_("rise", "Sub", {"to_y", "from_y"});
    body_("risen", "Mul", {"x_before", "rise"});
    body_("first_y", "Add", {"from_y", "risen"});
    body_("falling", "Mul", {"x_behind", "rise"});
    body_("last_y", "Sub", {"to_y", "falling"});
    append_cut("y", "first_y", "last_y", "bottom", "top");
    // The mean height of the edge, cut to the height: of its shares before, within and behind.
    body_("height_before", "Mul", {"y_before", "y_low"});
    body_("height_behind", "Mul", {"y_behind", "y_high"});
    body_("shares", "Add", {"y_before", "y_behind"});
    body_("share_within", "Sub", {"whole", "shares"});
    body_("ends", "Add", {"y_low", "y_high"});
    body_("middle", "Mul", {"ends", "half"});
    body_("height_within", "Mul", {"share_within", "middle"});
    body_("height_outside", "Add", {"height_before", "height_behind"});
    body_("mean_height", "Add", {"height_outside", "height_within"});
    body_("run", "Sub", {"x_low", "x_high"});
    body_("areas_below", "Mul", {"mean_height", "run"});
    body_("turned_area", "ReduceSum", {"areas_below", "third_axis"}, {{"keepdims", 0}});
    body_("common_area", "Max", {"turned_area", "no_area"});
  }

  // Cuts what goes evenly from `from` to `to` to what is between two bounds. Makes `<c>_low` and
  // `<c>_high`, both ends, cut; `<c>_before` and `<c>_behind`, the shares of the way that are cut
  // off, where nothing is cut off if it does not move.
  void append_cut(const std::string& c, const char* from, const char* to, const char* low, const char* high) {
    const auto cut = [&](const std::string& name, const char* end) {
      body_(name + "_not_less", "Max", {end, low});
      body_(name, "Min", {name + "_not_less", high});
    };
    cut(c + "_low", from);
    cut(c + "_high", to);
    body_(c + "_way", "Sub", {to, from});
    body_(c + "_rests", "Equal", {c + "_way", "no_area"});
    body_(c + "_divisor", "Where", {c + "_rests", "whole", c + "_way"});
    const auto share = [&](const std::string& name, const std::string& end, const std::string& begin) {
      body_(name + "_way", "Sub", {end, begin});
      body_(name + "_ratio", "Div", {name + "_way", c + "_divisor"});
      body_(name, "Clip", {name + "_ratio", "no_area", "whole"});
    };
    share(c + "_before", c + "_low", from);
    share(c + "_behind", to, c + "_high");
  }

  // Makes `remaining`, (n), bool.
  void append_rounds() {
    body_("is_real", "GreaterOrEqual", {"group", "number_zero"});
    body_("first_remaining", "Cast", {"is_real"}, {{"to", 1}});
    const onnx::GraphProto round =
        body_.graph("round",
                    {{"round_number", onnx::TensorProto::INT64},
                     {"keeps_on", onnx::TensorProto::BOOL},
                     {"before", onnx::TensorProto::FLOAT, {"n"}}},
                    {{"changes", onnx::TensorProto::BOOL}, {"after", onnx::TensorProto::FLOAT, {"n"}}}, [&] {
                      body_("hidden_by", "MatMul", {"hides", "before"});
                      body_("is_hidden", "Greater", {"hidden_by", "half"});
                      body_("after", "Where", {"is_hidden", "no_area", "first_remaining"});
                      body_("difference", "Sub", {"after", "before"});
                      body_("size_of_difference", "Abs", {"difference"});
                      body_("largest", "ReduceMax", {"size_of_difference"}, {{"keepdims", 0}});
                      body_("changes", "Greater", {"largest", "half"});
                    });
    body_("remaining_number", "Loop", {"number", "always", "first_remaining"}, {{"body", round}});
    body_("remaining", "Greater", {"remaining_number", "half"});
  }

  Body& body_;
  const RotatedSuppression& in_;
};

inline void append_rotated_selection(Body& body, const RotatedSuppression& in) { RotatedSelection(body, in).append(); }

}  // namespace onnx_lower
