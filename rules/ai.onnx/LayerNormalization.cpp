// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Y = (X - mean(X)) / sqrt(mean((X - mean(X))^2) + epsilon) * Scale + B, with the means over the
// axes from `axis` to the last.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_LayerNormalization {
namespace {

// The axes from `axis` to the last; nothing where they depend on a rank that is not known.
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

// The type in which mean and variance are computed. stash_type says the least precision: runtimes
// compute float16 in float all the same, so that squares do not overflow, and double in double.
// Statistics that are outputs have the type that stash_type says.
int64_t type_of_statistics(const CallSite& site) {
  const int64_t stash_type = site.attribute_int("stash_type", onnx::TensorProto::FLOAT);
  if (site.output_count() != 1) return stash_type;
  if (site.dtype(0) == onnx::TensorProto::DOUBLE) return onnx::TensorProto::DOUBLE;
  const bool is_narrow = stash_type == onnx::TensorProto::FLOAT16 || stash_type == onnx::TensorProto::BFLOAT16;
  return is_narrow ? int64_t{onnx::TensorProto::FLOAT} : stash_type;
}

// Makes what runtimes recognize and compute in one pass: the square as a power, the division by the
// deviation, a scale and a bias.
class Normalization {
 public:
  Normalization(const CallSite& site, Ints axes)
      : site_(site),
        axes_(std::move(axes)),
        stash_type_(type_of_statistics(site)),
        is_stashed_(site.dtype(0) == stash_type_),
        body_("", "LayerNormalization", first_names({"X", "Scale", "B"}, site.input_count()),
              first_names({"Y", "Mean", "InvStdDev"}, site.output_count()), 18) {}

  Lowering lowering() {
    x_ = is_stashed_ ? "X" : body_("x", "Cast", {"X"}, {{"to", stash_type_}});
    append_normal();
    const std::string normal = is_stashed_ ? "normal" : body_("normal_x", "CastLike", {"normal", "X"});
    const std::string bias = bias_or_zeros();
    body_(bias.empty() ? "Y" : "scaled", "Mul", {normal, "Scale"});
    if (!bias.empty()) body_("Y", "Add", {"scaled", bias});
    return body_.function();
  }

 private:
  std::string number(double value, std::string_view name) {
    return stash_type_ == onnx::TensorProto::FLOAT ? body_.float_scalar(value, name)
                                                   : body_.scalar_like(value, x_, name);
  }

  // Where there are no elements, ONNX Runtime reduces no axes but those that count from the front.
  Ints reduced_axes() const {
    Ints reduced = axes_;
    if (const std::optional<int> rank = site_.rank(0); rank && site_.output_count() > 1) {
      for (int64_t& one : reduced) one += one < 0 ? *rank : 0;
    }
    return reduced;
  }

  // Runtimes that recognize the normalization would take a scale of fewer axes for one of all
  // of them.
  bool is_recognized() const {
    const auto count = static_cast<int>(axes_.size());
    return site_.output_count() == 1 && site_.rank(1).value_or(count) == count;
  }

  // Makes `normal`, and the statistics that are outputs.
  void append_normal() {
    const std::string mean = site_.has_output(1) ? "Mean" : "mean";
    const std::string over = body_.ints(reduced_axes(), "axes");
    body_(mean, "ReduceMean", {x_, over});
    body_("centred", "Sub", {x_, mean});
    if (is_recognized()) {
      body_("square", "Pow", {"centred", number(2, "exponent")});
    } else {
      body_("square", "Mul", {"centred", "centred"});
    }
    body_("variance", "ReduceMean", {"square", over});
    body_("variance_above_zero", "Add", {"variance", number(site_.attribute_float("epsilon", 1e-5f), "epsilon")});
    body_("deviation", "Sqrt", {"variance_above_zero"});
    body_("normal", "Div", {"centred", "deviation"});
    if (site_.has_output(2)) body_("InvStdDev", "Reciprocal", {"deviation"});
  }

  // Runtimes do not recognize the normalization without a bias: where the scale is a constant, a
  // bias of zeros is made. Gives an empty name where there is no bias.
  std::string bias_or_zeros() {
    if (site_.has_input(2)) return "B";
    if (site_.constant(1) == nullptr || site_.rank(1) != 1 || !site_.dim(1, 0)) return "";
    body_("zeros", "ConstantOfShape", {body_.ints({*site_.dim(1, 0)}, "width")}, {{"value", one_float(0.0)}});
    return body_("bias", "CastLike", {"zeros", "Scale"});
  }

  const CallSite& site_;
  const Ints axes_;
  const int64_t stash_type_;
  const bool is_stashed_;
  Body body_;
  std::string x_;  // X in the type of the statistics
};

Lowering lower(const CallSite& site) {
  const int64_t axis = site.attribute_int("axis", -1);
  const auto axes = normalized_axes(site, axis);
  if (!axes) return Declined{fmt::format("axis is {}, and the rank of X is not known", axis)};
  return Normalization(site, *axes).lowering();
}

// Where several nodes read the normalization, ONNX Runtime until 1.17 reads its bias even if there
// is none: zeros are written for it.
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

// OpenCV leaves the mean unwritten where the node does not have the third output, too.
Lowering lower_with_all_outputs(const CallSite& site) {
  if (!site.has_output(1) || site.has_output(2)) return Declined{"it has both statistics or no mean", {}, true};
  const Values inputs = first_names({"X", "Scale", "B"}, site.input_count());
  Body body("", "LayerNormalization", inputs, first_names({"Y", "Mean"}, 2), 17);
  body.node({"Y", "Mean", "unread_InvStdDev"}, "LayerNormalization", inputs);
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
    rule_for("With both statistics, for a runtime that wants both or none.", RuleTurn::first, true,
             lower_with_all_outputs),
    rule_for("Layer normalization, with the variance of what is centred.", RuleTurn::usual, false, lower)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_LayerNormalization
