// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Sums, means and extremes below opset 8, where these do not broadcast their inputs: as they are
// where all inputs are of one shape, else sums by Add, which broadcasts from 7 on.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_without_broadcasting {
namespace {

constexpr int opset_without_broadcasting = 7;

bool are_of_one_shape(const CallSite& site) {
  const std::optional<int> rank = site.rank(0);
  if (!rank) return false;
  for (int input = 1; input < site.input_count(); ++input) {
    if (site.rank(input) != rank) return false;
    for (int axis = 0; axis < *rank; ++axis) {
      const std::optional<int64_t> size = site.dim(0, axis);
      if (!size || site.dim(input, axis) != size) return false;
    }
  }
  return true;
}

Lowering lower(const CallSite& site) {
  if (site.opset() > opset_without_broadcasting)
    return Declined{.reason = "from opset 8 on its inputs are broadcast", .is_of_signature = true};
  const std::string_view op_type = site.node().op_type();
  std::vector<std::string> names;
  for (int input = 0; input < site.input_count(); ++input) names.push_back(fmt::format("input{}", input));
  Body body("ai.onnx", op_type, names, {"result"}, opset_without_broadcasting);
  if (are_of_one_shape(site)) {
    body("result", op_type, names);
    return body.function();
  }
  const bool is_mean = op_type == "Mean";
  if (op_type != "Sum" && !is_mean)
    return Declined{"below opset 8 its inputs are not broadcast, and are not known to be of one shape"};
  body.grows_with(names.size());
  std::string current = names[0];
  for (size_t input = 1; input < names.size(); ++input) {
    const bool is_last = input + 1 == names.size() && !is_mean;
    current = body(is_last ? "result" : body.fresh("joined"), "Add", {current, names[input]});
  }
  if (is_mean) {
    body("result", "Div", {current, body.scalar_like(static_cast<double>(names.size()), names[0], "count")});
  } else if (names.size() == 1) {
    body("result", "Identity", {current});
  }
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Below opset 8 the inputs are not broadcast.",
          .source = source,
          .turn = RuleTurn::first,
          .needed_inputs = 1,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("Max", "ONNX Max-6, Max-8"), rule_for("Mean", "ONNX Mean-6, Mean-8"),
                            rule_for("Min", "ONNX Min-6, Min-8"), rule_for("Sum", "ONNX Sum-6, Sum-8")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_without_broadcasting
