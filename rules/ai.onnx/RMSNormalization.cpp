// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// The function in the schema computes its axes when the model runs, which reductions take from opset 18 on only. With the square as a power, runtimes
// recognize what this is and compute it in one pass.
Lowering lower(const CallSite& site) {
  int64_t axis = site.attribute_int("axis", -1);
  if (axis >= 0) {
    const int rank = site.need_rank(0);
    axis -= rank;
  }
  if (axis >= 0) return Declined{"its axis is out of range"};
  std::vector<int64_t> axes(static_cast<size_t>(-axis));
  std::iota(axes.begin(), axes.end(), axis);
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 17]> RMSNormalization (X, scale) => (Y) {{
        wide = Cast <to = {}> (X)
        exponent_value = Constant <value = float {{2.0}}> ()
        exponent = CastLike (exponent_value, wide)
        square = Pow (wide, exponent)
        mean = ReduceMean <axes: ints = [{}], keepdims = 1> (square)
        epsilon_value = Constant <value_float = {:.9e}> ()
        epsilon = CastLike (epsilon_value, wide)
        sum = Add (mean, epsilon)
        root = Sqrt (sum)
        normalized = Div (wide, root)
        narrow = CastLike (normalized, scale)
        Y = Mul (narrow, scale)
      }})",
      site.attribute_int("stash_type", onnx::TensorProto::FLOAT), fmt::join(axes, ", "),
      site.attribute_float("epsilon", 1e-5f)));
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "RMSNormalization",
                      .summary = "The last axes divided by the root of their mean square, then scaled.",
                      .source = "ONNX RMSNormalization-23",
                      .attributes = "axis, epsilon, stash_type",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
