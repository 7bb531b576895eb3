// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower {
namespace {

// The dimensions that the indices name become one, and each index one number.
Lowering lower(const CallSite& site) {
  if (site.attribute_int("batch_dims", 0) != 0) return Declined{"batch_dims is not 0"};
  const int64_t rank = site.need_rank(0), depth = site.need_dim(1, -1);
  if (depth < 1 || depth > rank)
    return Declined{fmt::format("its indices have {} numbers and its input {} dimensions", depth, rank)};

  Body body("ai.onnx", "GatherND", {"data", "indices"}, {"output"}, 9);
  body("data_shape", "Shape", {"data"});
  body.constant("zero", 0);
  body.constant("rest", Ints{-1});
  body.constant("below", 1);
  std::string below = "below";
  std::string sum;
  for (int64_t i = depth - 1; i >= 0; --i) {
    const std::string n = fmt::to_string(i);
    body.constant("place" + n, i);
    body("size" + n, "Gather", {"data_shape", "place" + n}, {{"axis", 0}});
    body("given" + n, "Gather", {"indices", "place" + n}, {{"axis", -1}});
    body("is_negative" + n, "Less", {"given" + n, "zero"});
    body("from_end" + n, "Add", {"given" + n, "size" + n});
    body("index" + n, "Where", {"is_negative" + n, "from_end" + n, "given" + n});
    body("part" + n, "Mul", {"index" + n, below});
    body("below" + n, "Mul", {below, "size" + n});
    if (!sum.empty()) body("sum" + n, "Add", {sum, "part" + n});
    sum = (sum.empty() ? "part" : "sum") + n;
    below = "below" + n;
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
}  // namespace onnx_lower
