// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Non-maximum suppression of each class but the background, and the best of all classes of an
// image.
//
// The boxes of an image stand together, and `batch_splits` says how many each has. All boxes are
// led through one NonMaxSuppression, in which the images are classes of their own: N boxes, I
// images and C classes make I * C of them, and the scores of other images are too low.
#include <fmt/format.h>

#include <algorithm>

#include "rules/body.h"

namespace onnx_lower::native_rules::_caffe2_BoxWithNMSLimit {
namespace {

constexpr double never = -3e38, any = -1e38;

class BoxWithNMSLimit {
 public:
  explicit BoxWithNMSLimit(const CallSite& site)
      : site_(site),
        body_("_caffe2", "BoxWithNMSLimit", first_names({"scores", "boxes", "batch_splits"}, site.input_count()),
              first_names({"found_scores", "found_boxes", "found_classes", "found_splits", "keeps", "keeps_size"},
                          site.output_count()),
              18),
        limit_(site.attribute_int("detections_per_im", 100)),
        plus_one_(site.attribute_int("legacy_plus_one", 1) != 0),
        agnostic_(site.attribute_int("cls_agnostic_bbox_reg", 0) != 0),
        background_is_first_(site.attribute_int("input_boxes_include_bg_cls", 1) != 0) {
    if (site.attribute_int("rotated", 0) != 0) decline("its boxes are rotated");
    if (site.attribute_int("soft_nms_enabled", 0) != 0) decline("its suppression is a soft one");
    if (site.need_rank(0) != 2 || site.need_rank(1) != 2) decline("its inputs are no tables");
  }

  Lowering lowering() {
    append_images();
    append_scores();
    append_boxes();
    append_selection();
    append_outputs();
    return body_.function();
  }

 private:
  // Makes `image`, (N), the number of each box's image, and `images`, their numbers, (I, 1).
  void append_images() {
    body_.constant("zero", 0);
    body_.constant("one", 1);
    body_.constant("first_axis", Ints{0});
    body_.constant("second_axis", Ints{1});
    body_("box_count", "Shape", {"scores"});
    body_("boxes_number", "Gather", {"box_count", "zero"}, {{"axis", 0}});
    body_("box_numbers", "Range", {"zero", "boxes_number", "one"});
    std::string splits = "batch_splits";
    if (!site_.has_input(2)) splits = body_.unsqueeze("boxes_number", {0}, "all_boxes");
    body_("counts", "Cast", {splits}, {{"to", 7}});
    body_("ends", "CumSum", {"counts", "zero"});
    body_("image_count", "Shape", {"counts"});
    body_("image_number", "Squeeze", {"image_count"});
    body_("image_line", "Range", {"zero", "image_number", "one"});
    body_("end_column", "Unsqueeze", {"ends", "second_axis"});
    body_("is_behind", "Less", {"box_numbers", "end_column"});
    body_("is_not_behind", "Not", {"is_behind"});
    body_("images_before", "Cast", {"is_not_behind"}, {{"to", 7}});
    body_("image", "ReduceSum", {"images_before", "first_axis"}, {{"keepdims", 0}});
    body_("images", "Unsqueeze", {"image_line", "second_axis"});
  }

  // Makes `candidate_scores`, (I, C, N), of which those of other images, those below the threshold
  // and those of the background are `never`.
  void append_scores() {
    body_.constant("never", never);
    body_.constant("threshold", static_cast<double>(site_.attribute_float("score_thresh", 0.05f)));
    body_("by_class", "Transpose", {"scores"}, {{"perm", Ints{1, 0}}});
    body_("classes_number", "Gather", {"box_count", "one"}, {{"axis", 0}});
    body_("class_line", "Range", {"zero", "classes_number", "one"});
    body_("class_column", "Unsqueeze", {"class_line", "second_axis"});
    if (background_is_first_) {
      body_("is_foreground", "Greater", {"class_column", "zero"});
    } else {
      body_("last_class", "Sub", {"classes_number", "one"});
      body_("is_foreground", "Less", {"class_column", "last_class"});
    }
    body_("is_high", "Greater", {"by_class", "threshold"});
    body_("is_candidate", "And", {"is_high", "is_foreground"});
    body_("of_image", "Equal", {"images", "image"});
    body_("of_image_table", "Unsqueeze", {"of_image", "second_axis"});
    body_("is_candidate_of_image", "And", {"of_image_table", "is_candidate"});
    body_("candidate_scores", "Where", {"is_candidate_of_image", "by_class", "never"});
  }

