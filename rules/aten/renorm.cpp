// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// y = x * (maxnorm / (norm + 1e-7)) for the slices along `dim` whose p-norm is above maxnorm, else x.
Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(0);
  const auto dim = site.constant_ints(2);
  if (!dim || dim->size() != 1) return Declined{"input 2, the dimension, is not a constant"};
  const int64_t kept = dim->front() < 0 ? dim->front() + rank : dim->front();
  if (kept < 0 || kept >= rank || rank < 2)
    return Declined{fmt::format("dimension {} of {} is none to take slices along", dim->front(), rank)};
  std::vector<int64_t> axes;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (axis != kept) axes.push_back(axis);
  }
  return function_from_text(fmt::format(R"(<domain: "aten", opset_import: ["" : 18, "aten" : 1]>
renorm (x, p, dim, maxnorm) => (y) {{
  axes = Constant <value_ints: ints = [{}]> ()
  keepdim = Constant <value: tensor = bool {{1}}> ()
  norm = aten.norm (x, p, axes, keepdim)
  most = CastLike (maxnorm, x)
  little_ = Constant <value: tensor = double {{1e-7}}> ()
  little = CastLike (little_, x)
  one_ = Constant <value: tensor = double {{1.0}}> ()
  one = CastLike (one_, x)
  bounded = Add (norm, little)
  share = Div (most, bounded)
  above = Greater (norm, most)
  factor = Where (above, share, one)
  y = Mul (x, factor)
}})",
                                        fmt::join(axes, ", ")));
}

const NativeRule rule{.domain = "aten",
                      .op_type = "renorm",
                      .summary = "The slices along a dimension, made shorter where their norm is above a limit.",
                      .source = "aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor",
                      .needed_inputs = 4,
                      .most_inputs = 4,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
