// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <string>
#include <vector>

#include "families/adaptive_pool.h"

namespace onnx_lower::native_rules::aten_adaptive_avg_pool2d {
namespace {

// The elements of each part along an axis are put beside each other in an axis of their own, and
// averaged there. A matrix product would need fewer nodes, but it multiplies the elements of other
// parts by 0, and an infinity or NaN among these would make the mean NaN.
std::string means(Body& body, const std::string& value, const std::string& name, int64_t axis, int64_t from, int64_t to,
                  bool is_last) {
  if (from == to) return value;
  int64_t most = 0;
  for (int64_t part = 0; part < to; ++part) {
    const auto [begin, end] = adaptive_part(part, from, to);
    most = std::max(most, end - begin);
  }
  std::vector<double> counts;
  Ints places, is_in_part;
  for (int64_t part = 0; part < to; ++part) {
    const auto [begin, end] = adaptive_part(part, from, to);
    counts.push_back(static_cast<double>(end - begin));
    for (int64_t place = begin; place < begin + most; ++place) {
      places.push_back(std::min(place, end - 1));
      is_in_part.push_back(place < end ? 1 : 0);
    }
  }
  body.constant(name + "_places", tensor_of(onnx::TensorProto::INT64, {to, most}, places));
  const std::string parts = body(name + "_parts", "Gather", {value, name + "_places"}, {{"axis", axis}});
  const std::string along = body.ints({axis + 1}, name + "_axis");
  if (std::ranges::count(is_in_part, 0) == 0)
    return body(name + "_means", "ReduceMean", {parts, along}, {{"keepdims", 0}});
  // A shorter part has its last element several times, of which one counts.
  const Ints of_parts = is_last ? Ints{to, most} : Ints{to, most, 1}, of_counts = is_last ? Ints{to} : Ints{to, 1};
  body.constant(name + "_is_in_part", tensor_of(onnx::TensorProto::BOOL, of_parts, is_in_part));
  const std::string zero = body.scalar_like(0, "x", "zero");
  body(name + "_elements", "Where", {name + "_is_in_part", parts, zero});
  body(name + "_sums", "ReduceSum", {name + "_elements", along}, {{"keepdims", 0}});
  body.constant_like(name + "_counts", tensor_of(onnx::TensorProto::DOUBLE, of_counts, counts), "x");
  return body(name + "_means", "Div", {name + "_sums", name + "_counts"});
}

// Rows and columns are averaged one after the other.
Lowering lower(const CallSite& site) {
  const auto [height, width, rows, columns] = need_adaptive_grid(site);
  const int64_t rank = site.need_rank(0);
  Body body("aten", "adaptive_avg_pool2d", {"x", "output_size"}, {"y"}, 18);
  const std::string narrow = means(body, "x", "columns", rank - 1, width, columns, true);
  body("y", "Identity", {means(body, narrow, "rows", rank - 2, height, rows, false)});
  return body.function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "adaptive_avg_pool2d",
                      .summary = "The means of a grid of given size over images of known size.",
                      .source = "aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
                      .inputs = "x, output_size",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_adaptive_avg_pool2d
