// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// FeatureVectorizer: inputs side by side, each of which is as wide as its attribute says.

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_ml_FeatureVectorizer {
namespace {

// How many elements a row of the input has: an input of one dimension is one row, and dimensions
// behind the first one are as one.
std::optional<int64_t> features_of(const CallSite& site, int input, int rank) {
  if (rank == 1) return site.dim(input, 0);
  int64_t features = 1;
  for (int axis = 1; axis < rank; ++axis) {
    const std::optional<int64_t> size = site.dim(input, axis);
    if (!size || features > CallSite::largest_size) return std::nullopt;
    features *= *size;
  }
  return features;
}

// The input's rows, of exactly `width` elements: the kernel drops what is more, and fills with
// zeros what is less.
std::string rows_of(Body& body, const CallSite& site, int input, const std::string& name, int64_t width) {
  const int rank = site.need_rank(input);
  if (rank == 0) decline(fmt::format("input {} is no list", input));
  std::string rows = body.made("numbers", "Cast", {name}, {{"to", onnx::TensorProto::FLOAT}});
  if (rank == 1) rows = body.reshape(rows, {1, -1}, "row");
  if (rank > 2) rows = body.made("rows", "Flatten", {rows}, {{"axis", 1}});
  const std::optional<int64_t> features = features_of(site, input, rank);
  if (features == width) return rows;
  if (!features || *features < width)
    rows = body.made("filled", "Pad", {rows, body.ints({0, 0, 0, features ? width - *features : width}, "pads")});
  if (!features || *features > width) rows = body.slice(rows, 0, width, 1, "features");
  return rows;
}

Lowering lower(const CallSite& site) {
  const Ints widths = site.attribute_ints("inputdimensions", {});
  const auto count = static_cast<std::size_t>(site.input_count());
  if (widths.size() != count)
    return Declined{fmt::format("it has {} inputs, and inputdimensions has {} elements", count, widths.size())};
  std::vector<std::string> inputs;
  for (std::size_t input = 0; input < count; ++input) {
    if (!site.has_input(static_cast<int>(input))) return Declined{fmt::format("input {} is absent", input)};
    if (widths[input] < 0) return Declined{fmt::format("inputdimensions has {}", widths[input])};
    inputs.push_back(fmt::format("X{}", input));
  }
  Body body("ai.onnx.ml", "FeatureVectorizer", inputs, {"Y"}, 18);
  std::vector<std::string> rows;
  for (std::size_t input = 0; input < count; ++input)
    rows.push_back(rows_of(body, site, static_cast<int>(input), inputs[input], widths[input]));
  body("Y", "Concat", rows, {{"axis", 1}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx.ml",
                      .op_type = "FeatureVectorizer",
                      .summary = "All inputs side by side, as float.",
                      .source = "ai.onnx.ml FeatureVectorizer-1, and ONNX Runtime's kernel",
                      .attributes = "inputdimensions",
                      .required_attributes = "inputdimensions",
                      .needed_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_FeatureVectorizer
