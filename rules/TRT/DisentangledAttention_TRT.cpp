// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// DisentangledAttention_TRT: the three parts of DeBERTa's attention, of which two stand in columns
// by the distance of two positions. Far ones share columns, by the logarithm of the distance.
//
//     result[b, j, k] = (data0[b, j, k] + data1[b, j, c] + data2[b, k, c]) * factor
//     c = span + d where |d| <= m, else span + sign(d) * (m + ceil((m - 1) * share)),
//     kept between 0 and 2 * span - 1, with d = j - k and m = span / 2, rounded down
//     share = log(|d| / m) / log((2 * span - 1) / m)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rules/body.h"

namespace onnx_lower::native_rules::TRT_DisentangledAttention_TRT {
namespace {

constexpr int64_t largest_span = 1 << 16;

// The bucket of a distance that is not negative. The plugin computes in float, and less by one part
// in ten million, so that the quotient that is whole stays below what comes after it.
int64_t bucket_of(int64_t distance, int64_t span) {
  const int64_t middle = span / 2;
  if (distance <= middle) return distance;
  const double share = std::log(static_cast<double>(distance) / static_cast<double>(middle)) /
                       std::log(static_cast<double>(2 * span - 1) / static_cast<double>(middle));
  return middle + static_cast<int64_t>(std::ceil(share * static_cast<double>(middle - 1) * (1 - 1e-7)));
}

// The columns of the distances from -n to n, beyond which they do not change any more.
Ints columns_of_distances(int64_t span) {
  Ints above;
  for (int64_t distance = 0; above.empty() || (above.back() < span && distance <= 32 * span); ++distance)
    above.push_back(bucket_of(distance, span));
  Ints columns;
  for (size_t i = above.size() - 1; i > 0; --i) columns.push_back(std::max<int64_t>(span - above[i], 0));
  for (const int64_t bucket : above) columns.push_back(std::min(span + bucket, 2 * span - 1));
  return columns;
}

// Makes `column`, (S, S): the column of each pair of positions.
void append_columns(Body& body, int64_t span) {
  const Ints columns = columns_of_distances(span);
  const auto farthest = static_cast<int64_t>(columns.size() / 2);
  body.constant("columns", columns);
  body.constant("farthest", farthest);
  body.constant("nearest", -farthest);
  body.constant("zero", 0);
  body.constant("one", 1);
  body("positions", "Range", {"zero", body.dim("data0", 1), "one"});
  body("position_column", "Unsqueeze", {"positions", body.ints({1})});
  body("distance", "Sub", {"position_column", "positions"});
  body("not_too_low", "Max", {"distance", "nearest"});
  body("kept_distance", "Min", {"not_too_low", "farthest"});
  body("place", "Add", {"kept_distance", "farthest"});
  body("column", "Gather", {"columns", "place"});
}

Lowering lower(const CallSite& site) {
  const int64_t span = site.attribute_int("span", 0);
  if (span < 2 || span > largest_span) return Declined{fmt::format("its span is {}", span)};
  const int dtype = site.need_dtype(0);
  if (dtype != onnx::TensorProto::FLOAT && dtype != onnx::TensorProto::FLOAT16)
    return Declined{"its inputs are neither float nor float16"};
  for (const int input : {1, 2}) {
    const auto width = site.dim(input, 2);
    if (width && *width != 2 * span)
      return Declined{fmt::format("data{} has {} columns, and not twice its span, {}", input, *width, span)};
  }
  Body body("TRT", "DisentangledAttention_TRT", {"data0", "data1", "data2"}, {"result"}, 18);
  append_columns(body, span);
  body("shape", "Shape", {"data0"});
  body("columns_by_row", "Expand", {"column", "shape"});
  body("by_row", "GatherElements", {"data1", "columns_by_row"}, {{"axis", 2}});
  body("columns_by_column", "Transpose", {"columns_by_row"}, {{"perm", Ints{0, 2, 1}}});
  body("turned", "GatherElements", {"data2", "columns_by_column"}, {{"axis", 2}});
  body("by_column", "Transpose", {"turned"}, {{"perm", Ints{0, 2, 1}}});
  // In float16 the plugin adds the two that it gathers first.
  if (dtype == onnx::TensorProto::FLOAT) {
    body("two", "Add", {"data0", "by_row"});
    body("three", "Add", {"two", "by_column"});
  } else {
    body("two", "Add", {"by_row", "by_column"});
    body("three", "Add", {"data0", "two"});
  }
  const double factor = site.attribute_float("factor", 0.0F);
  body("result", "Mul", {"three", body.scalar_like(factor, "data0", "factor")});
  return body.function();
}

const NativeRule rule{
    .domain = "TRT",
    .op_type = "DisentangledAttention_TRT",
    .summary = "The three parts of DeBERTa's attention, two of them by distance, in buckets of its logarithm.",
    .source = "TensorRT's disentangledAttentionPlugin (disentangledKernel.cu), as its releases have it since 8.4.3",
    .also = "ai.onnx::DisentangledAttention_TRT",
    .attributes = "factor, plugin_namespace, plugin_version, span",
    .required_attributes = "factor, span",
    .inputs = "data0, data1, data2",
    .needed_inputs = 3,
    .most_inputs = 3,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::TRT_DisentangledAttention_TRT
