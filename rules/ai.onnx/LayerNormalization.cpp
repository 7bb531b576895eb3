// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_LayerNormalization {
namespace {

// The axes from `axis` to the last; nothing if that takes a rank which is not known.
std::optional<std::vector<int64_t>> normalized_axes(const CallSite& site, int64_t axis) {
  if (axis >= 0) {
    const std::optional<int> rank = site.rank(0);
    if (!rank) return std::nullopt;
    axis -= *rank;
  }
  Ints axes = numbers_below(std::max<int64_t>(-axis, 0));
  for (int64_t& one : axes) one += axis;
  return axes;
}

Lowering lower(const CallSite& site) {
  const int64_t axis = site.attribute_int("axis", -1);
  const auto axes = normalized_axes(site, axis);
  if (!axes) return Declined{fmt::format("axis is {}, and the rank of X is not known", axis)};
  int64_t stash_type = site.attribute_int("stash_type", onnx::TensorProto::FLOAT);
  // The node says the least precision. Runtimes compute in float all the same, where squares do not
  // overflow as in float16, and doubles in double; statistics that are outputs have the type that
  // it says.
  if (site.output_count() == 1) {
    const bool is_narrow = stash_type == onnx::TensorProto::FLOAT16 || stash_type == onnx::TensorProto::BFLOAT16;
    if (site.dtype(0) == onnx::TensorProto::DOUBLE) {
      stash_type = onnx::TensorProto::DOUBLE;
    } else if (is_narrow) {
      stash_type = onnx::TensorProto::FLOAT;
    }
  }
  const bool is_stashed = site.dtype(0) == stash_type;

  Body body("", "LayerNormalization", first_names({"X", "Scale", "B"}, site.input_count()),
            first_names({"Y", "Mean", "InvStdDev"}, site.output_count()), 18);
  std::string x = "X";
  if (!is_stashed) {
    body("x", "Cast", {"X"}, {{"to", stash_type}});
    x = "x";
  }
  // What runtimes recognize and compute in one pass: the square as a power, the division by the
  // deviation, a scale and a bias.
  const bool has_inverse = site.has_output(2);
  const std::string mean = site.has_output(1) ? "Mean" : "mean";
  // Of no elements, ONNX Runtime reduces axes from the front alone.
  Ints reduced = *axes;
  if (const std::optional<int> rank = site.rank(0); rank && site.output_count() > 1) {
    for (int64_t& one : reduced) one += one < 0 ? *rank : 0;
  }
  const std::string over = body.ints(reduced, "axes");
  const auto number = [&](double value, std::string_view name) {
    return stash_type == onnx::TensorProto::FLOAT ? body.float_scalar(value, name) : body.scalar_like(value, x, name);
  };
  body(mean, "ReduceMean", {x, over});
  body("centred", "Sub", {x, mean});
  // Not where a scale of fewer axes would be taken for one of all of them.
  const auto count = static_cast<int>(axes->size());
  const bool is_recognized = site.output_count() == 1 && site.rank(1).value_or(count) == count;
  if (!is_recognized) {
    body("square", "Mul", {"centred", "centred"});
  } else {
    body("square", "Pow", {"centred", number(2, "exponent")});
  }
  body("variance", "ReduceMean", {"square", over});
  body("variance_above_zero", "Add", {"variance", number(site.attribute_float("epsilon", 1e-5f), "epsilon")});
  body("deviation", "Sqrt", {"variance_above_zero"});
  body("normal", "Div", {"centred", "deviation"});
  if (has_inverse) body("InvStdDev", "Reciprocal", {"deviation"});
  std::string normal = "normal";
  if (!is_stashed) {
    body("normal_x", "CastLike", {"normal", "X"});
    normal = "normal_x";
  }
  std::string bias = site.has_input(2) ? "B" : "";
  if (bias.empty() && site.constant(1) != nullptr && site.rank(1) == 1 && site.dim(1, 0)) {
    // Without a bias it would not be recognized.
    body("zeros", "ConstantOfShape", {body.ints({*site.dim(1, 0)}, "width")}, {{"value", one_float(0.0)}});
    body("bias", "CastLike", {"zeros", "Scale"});
    bias = "bias";
  }
  body(bias.empty() ? "Y" : "scaled", "Mul", {normal, "Scale"});
  if (!bias.empty()) body("Y", "Add", {"scaled", bias});
  return body.function();
}

// Until 1.17, ONNX Runtime looks at the bias of a node that several others read, whether it has one
// or not.
Lowering lower_with_bias(const CallSite& site) {
  if (site.has_input(2)) return Declined{"it has a bias", {}, true};
  const Values outputs = first_names({"Y", "Mean", "InvStdDev"}, site.output_count());
  Body body("", "LayerNormalization", first_names({"X", "Scale", "B"}, site.input_count()), outputs, 17);
  body("shape", "Shape", {"Scale"});
  body("zeros", "ConstantOfShape", {"shape"}, {{"value", one_float(0.0)}});
  std::string bias = "zeros";
  if (site.dtype(1) != onnx::TensorProto::FLOAT) {
    body("bias", "CastLike", {"zeros", "Scale"});
    bias = "bias";
  }
  body.node(outputs, "LayerNormalization", {"X", "Scale", bias});
  body.copy_attributes(site, {"axis", "epsilon", "stash_type"}, "LayerNormalization");
  return body.function();
}

constexpr NativeRule rule_for(std::string_view summary, RuleTurn turn, bool makes_it_anew,
                              Lowering (*lower_it)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = "LayerNormalization",
          .summary = summary,
          .source = "ONNX LayerNormalization-17",
          .attributes = "axis, epsilon, stash_type",
          .turn = turn,
          .makes_it_anew = makes_it_anew,
          .lower = lower_it};
}

const NativeRule rules[] = {
    rule_for("With zeros for a bias, for a runtime that wants one.", RuleTurn::first, true, lower_with_bias),
    rule_for("Layer normalization, with the variance of what is centred.", RuleTurn::usual, false, lower)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_LayerNormalization
