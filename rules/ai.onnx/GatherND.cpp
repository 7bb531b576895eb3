// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// output[i] = data[indices[i]], where an index names the first dimensions behind those of the
// batch.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_GatherND {
namespace {

bool has_no_elements(const CallSite& site, int64_t first, int64_t rank) {
  for (int64_t axis = first; axis < rank; ++axis)
    if (site.dim(0, static_cast<int>(axis)) == 0) return true;
  return false;
}

// Makes the result where the rows have no elements: only its shape is left.
Lowering nothing(int64_t depth, int64_t rank) {
  Body body("ai.onnx", "GatherND", {"data", "indices"}, {"output"}, 15);
  const std::string outer = body.slice(body("index_shape", "Shape", {"indices"}), 0, -1, 0, "outer");
  const std::string inner = body.slice(body("data_shape", "Shape", {"data"}), depth, rank, 0, "inner");
  body("shape", "Concat", {outer, inner}, {{"axis", 0}});
  body("zeros", "ConstantOfShape", {"shape"});
  body("output", "CastLike", {"zeros", "data"});
  return body.function();
}

// The dimensions of the batch and those that an index names become one dimension of rows, and each
// index becomes the number of a row, which counts on from the first row of its batch.
class RowsByNumber {
 public:
  // The batch and an index together are `depth` dimensions of the `rank`.
  RowsByNumber(int64_t batch_dims, int64_t depth, int64_t rank)
      : batch_dims_(batch_dims),
        depth_(depth),
        rank_(rank),
        body_("ai.onnx", "GatherND", {"data", "indices"}, {"output"}, 9) {}

  // Where there is a batch, the indices have `index_rank` dimensions.
  Lowering lowering(int64_t index_rank) {
    body_("data_shape", "Shape", {"data"});
    body_.constant("zero", 0);
    body_.constant("rest", Ints{-1});
    std::string row = row_in_batch();
    if (batch_dims_ > 0) row = body_("row", "Add", {row, first_row_of_batch(index_rank)});
    if (depth_ == 1 && rank_ > 1) {
      // The first dimension is that of the rows already.
      body_("output", "Gather", {"data", row}, {{"axis", 0}});
      return body_.function();
    }
    std::string shape = "rest";
    if (depth_ < rank_) {
      body_("others", "Slice", {"data_shape"}, {{"starts", Ints{depth_}}, {"ends", Ints{rank_}}, {"axes", Ints{0}}});
      shape = body_("rows_shape", "Concat", {"rest", "others"}, {{"axis", 0}});
    }
    body_("rows", "Reshape", {"data", shape});
    body_("output", "Gather", {"rows", row}, {{"axis", 0}});
    return body_.function();
  }

 private:
  // Gives the number of each index's row, of the shape of the indices without their last dimension:
  // the sum of its numbers times `below_`, the product of the dimensions behind.
  std::string row_in_batch() {
    below_ = body_.constant("below", 1);
    std::string sum;
    for (int64_t i = depth_ - 1; i >= batch_dims_; --i) {
      const std::string n = fmt::to_string(i);
      body_.constant("place" + n, i);
      body_("size" + n, "Gather", {"data_shape", "place" + n}, {{"axis", 0}});
      body_.constant("column" + n, i - batch_dims_);
      body_("given" + n, "Gather", {"indices", "column" + n}, {{"axis", -1}});
      body_("is_negative" + n, "Less", {"given" + n, "zero"});
      body_("from_end" + n, "Add", {"given" + n, "size" + n});
      body_("index" + n, "Where", {"is_negative" + n, "from_end" + n, "given" + n});
      const std::string part = body_("part" + n, "Mul", {"index" + n, below_});
      below_ = body_("below" + n, "Mul", {below_, "size" + n});
      sum = sum.empty() ? part : body_("sum" + n, "Add", {sum, part});
    }
    return sum;
  }

  // Gives the number of each batch's first row, in a shape that broadcasts to that of the rows'
  // numbers. The batches are counted in the shape that the dimensions before the last one of the
  // indices begin with.
  std::string first_row_of_batch(int64_t index_rank) {
    body_.constant("leading", numbers_below(batch_dims_));
    body_("batch_shape", "Gather", {"data_shape", "leading"}, {{"axis", 0}});
    body_("ones", "ConstantOfShape", {"batch_shape"}, {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{1})}});
    body_("ones_list", "Reshape", {"ones", "rest"});
    body_("numbers", "NonZero", {"ones_list"});
    body_("batch_list", "Squeeze", {"numbers"}, {{"axes", Ints{0}}});
    body_("first_rows", "Mul", {"batch_list", below_});
    body_("first_row", "Reshape", {"first_rows", "batch_shape"});
    Ints others;
    for (int64_t i = batch_dims_; i < index_rank - 1; ++i) others.push_back(i);
    if (others.empty()) return "first_row";
    return body_("first_row_of_batch", "Unsqueeze", {"first_row"}, {{"axes", others}});
  }

  const int64_t batch_dims_, depth_, rank_;
  Body body_;
  std::string below_;  // how many rows lie below one step of the dimension before
};

Lowering lower(const CallSite& site) {
  const int64_t batch_dims = site.attribute_int("batch_dims", 0);
  const int64_t rank = site.need_rank(0), index_size = site.need_dim(1, -1), depth = batch_dims + index_size;
  if (batch_dims < 0 || index_size < 1 || depth > rank)
    return Declined{fmt::format("its indices have {} numbers and its input {} dimensions", index_size, rank)};
  const int64_t index_rank = batch_dims > 0 ? site.need_rank(1) : 0;
  if (batch_dims > 0 && index_rank <= batch_dims) return Declined{"its indices have no dimension behind the batch's"};
  if (depth < rank && has_no_elements(site, depth, rank)) return nothing(depth, rank);
  return RowsByNumber(batch_dims, depth, rank).lowering(index_rank);
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
