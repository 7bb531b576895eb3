// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Transpose {
namespace {

// Axes of perm that count from the end, which torch writes as they were given.
Lowering lower(const CallSite& site) {
  Ints perm = site.attribute_ints("perm", {});
  if (std::ranges::none_of(perm, [](int64_t axis) { return axis < 0; }))
    return Declined{"its axes count from the front", {}, true};
  const auto rank = static_cast<int64_t>(perm.size());
  for (int64_t& axis : perm) axis = need_axis(axis, rank);
  Body body("ai.onnx", "Transpose", {"data"}, {"transposed"}, site.own_opset());
  body("transposed", "Transpose", {"data"}, {{"perm", perm}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Transpose",
                      .summary = "With axes that count from the front.",
                      .source = "ONNX Transpose-25",
                      .attributes = "perm",
                      .turn = RuleTurn::first,
                      .makes_it_anew = true,
                      .inputs = "data",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Transpose
