// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reductions for runtimes that compute with the wrong numbers behind one that drops the axes: the
// reduction keeps them, and a Squeeze drops them.

#include "all_reductions.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_reductions_that_keep {
namespace {

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  if (site.attribute_int("keepdims", 1) == 1) return Declined{"it keeps its axes"};
  if (site.has_input(1)) {
    Body body("ai.onnx", op_type, {"data", "axes"}, {"reduced"}, op_type == "ReduceSum" ? 13 : 18);
    body("kept", op_type, {"data", "axes"}, {{"keepdims", 1}});
    body.copy_attributes(site, {"noop_with_empty_axes"}, op_type);
    body("reduced", "Squeeze", {"kept", "axes"});
    return body.function();
  }
  const Ints axes = site.attribute_ints("axes", {});
  if (axes.empty()) return Declined{"it names no axes"};
  Body body("ai.onnx", op_type, {"data"}, {"reduced"}, 11);
  body("kept", op_type, {"data"}, {{"axes", axes}, {"keepdims", 1}});
  body("reduced", "Squeeze", {"kept"}, {{"axes", axes}});
  return body.function();
}

constexpr std::array rules =
    for_all_reductions({.domain = "ai.onnx",
                        .op_type = {},
                        .summary = "Axes that are kept by the reduction, and dropped by a Squeeze.",
                        .source = {},
                        .attributes = "axes, keepdims, noop_with_empty_axes",
                        .turn = RuleTurn::preference,
                        .preferred_by = "keepdims",
                        .lower = lower});
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_reductions_that_keep
