// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Y = scale * (X - mean) / sqrt(var + epsilon) + B, by arithmetic, where a runtime has the operator
// for constant statistics, for one type or for inference only.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_BatchNormalization {
namespace {

enum Input : uint8_t { kX, kScale, kB, kMean, kVar };

Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(kX);
  if (rank < 2) return Declined{"its input has no dimension of channels"};
  if (site.attribute_int("spatial", 1) != 1) return Declined{"it normalizes each place by itself (spatial = 0)"};
  if (site.attribute_int("training_mode", 0) != 0) return Declined{"in training it has statistics of its own"};
  if (site.output_count() > 1)
    return Declined{"below opset 14 its further outputs belong to training, of which the node says nothing"};
  Body body("ai.onnx", "BatchNormalization", {"X", "scale", "B", "input_mean", "input_var"}, {"Y"}, 18);
  // A number for each channel broadcasts over all dimensions behind that of the channels.
  std::vector<int64_t> column(static_cast<size_t>(rank) - 1, 1);
  column[0] = -1;
  const std::string shape = body.ints(column, "column");
  const auto of_channels = [&](std::string_view name, std::string_view values) {
    const std::string typed = body(fmt::format("{}_typed", name), "CastLike", {values, "X"});
    body(name, "Reshape", {typed, shape});
  };
  of_channels("mean", "input_mean");
  of_channels("variance", "input_var");
  body("centered", "Sub", {"X", "mean"});
  of_channels("factor", "scale");
  of_channels("offset", "B");
  const std::string epsilon = body.scalar_like(site.attribute_float("epsilon", 1e-5F), "X", "epsilon");
  body("raised", "Add", {"variance", epsilon});
  body("deviation", "Sqrt", {"raised"});
  body("normalized", "Div", {"centered", "deviation"});
  body("scaled", "Mul", {"normalized", "factor"});
  body("Y", "Add", {"scaled", "offset"});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "BatchNormalization",
                      .summary = "By arithmetic, where a runtime does not take it.",
                      .source = "ONNX BatchNormalization-15",
                      .attributes = "epsilon, momentum, training_mode, spatial",
                      .needed_inputs = 5,
                      .most_inputs = 5,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_BatchNormalization
