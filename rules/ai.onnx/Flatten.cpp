// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// Below 11 no axis is counted from the end.
Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(0);
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 9]> Flatten (input) => (output) {{ output = Flatten <axis = {}> (input) }})",
      site.attribute_int("axis", 1) + rank));
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Flatten",
                      .summary = "An axis counted from the end, which is of 11.",
                      .source = "ONNX Flatten-9, Flatten-11",
                      .attributes = "axis",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
