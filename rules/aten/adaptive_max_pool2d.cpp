// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "families/adaptive_pool.h"

namespace onnx_lower::native_rules::aten_adaptive_max_pool2d {
namespace {

// The indices, among `from` elements, of those in each of `to` parts, in rows of one length: a
// shorter part names its last element again.
std::vector<int64_t> parts(int64_t from, int64_t to, int64_t& length) {
  length = 0;
  for (int64_t number = 0; number < to; ++number) {
    const auto [begin, end] = adaptive_part(number, from, to);
    length = std::max(length, end - begin);
  }
  std::vector<int64_t> elements;
  elements.reserve(list_size({to, length}));
  for (int64_t number = 0; number < to; ++number) {
    const auto [begin, end] = adaptive_part(number, from, to);
    for (int64_t place = 0; place < length; ++place) elements.push_back(std::min(begin + place, end - 1));
  }
  return elements;
}

// The elements of each part are put side by side, and the greatest one is taken. Its index is
// counted through the whole image.
Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(0);
  if (rank < 2) return Declined{"its input is no image"};
  const auto [height, width, rows, columns] = need_adaptive_grid(site);
  int64_t of_one_row = 0, of_one_column = 0;
  const Ints from_rows = parts(height, rows, of_one_row), from_columns = parts(width, columns, of_one_column);
  const Ints dims = {rows, columns, of_one_row * of_one_column};
  Ints places;
  places.reserve(list_size(dims));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      for (int64_t place = 0; place < dims[2]; ++place) {
        const int64_t y = from_rows[static_cast<size_t>(row * of_one_row + place / of_one_column)];
        const int64_t x = from_columns[static_cast<size_t>(column * of_one_column + place % of_one_column)];
        places.push_back(y * width + x);
      }
    }
  }
  Body body("aten", "adaptive_max_pool2d", {"x", "output_size"}, {"y", "indices"}, 18);
  Ints flat(static_cast<size_t>(rank) - 2, 0);
  flat.push_back(height * width);
  const std::string image = body.reshape("x", flat, "image");
  body.constant("places", tensor_of(onnx::TensorProto::INT64, dims, places));
  body("parts", "Gather", {image, "places"}, {{"axis", rank - 2}});
  body("y", "ReduceMax", {"parts", body.ints({-1}, "last")}, {{"keepdims", 0}});
  body("greatest", "ArgMax", {"parts"}, {{"axis", -1}, {"keepdims", 1}});
  body("shape", "Shape", {"parts"});
  body("all_places", "Expand", {"places", "shape"});
  body("place", "GatherElements", {"all_places", "greatest"}, {{"axis", -1}});
  body("indices", "Squeeze", {"place", body.ints({-1}, "last")});
  return body.function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "adaptive_max_pool2d",
                      .summary = "The greatest elements of a grid of given size over images of known size.",
                      .source = "aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
                      .inputs = "x, output_size",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_adaptive_max_pool2d
