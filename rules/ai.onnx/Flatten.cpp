// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// Below 11 no axis is counted from the end.
Lowering lower(const CallSite& site) {
  if (const auto unknown = site.unknown_attribute({"axis"})) {
    return Declined{fmt::format("attribute '{}' is not one of Flatten's", *unknown)};
  }
  const auto rank = site.rank(0);
  if (!rank) return Declined{"the axis is negative and the rank of the input is not known"};
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 9]> Flatten (input) => (output) {{ output = Flatten <axis = {}> (input) }})",
      site.attribute_int("axis", 1) + *rank));
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Flatten",
                      .summary = "An axis counted from the end, which is of 11.",
                      .source = "ONNX Flatten-9, Flatten-11",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
