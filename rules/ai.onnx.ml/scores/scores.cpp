// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "scores.h"

#include <fmt/format.h>

namespace onnx_lower {
namespace {

constexpr double pi = 3.14159265358979323846;

// The quantile of the normal distribution as ONNX Runtime's kernels approximate it, by Winitzki's
// formula for the inverse of erf: with x = 2 s - 1, l = log((1 - x)(1 + x)) and v = 2 / (0.147 pi) + l / 2,
// it is sign(x) sqrt(2) sqrt(sqrt(v v - l / 0.147) - v).
std::string probit(Body& body, const std::string& score) {
  const std::string one = body.float_scalar(1, "one");
  const std::string twice = body.made("twice", "Add", {score, score});
  const std::string x = body.made("x", "Sub", {twice, one});
  const std::string below = body.made("below", "Sub", {one, x});
  const std::string above = body.made("above", "Add", {one, x});
  const std::string product = body.made("product", "Mul", {below, above});
  const std::string log = body.made("log", "Log", {product});
  const std::string half = body.made("half", "Mul", {log, body.float_scalar(0.5, "factor")});
  const std::string v = body.made("v", "Add", {half, body.float_scalar(2 / (pi * 0.147), "summand")});
  const std::string square = body.made("square", "Mul", {v, v});
  const std::string part = body.made("part", "Mul", {log, body.float_scalar(1 / 0.147, "factor")});
  const std::string difference = body.made("difference", "Sub", {square, part});
  const std::string root = body.made("root", "Sqrt", {difference});
  const std::string rest = body.made("rest", "Sub", {root, v});
  const std::string size = body.made("size", "Sqrt", {rest});
  const std::string scaled = body.made("scaled", "Mul", {size, body.float_scalar(1.41421356237309504880, "factor")});
  const std::string is_negative = body.made("is_negative", "Less", {x, body.float_scalar(0, "zero")});
  return body.made("probit", "Where", {is_negative, body.made("opposite", "Neg", {scaled}), scaled});
}

// Softmax over those scores of a row that are not about zero; those are multiplied by exp(-max) and
// divided by the same sum, so that a zero stays one.
std::string softmax_zero(Body& body, const std::string& scores) {
  const std::string max = body.made("max", "ReduceMax", {scores}, {{"axes", Ints{1}}, {"keepdims", 1}});
  const std::string shifted = body.made("shifted", "Sub", {scores, max});
  const std::string exp = body.made("exp", "Exp", {shifted});
  const std::string size = body.made("size", "Abs", {scores});
  const std::string is_some = body.made("is_some", "Greater", {size, body.float_scalar(1e-7, "least")});
  const std::string counted = body.made("counted", "Where", {is_some, exp, body.float_scalar(0, "zero")});
  const std::string sum = body.made("sum", "ReduceSum", {counted, body.ints({1}, "axes")}, {{"keepdims", 1}});
  const std::string factor = body.made("factor", "Exp", {body.made("opposite", "Neg", {max})});
  const std::string little = body.made("little", "Mul", {scores, factor});
  const std::string kept = body.made("kept", "Where", {is_some, exp, little});
  return body.made("softmax_zero", "Div", {kept, sum});
}

}  // namespace

PostTransform post_transform_of(const CallSite& site) {
  const std::string word =
      site.need_choice("post_transform", "NONE", {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"});
  if (word == "SOFTMAX") return PostTransform::softmax;
  if (word == "LOGISTIC") return PostTransform::logistic;
  if (word == "SOFTMAX_ZERO") return PostTransform::softmax_zero;
  return word == "PROBIT" ? PostTransform::probit : PostTransform::none;
}

std::string transformed_scores(Body& body, PostTransform transform, const std::string& scores) {
  switch (transform) {
    case PostTransform::none:
      break;
    case PostTransform::softmax:
      return body.made("softmax", "Softmax", {scores}, {{"axis", 1}});
    case PostTransform::logistic:
      return body.made("logistic", "Sigmoid", {scores});
    case PostTransform::softmax_zero:
      return softmax_zero(body, scores);
    case PostTransform::probit:
      return probit(body, scores);
  }
  return scores;
}

std::string two_columns(Body& body, PostTransform transform, const std::string& score, FirstColumn first) {
  if (transform == PostTransform::probit)
    decline("post_transform is PROBIT, for which nothing defines the second of the two scores");
  if (transform != PostTransform::logistic && first == FirstColumn::complement) {
    const std::string other = body.made("complement", "Sub", {body.float_scalar(1, "one"), score});
    return body.made("columns", "Concat", {other, score}, {{"axis", 1}});
  }
  const std::string other = body.made("opposite", "Neg", {score});
  const std::string both = body.made("columns", "Concat", {other, score}, {{"axis", 1}});
  return transform == PostTransform::logistic ? body.made("logistic", "Sigmoid", {both}) : both;
}

std::string transformed_column(Body& body, PostTransform transform, const std::string& score) {
  return transform == PostTransform::probit ? probit(body, score) : score;
}

onnx::TensorProto ClassLabels::tensor() const {
  if (strings.empty()) return tensor_of(onnx::TensorProto::INT64, {static_cast<int64_t>(integers.size())}, integers);
  onnx::TensorProto result;
  result.set_data_type(onnx::TensorProto::STRING);
  result.add_dims(static_cast<int64_t>(strings.size()));
  for (const std::string& label : strings) result.add_string_data(label);
  return result;
}

ClassLabels class_labels_of(const CallSite& site, std::string_view integers) {
  ClassLabels labels;
  // Labels are numbers like any other: those beyond the sizes of tensors are allowed.
  labels.integers = site.attribute_bounds(integers);
  if (const onnx::AttributeProto* attribute = site.known_attribute("classlabels_strings"))
    labels.strings.assign(attribute->strings().begin(), attribute->strings().end());
  if (labels.count() == 0) decline(fmt::format("it has neither {} nor classlabels_strings", integers));
  return labels;
}

void labels_at(Body& body, std::string_view output, const ClassLabels& labels, const std::string& places) {
  const bool are_places = labels.strings.empty() && labels.integers == numbers_below(std::ssize(labels.integers));
  if (are_places) {
    body(output, "Identity", {places});
  } else {
    body(output, "Gather", {body.constant(body.fresh("labels"), labels.tensor()), places}, {{"axis", 0}});
  }
}

}  // namespace onnx_lower
