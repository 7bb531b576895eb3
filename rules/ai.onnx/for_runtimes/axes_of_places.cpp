// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ArgMax and ArgMin for runtimes that do not keep the axis along which they look, or that do not
// drop it: it is put back, or dropped afterwards.

#include <string_view>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_axes_of_places {
namespace {

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  const int64_t axis = site.attribute_int("axis", 0);
  const bool is_kept = site.attribute_int("keepdims", 1) != 0;
  Body body("ai.onnx", op_type, {"data"}, {"reduced"}, 13);
  body("place", op_type, {"data"}, {{"axis", axis}, {"keepdims", is_kept ? 0 : 1}});
  body.copy_attributes(site, {"select_last_index"}, op_type);
  body("reduced", is_kept ? "Unsqueeze" : "Squeeze", {"place", body.ints({axis}, "axes")});
  return std::move(body).function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "With an axis that is dropped and put back, or kept and dropped afterwards.",
          .source = source,
          .attributes = "axis, keepdims, select_last_index",
          .turn = RuleTurn::last_resort,
          .makes_it_anew = true,
          .needed_inputs = 1,
          .most_inputs = 1,
          .lower = lower};
}

constexpr NativeRule rules[] = {rule_for("ArgMax", "ONNX ArgMax-13"), rule_for("ArgMin", "ONNX ArgMin-13")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_axes_of_places
