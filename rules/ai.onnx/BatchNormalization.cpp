// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Batch normalization by arithmetic: where a runtime has it for constant statistics, for one type or for inference only.
#include <string>
#include <vector>

#include "../com.microsoft/body_text.h"

namespace onnx_lower {
namespace {

enum Input : uint8_t { kX, kScale, kB, kMean, kVar };

Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(kX);
  if (rank < 2) return Declined{"its input has no dimension of channels"};
  if (site.attribute_int("spatial", 1) != 1) return Declined{"it normalizes each place by itself (spatial = 0)"};
  const bool is_training = site.attribute_int("training_mode", 0) != 0;
  if (!is_training && site.output_count() > 1)
    return Declined{"below opset 14 its further outputs belong to training, of which the node says nothing"};
  BodyText body(
      "ai.onnx", "BatchNormalization", {"X", "scale", "B", "input_mean", "input_var"},
      is_training ? std::vector<std::string>{"Y", "running_mean", "running_var"} : std::vector<std::string>{"Y"}, 18);
  // One number for each channel, over all that stands behind the channels' dimension.
  std::vector<int64_t> column(static_cast<size_t>(rank) - 1, 1);
  column[0] = -1;
  const std::string shape = body.ints(column, "column");
  const auto of_channels = [&](std::string_view name, std::string_view values) {
    body.line("{0}_typed = CastLike ({1}, X)", name, values);
    body.line("{0} = Reshape ({0}_typed, {1})", name, shape);
  };
  if (is_training) {
    std::vector<int64_t> axes{0};
    for (int axis = 2; axis < rank; ++axis) axes.push_back(axis);
    const std::string others = body.ints(axes, "axes");
    body.line("mean = ReduceMean <keepdims = 1> (X, {})", others);
    body.line("centered = Sub (X, mean)");
    body.line("squares = Mul (centered, centered)");
    body.line("variance = ReduceMean <keepdims = 1> (squares, {})", others);
    const float momentum = site.attribute_float("momentum", 0.9F);
    const std::string list = body.ints({-1}, "list");
    for (const auto& [name, of_batch, so_far] :
         {std::tuple{"running_mean", "mean", "input_mean"}, std::tuple{"running_var", "variance", "input_var"}}) {
      const std::string old_share = body.scalar_like(momentum, so_far),
                        new_share = body.scalar_like(1 - momentum, so_far);
      body.line("{}_kept = Mul ({}, {})", name, so_far, old_share);
      body.line("{}_list = Reshape ({}, {})", name, of_batch, list);
      body.line("{0}_typed = CastLike ({0}_list, {1})", name, so_far);
      body.line("{0}_new = Mul ({0}_typed, {1})", name, new_share);
      body.line("{0} = Add ({0}_kept, {0}_new)", name);
    }
  } else {
    of_channels("mean", "input_mean");
    of_channels("variance", "input_var");
    body.line("centered = Sub (X, mean)");
  }
  of_channels("factor", "scale");
  of_channels("offset", "B");
  const std::string epsilon = body.scalar_like(site.attribute_float("epsilon", 1e-5F), "X", "epsilon");
  body.line("raised = Add (variance, {})", epsilon);
  body.line("deviation = Sqrt (raised)");
  body.line("normalized = Div (centered, deviation)");
  body.line("scaled = Mul (normalized, factor)");
  body.line("Y = Add (scaled, offset)");
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "BatchNormalization",
                      .summary = "By arithmetic, with the batch's own statistics in training.",
                      .source = "ONNX BatchNormalization-15",
                      .attributes = "epsilon, momentum, training_mode, spatial",
                      .needed_inputs = 5,
                      .most_inputs = 5,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
