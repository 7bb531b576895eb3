// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Soft non-maximum suppression: in each round the best of the boxes is taken, and the scores of the
// others become less, the more they overlap it. Those whose scores become too low are left out.
#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::mmcv_SoftNonMaxSuppression {
namespace {

constexpr double never = -3e38, any = -1e38;

// Makes `new_scores` of `scores_before`, of which that of the taken box becomes `never`.
void append_new_scores(Body& body, int64_t method) {
  body("low", "Max", {"low_corners", "own_low"});
  body("high", "Min", {"high_corners", "own_high"});
  body("span", "Sub", {"high", "low"});
  body("wide_span", "Add", {"span", "offset"});
  body("extent", "Max", {"wide_span", "zero"});
  body("common", "ReduceProd", {"extent", "second_axis"}, {{"keepdims", 0}});
  body("own_area", "Gather", {"areas", "best"});
  body("both", "Add", {"areas", "own_area"});
  body("union", "Sub", {"both", "common"});
  body("overlap", "Div", {"common", "union"});
  std::string weight;
  if (method == 2) {
    body("square", "Mul", {"overlap", "overlap"});
    body("part", "Div", {"square", "sigma"});
    body("power", "Neg", {"part"});
    weight = body("weight", "Exp", {"power"});
  } else {
    body("is_less", "Less", {"overlap", "threshold"});
    const std::string rest = method == 0 ? "zero" : body("rest", "Sub", {"one", "overlap"});
    weight = body("weight", "Where", {"is_less", "one", rest});
  }
  body("weighted", "Mul", {"scores_before", weight});
  body("is_high", "GreaterOrEqual", {"weighted", "least"});
  body("is_other", "Not", {"is_best"});
  body("is_there", "Greater", {"scores_before", "any"});
  body("goes_on_with", "And", {"is_high", "is_other"});
  body("stays", "And", {"goes_on_with", "is_there"});
  body("new_scores", "Where", {"stays", "weighted", "never"});
}

void append_round(Body& body, int64_t method) {
  body("best", "ArgMax", {"scores_before"}, {{"axis", 0}, {"keepdims", 1}});
  body("is_best", "Equal", {"numbers", "best"});
  body("own_low", "Gather", {"low_corners", "best"});
  body("own_high", "Gather", {"high_corners", "best"});
  body("own_box", "Gather", {"boxes_float", "best"});
  body("own_score", "Gather", {"scores_before", "best"});
  body("flat_box", "Reshape", {"own_box", "flat"});
  body("det", "Concat", {"flat_box", "own_score"}, {{"axis", 0}});
  body("index", "Squeeze", {"best"});
  append_new_scores(body, method);
  body("best_rest", "ReduceMax", {"new_scores"}, {{"keepdims", 0}});
  body("goes_on", "Greater", {"best_rest", "any"});
}

Lowering lower(const CallSite& site) {
  const int64_t method = site.attribute_int("method", 0);
  if (method < 0 || method > 2) return Declined{fmt::format("its method is {}, and not 0, 1 or 2", method)};
  Body body("mmcv", "SoftNonMaxSuppression", {"boxes", "scores"}, first_names({"dets", "inds"}, site.output_count()),
            18);
  body.constant("never", never);
  body.constant("any", any);
  body.constant("zero", 0.0);
  body.constant("one", 1.0);
  body.constant("second_axis", Ints{1});
  body.constant("flat", Ints{-1});
  body.constant("offset", static_cast<double>(site.attribute_int("offset", 0)));
  body.constant("threshold", static_cast<double>(site.attribute_float("iou_threshold", 0.0f)));
  body.constant("sigma", static_cast<double>(site.attribute_float("sigma", 0.5f)));
  body.constant("least", static_cast<double>(site.attribute_float("min_score", 0.0f)));
  body("boxes_float", "Cast", {"boxes"}, {{"to", 1}});
  body("scores_float", "Cast", {"scores"}, {{"to", 1}});
  body.constant("low_columns", Ints{0, 1});
  body.constant("high_columns", Ints{2, 3});
  body("low_corners", "Gather", {"boxes_float", "low_columns"}, {{"axis", 1}});
  body("high_corners", "Gather", {"boxes_float", "high_columns"}, {{"axis", 1}});
  body("spans", "Sub", {"high_corners", "low_corners"});
  body("sides", "Add", {"spans", "offset"});
  body("areas", "ReduceProd", {"sides", "second_axis"}, {{"keepdims", 0}});
  const std::string count = body.dim("scores", 0);
  body("numbers", "Range", {body.scalar(0, "first"), count, body.scalar(1, "step")});
  body.constant("always", tensor_of(onnx::TensorProto::BOOL, {}, Ints{1}));
  const onnx::GraphProto round = body.graph("take_best",
                                            {{"round", onnx::TensorProto::INT64},
                                             {"going", onnx::TensorProto::BOOL},
                                             {"scores_before", onnx::TensorProto::FLOAT, {"n"}}},
                                            {{"goes_on", onnx::TensorProto::BOOL},
                                             {"new_scores", onnx::TensorProto::FLOAT, {"n"}},
                                             {"det", onnx::TensorProto::FLOAT, {"5"}},
                                             {"index", onnx::TensorProto::INT64}},
                                            [&] { append_round(body, method); });
  body.node({"last_scores", "all_dets", "all_inds"}, "Loop", {count, "always", "scores_float"}, {{"body", round}});
  body("dets", "CastLike", {"all_dets", "boxes"});
  if (site.output_count() > 1) body("inds", "Identity", {"all_inds"});
  return body.function();
}

const NativeRule rule{.domain = "mmcv",
                      .op_type = "SoftNonMaxSuppression",
                      .summary = "Soft non-maximum suppression: boxes with their lessened scores, and which they are.",
                      .source = "mmcv's operator of ONNX Runtime of that name (soft_nms.cpp)",
                      .attributes = "iou_threshold, method, min_score, offset, sigma",
                      .required_attributes = "iou_threshold, method, min_score, offset, sigma",
                      .inputs = "boxes, scores",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::mmcv_SoftNonMaxSuppression
