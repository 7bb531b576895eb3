// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_GatherND {
namespace {

bool has_no_elements(const CallSite& site, int64_t first, int64_t rank) {
  for (int64_t axis = first; axis < rank; ++axis)
    if (site.dim(0, static_cast<int>(axis)) == 0) return true;
  return false;
}

// Of rows without elements only the shape is left.
Lowering nothing(const CallSite& site, int64_t depth, int64_t rank) {
  Body body("ai.onnx", "GatherND", {"data", "indices"}, {"output"}, 15);
  const std::string outer = body.slice(body("index_shape", "Shape", {"indices"}), 0, -1, 0, "outer");
  const std::string inner = body.slice(body("data_shape", "Shape", {"data"}), depth, rank, 0, "inner");
  body("shape", "Concat", {outer, inner}, {{"axis", 0}});
  body("zeros", "ConstantOfShape", {"shape"});
  body("output", "CastLike", {"zeros", "data"});
  return body.function();
}

// The dimensions of the batch and those that the indices name become one, and each index one
// number: within a batch it counts from the batch's first row.
Lowering lower(const CallSite& site) {
  const int64_t batch_dims = site.attribute_int("batch_dims", 0);
  const int64_t rank = site.need_rank(0), index_size = site.need_dim(1, -1), depth = batch_dims + index_size;
  if (batch_dims < 0 || index_size < 1 || depth > rank)
    return Declined{fmt::format("its indices have {} numbers and its input {} dimensions", index_size, rank)};

  Body body("ai.onnx", "GatherND", {"data", "indices"}, {"output"}, 9);
  body("data_shape", "Shape", {"data"});
  body.constant("zero", 0);
  body.constant("rest", Ints{-1});
  body.constant("below", 1);
  std::string below = "below";
  std::string sum;
  for (int64_t i = depth - 1; i >= batch_dims; --i) {
    const std::string n = fmt::to_string(i);
    body.constant("place" + n, i);
    body("size" + n, "Gather", {"data_shape", "place" + n}, {{"axis", 0}});
    body.constant("column" + n, i - batch_dims);
    body("given" + n, "Gather", {"indices", "column" + n}, {{"axis", -1}});
    body("is_negative" + n, "Less", {"given" + n, "zero"});
    body("from_end" + n, "Add", {"given" + n, "size" + n});
    body("index" + n, "Where", {"is_negative" + n, "from_end" + n, "given" + n});
    body("part" + n, "Mul", {"index" + n, below});
    body("below" + n, "Mul", {below, "size" + n});
    if (!sum.empty()) body("sum" + n, "Add", {sum, "part" + n});
    sum = (sum.empty() ? "part" : "sum") + n;
    below = "below" + n;
  }
  if (batch_dims > 0) {
    // The batches are counted in the shape that the dimensions before the last one of the indices
    // begin with.
    const int64_t index_rank = site.need_rank(1);
    if (index_rank <= batch_dims) return Declined{"its indices have no dimension behind the batch's"};
    body.constant("leading", numbers_below(batch_dims));
    body("batch_shape", "Gather", {"data_shape", "leading"}, {{"axis", 0}});
    body("ones", "ConstantOfShape", {"batch_shape"}, {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{1})}});
    body("ones_list", "Reshape", {"ones", "rest"});
    body("numbers", "NonZero", {"ones_list"});
    body("batch_list", "Squeeze", {"numbers"}, {{"axes", Ints{0}}});
    body("first_rows", "Mul", {"batch_list", below});
    body("first_row", "Reshape", {"first_rows", "batch_shape"});
    Ints others;
    for (int64_t i = batch_dims; i < index_rank - 1; ++i) others.push_back(i);
    std::string first_row = "first_row";
    if (!others.empty()) first_row = body("first_row_of_batch", "Unsqueeze", {"first_row"}, {{"axes", others}});
    sum = body("row", "Add", {sum, first_row});
  }
  if (depth < rank && has_no_elements(site, depth, rank)) return nothing(site, depth, rank);
  if (depth == 1 && rank > 1) {
    // The rows are there already.
    body("output", "Gather", {"data", sum}, {{"axis", 0}});
    return body.function();
  }
  std::string shape = "rest";
  if (depth < rank) {
    body("others", "Slice", {"data_shape"}, {{"starts", Ints{depth}}, {"ends", Ints{rank}}, {"axes", Ints{0}}});
    body("rows_shape", "Concat", {"rest", "others"}, {{"axis", 0}});
    shape = "rows_shape";
  }
  body("rows", "Reshape", {"data", shape});
  body("output", "Gather", {"rows", sum}, {{"axis", 0}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "GatherND",
                      .summary = "Parts by index in the first dimensions, which are made one.",
                      .source = "ONNX GatherND-11",
                      .attributes = "batch_dims",
                      .inputs = "data, indices",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_GatherND
