// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower {
namespace {

// The axes from `axis` to the last; nothing if that takes a rank which is not known.
std::optional<std::vector<int64_t>> normalized_axes(const CallSite& site, int64_t axis) {
  if (axis >= 0) {
    const std::optional<int> rank = site.rank(0);
    if (!rank) return std::nullopt;
    axis -= *rank;
  }
  std::vector<int64_t> axes;
  for (; axis < 0; ++axis) axes.push_back(axis);
  return axes;
}

Lowering lower(const CallSite& site) {
  const int64_t axis = site.attribute_int("axis", -1);
  const auto axes = normalized_axes(site, axis);
  if (!axes) return Declined{fmt::format("axis is {}, and the rank of X is not known", axis)};
  const int64_t stash_type = site.attribute_int("stash_type", onnx::TensorProto::FLOAT);
  const bool is_stashed = site.dtype(0) == stash_type;

  Body body("", "LayerNormalization", first_names({"X", "Scale", "B"}, site.input_count()),
            first_names({"Y", "Mean", "InvStdDev"}, site.output_count()), 18);
  std::string x = "X";
  if (!is_stashed) {
    body("x", "Cast", {"X"}, {{"to", stash_type}});
    x = "x";
  }
  const bool has_mean = site.has_output(1);
  const bool has_inverse = site.has_output(2);
  const std::string mean = has_mean ? "Mean" : "mean";
  const std::string inverse = has_inverse ? "InvStdDev" : "inverse_deviation";
  const std::string over = body.ints(*axes, "axes");
  body(mean, "ReduceMean", {x, over});
  body("centred", "Sub", {x, mean});
  body("square", "Mul", {"centred", "centred"});
  body("variance", "ReduceMean", {"square", over});
  const std::string epsilon = stash_type == onnx::TensorProto::FLOAT
                                  ? body.float_scalar(site.attribute_float("epsilon", 1e-5f), "epsilon")
                                  : body.scalar_like(site.attribute_float("epsilon", 1e-5f), x, "epsilon");
  body("variance_above_zero", "Add", {"variance", epsilon});
  body("deviation", "Sqrt", {"variance_above_zero"});
  body(inverse, "Reciprocal", {"deviation"});
  body("normal", "Mul", {"centred", inverse});
  std::string normal = "normal";
  if (!is_stashed) {
    body("normal_x", "CastLike", {"normal", "X"});
    normal = "normal_x";
  }
  body(site.has_input(2) ? "scaled" : "Y", "Mul", {normal, "Scale"});
  if (site.has_input(2)) body("Y", "Add", {"scaled", "B"});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "LayerNormalization",
                      .summary = "Layer normalization, with the variance of what is centred.",
                      .source = "ONNX LayerNormalization-17",
                      .attributes = "axis, epsilon, stash_type",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
