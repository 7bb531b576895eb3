// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <limits>

#include "families/element_types.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::aten_embedding_bag {
namespace {

enum Input { weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, last_offset, padding };
enum Mode { sum, mean, max };

// The rows that the bags take, and for each the number of its bag. Rows of the padding index go to
// a bag behind all others, which is cut off at the end.
void append_rows(const CallSite& site, Body& body, int64_t padding_idx) {
  body("flat", "Reshape", {"indices", body.ints({-1})});
  body("rows", "Gather", {"weight", "flat"});
  if (site.has_input(per_sample_weights)) {
    body("factors", "Reshape", {"per_sample_weights", body.ints({-1, 1})});
    body("taken", "Mul", {"rows", "factors"});
  } else {
    body("taken", "Identity", {"rows"});
  }
  body("starts", "Cast", {site.need_number(last_offset, 0) != 0 ? body.slice("offsets", 0, -1, 0) : "offsets"},
       {{"to", onnx::TensorProto::INT64}});
  body("size", "Shape", {"flat"});
  body("bags", "Shape", {"starts"});
  body("n", "Squeeze", {"size"});
  body("places", "Range", {body.scalar(0), "n", body.scalar(1)});
  // A row is of the last bag that begins at it or before it.
  body("column", "Unsqueeze", {"places", body.ints({1})});
  body("before", "Less", {"column", "starts"});
  body("not_before", "Not", {"before"});
  body("ones", "Cast", {"not_before"}, {{"to", onnx::TensorProto::INT64}});
  body("count", "ReduceSum", {"ones", body.ints({1})}, {{"keepdims", 0}});
  body("bag", "Sub", {"count", body.scalar(1)});
  if (padding_idx < 0) {
    body("into", "Identity", {"bag"});
    body("made_bags", "Identity", {"bags"});
  } else {
    body("wide", "Cast", {"flat"}, {{"to", onnx::TensorProto::INT64}});
    body("is_padding", "Equal", {"wide", body.scalar(padding_idx)});
    body("into", "Where", {"is_padding", "bags", "bag"});
    body("made_bags", "Add", {"bags", body.ints({1})});
  }
}

// `name`: one number for each bag, from one for each row.
void append_counts(Body& body, int64_t padding_idx) {
  body("zeros", "ConstantOfShape", {"made_bags"}, {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{0})}});
  body("each", "ConstantOfShape", {"size"}, {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{1})}});
  body("counts", "ScatterElements", {"zeros", "into", "each"}, {{"axis", 0}, {"reduction", "add"}});
  if (padding_idx >= 0) body("sizes", "Slice", {"counts", body.ints({0}), "bags", body.ints({0})});
}

Lowering lower(const CallSite& site) {
  const int64_t kind = site.need_number(mode, sum);
  const int64_t padding_idx = site.need_number(padding, -1);
  if (kind < sum || kind > max) return Declined{"PyTorch has no such mode of bags"};
  if (padding_idx < -1)
    return Declined{"its padding index counts from the end, which PyTorch passes as a positive one"};
  if (kind == max && site.has_input(per_sample_weights)) return Declined{"PyTorch weights samples in sums only"};
  if (kind == max && site.is_read_by_others(3, {}))
    return Declined{"the number of the greatest row is used, which only the gradient needs"};
  const int element_type = site.need_dtype(weight);
  if (category_of(element_type) != TypeCategory::floating) return Declined{"its rows are no floating-point numbers"};
  Body body("aten", "embedding_bag",
            first_names({"weight", "indices", "offsets", "scale_grad_by_freq", "mode", "sparse", "per_sample_weights",
                         "include_last_offset", "padding_idx"},
                        site.input_count()),
            first_names({"y", "offset2bag", "bag_size", "max_indices"}, site.output_count()), 18);
  append_rows(site, body, padding_idx);
  append_counts(body, padding_idx);
  const std::string sizes = padding_idx >= 0 ? "sizes" : "counts";
  body("width", "Slice", {body.made("shape", "Shape", {"weight"}), body.ints({1}), body.ints({2})});
  body("result_shape", "Concat", {"made_bags", "width"}, {{"axis", 0}});
  body("rows_shape", "Shape", {"rows"});
  body("at", "Expand", {body.unsqueeze("into", {1}), "rows_shape"});
  // The greatest of no rows is 0, too.
  const double least = kind == max ? -std::numeric_limits<double>::infinity() : 0;
  body("start", "Expand", {body.scalar_like(least, "weight"), "result_shape"});
  body("gathered", "ScatterElements", {"start", "at", "taken"},
       {{"axis", 0}, {"reduction", kind == max ? "max" : "add"}});
  std::string bags_of_rows = "gathered";
  if (padding_idx >= 0) bags_of_rows = body.made("kept", "Slice", {"gathered", body.ints({0}), "bags", body.ints({0})});
  const std::string size_column = body.unsqueeze(sizes, {1});
  if (kind == sum) {
    body("y", "Identity", {bags_of_rows});
  } else if (kind == mean) {
    const std::string divisor = body.made("divisor", "Max", {size_column, body.ints({1})});
    body("y", "Div", {bags_of_rows, body.made("divisor", "CastLike", {divisor, "weight"})});
  } else {
    const std::string is_empty = body.made("is_empty", "Equal", {size_column, body.ints({0})});
    body("y", "Where", {is_empty, body.scalar_like(0, "weight"), bags_of_rows});
  }
  if (site.output_count() > 1) body("offset2bag", "Identity", {"bag"});
  if (site.output_count() > 2) body("bag_size", "Identity", {sizes});
  if (site.output_count() > 3) body("max_indices", "Identity", {sizes});
  return std::move(body).function();
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "embedding_bag",
    .summary = "The sums, means or greatest elements of the rows of bags, each of which begins at an offset.",
    .source =
        "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool "
        "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? "
        "per_sample_weights=None, bool include_last_offset=False, int? padding_idx)",
    .also = "aten::_embedding_bag, aten::_embedding_bag_forward_only",
    .inputs =
        "weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, "
        "include_last_offset, padding_idx",
    .needed_inputs = 3,
    .most_inputs = 9,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_embedding_bag