  // Makes `class_boxes`, (C, N, 4).
  void append_boxes() {
    const int64_t classes = site_.need_dim(0, 1), columns = site_.need_dim(1, 1);
    const int64_t own = agnostic_ ? 1 : classes - (background_is_first_ ? 0 : 1);
    if (columns != 4 * own) decline(fmt::format("its boxes have {} columns, and not {}", columns, 4 * own));
    body_.constant("apart_shape", Ints{0, own, 4});
    body_("apart", "Reshape", {"boxes", "apart_shape"});
    body_("own_boxes", "Transpose", {"apart"}, {{"perm", Ints{1, 0, 2}}});
    Ints which(list_size({classes}));
    for (int64_t number = 0; number < classes; ++number) which[static_cast<size_t>(number)] = std::min(number, own - 1);
    body_.constant("which", which);
    body_("class_boxes", "Gather", {"own_boxes", "which"}, {{"axis", 0}});
  }

  // Makes `selected`, (any number, 3): image, class and box, at most so many of an image.
  void append_selection() {
    std::string boxes = "class_boxes";
    if (plus_one_) {
      body_.constant("corner_shift", tensor_of(onnx::TensorProto::FLOAT, {4}, std::vector<double>{0, 0, 1, 1}));
      boxes = body_("shifted_boxes", "Add", {boxes, "corner_shift"});
    }
    // One class of the operator for each image, and one image of it for each class.
    body_("scores_of_class", "Transpose", {"candidate_scores"}, {{"perm", Ints{1, 0, 2}}});
    body_.constant("most", Ints{limit_ > 0 ? limit_ : int64_t{1} << 30});
    body_.constant("overlap", one_float(site_.attribute_float("nms", 0.3f)));
    body_.constant("any", one_float(any));
    body_("found", "NonMaxSuppression", {boxes, "scores_of_class", "most", "overlap", "any"});
    body_("swapped", "Gather", {"found", body_.ints({1, 0, 2}, "order")}, {{"axis", 1}});
    body_("swapped_scores", "GatherND", {"candidate_scores", "swapped"});
    body_("all_shape", "Shape", {"candidate_scores"});
    body_("nothing", "ConstantOfShape", {"all_shape"}, {{"value", one_float(never)}});
    body_("survivors", "ScatterND", {"nothing", "swapped", "swapped_scores"});
    std::string remaining = "survivors";
    if (limit_ > 0) {
      body_("flat", "Flatten", {"survivors"}, {{"axis", 1}});
      body_("flat_shape", "Shape", {"flat"});
      const std::string size = body_.slice("flat_shape", 1, 2, 0, "size");
      body_("number", "Min", {"most", size});
      body_.node({"best", "best_places"}, "TopK", {"flat", "number"}, {{"axis", 1}});
      body_("no_flat", "ConstantOfShape", {"flat_shape"}, {{"value", one_float(never)}});
      body_("flat_best", "ScatterElements", {"no_flat", "best_places", "best"}, {{"axis", 1}});
      remaining = body_("best_survivors", "Reshape", {"flat_best", "all_shape"});
    }
    append_order(remaining);
  }

