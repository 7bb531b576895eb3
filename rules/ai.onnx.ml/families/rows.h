// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the linear models and the support vector machines of ai.onnx.ml share: rows of features that
// are float.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower {

// A constant of the shape [rows, numbers / rows], transposed if `transposed` says so.
inline std::string matrix(Body& body, const std::vector<float>& numbers, int64_t rows, bool transposed,
                          std::string_view name) {
  const auto columns = static_cast<int64_t>(numbers.size()) / rows;
  std::vector<double> elements(list_size({rows, columns}));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const auto place = static_cast<std::size_t>(transposed ? column * rows + row : row * columns + column);
      elements[place] = numbers[static_cast<std::size_t>(row * columns + column)];
    }
  }
  const Ints dims = transposed ? Ints{columns, rows} : Ints{rows, columns};
  return body.constant(name, tensor_of(onnx::TensorProto::FLOAT, dims, elements));
}

// A constant of these numbers in a list.
inline std::string vector_of(Body& body, const std::vector<float>& numbers, std::string_view name) {
  const std::vector<double> elements(numbers.begin(), numbers.end());
  return body.constant(name, tensor_of(onnx::TensorProto::FLOAT, {static_cast<int64_t>(numbers.size())}, elements));
}

// How many features each row has, if there are `count` coefficients for `rows` rows of them. The
// kernels go by the width of input 0 where it is known, and read no further.
inline int64_t features_of(const CallSite& site, int64_t count, int64_t rows) {
  const std::optional<int> rank = site.rank(0);
  const std::optional<int64_t> width = rank && *rank > 0 ? site.dim(0, *rank - 1) : std::nullopt;
  if (width && *width > 0 && *width < count / rows) return *width;
  if (count == 0 || count % rows != 0) decline(fmt::format("it has {} coefficients for {} rows of them", count, rows));
  return count / rows;
}

// Input 0, called `name` in the body, as rows of so many features: a list is one row, and all types
// are computed in float.
inline std::string rows_of_features(Body& body, const CallSite& site, std::string_view name, int64_t features) {
  const std::optional<int> rank = site.rank(0);
  if (rank && *rank > 2)
    decline(fmt::format("its input has {} dimensions, which are more than rows and features", *rank));
  if (rank == 2) {
    if (const std::optional<int64_t> width = site.dim(0, 1); width && *width != features)
      decline(fmt::format("its input has {} features, and its coefficients are for {}", *width, features));
  }
  const std::string numbers = body.made("numbers", "Cast", {name}, {{"to", onnx::TensorProto::FLOAT}});
  return rank == 2 ? numbers : body.reshape(numbers, {-1, features}, "rows");
}

}  // namespace onnx_lower