  // Orders what remains by images, then classes, then scores from the best on.
  void append_order(const std::string& remaining) {
    body_.node({"ordered", "box_of_place"}, "TopK", {remaining, body_.unsqueeze("boxes_number", {0}, "all")},
               {{"axis", 2}});
    body_.constant("lowest", any);
    body_("is_found", "Greater", {"ordered", "lowest"});
    body_("place_columns", "NonZero", {"is_found"});
    body_("places", "Transpose", {"place_columns"}, {{"perm", Ints{1, 0}}});
    body_("score_list", "GatherND", {"ordered", "places"});
    body_("box_list", "GatherND", {"box_of_place", "places"});
    body_("class_list", "Gather", {"places", "one"}, {{"axis", 1}});
  }

  void append_outputs() {
    body_("found_scores", "Identity", {"score_list"});
    body_("class_list_column", "Unsqueeze", {"class_list", "second_axis"});
    body_("box_list_column", "Unsqueeze", {"box_list", "second_axis"});
    body_("box_places", "Concat", {"class_list_column", "box_list_column"}, {{"axis", 1}});
    if (site_.output_count() > 1) body_("found_boxes", "GatherND", {"class_boxes", "box_places"});
    if (site_.output_count() > 2) {
      const bool with_background = site_.attribute_int("output_classes_include_bg_cls", 1) != 0;
      const int64_t shift = (background_is_first_ ? 0 : 1) - (with_background ? 0 : 1);
      body_("class_numbers", "Add", {"class_list", body_.scalar(shift, "shift")});
      body_("found_classes", "Cast", {"class_numbers"}, {{"to", 1}});
    }
    if (site_.output_count() > 3) {
      body_("found_numbers", "Cast", {"is_found"}, {{"to", 1}});
      body_("found_splits", "ReduceSum", {"found_numbers", body_.ints({1, 2}, "axes")}, {{"keepdims", 0}});
    }
    if (site_.output_count() > 4) append_keeps();
  }

  // Makes `keeps`, the numbers of the boxes in their images, and `keeps_size`, (I, C), how many
  // each class has, the background first.
  void append_keeps() {
    body_("starts", "Sub", {"ends", "counts"});
    body_("image_list", "Gather", {"places", "zero"}, {{"axis", 1}});
    body_("start_list", "Gather", {"starts", "image_list"});
    body_("numbers_in_images", "Sub", {"box_list", "start_list"});
    body_("keeps", "Cast", {"numbers_in_images"}, {{"to", 6}});
    if (site_.output_count() < 6) return;
    body_("found_integers", "Cast", {"is_found"}, {{"to", 6}});
    body_("sizes", "ReduceSum", {"found_integers", body_.ints({2}, "boxes_axis")}, {{"keepdims", 0}});
    Ints order = numbers_below(site_.need_dim(0, 1));
    if (!background_is_first_) std::rotate(order.begin(), order.end() - 1, order.end());
    body_("keeps_size", "Gather", {"sizes", body_.ints(order, "order")}, {{"axis", 1}});
  }

  const CallSite& site_;
  Body body_;
  const int64_t limit_;
  const bool plus_one_, agnostic_;
  // The scores' first column is the background's, and boxes of it are given; else the last one is,
  // and they are not.
  const bool background_is_first_;
};

Lowering lower(const CallSite& site) { return BoxWithNMSLimit(site).lowering(); }

const NativeRule rule{
    .domain = "_caffe2",
    .op_type = "BoxWithNMSLimit",
    .summary = "Non-maximum suppression per class without the background, and the best detections of each image.",
    .source = "Caffe2's BoxWithNMSLimit (box_with_nms_limit_op.cc), as detectron2 exports it",
    .also = "ai.onnx::BoxWithNMSLimit, org.pytorch._caffe2::BoxWithNMSLimit",
    .attributes =
        "cls_agnostic_bbox_reg, detections_per_im, input_boxes_include_bg_cls, legacy_plus_one, nms, "
        "output_classes_include_bg_cls, rotated, score_thresh, soft_nms_enabled, soft_nms_method, "
        "soft_nms_min_score_thres, soft_nms_sigma",
    .inputs = "scores, boxes, batch_splits",
    .needed_inputs = 2,
    .most_inputs = 3,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::_caffe2_BoxWithNMSLimit
