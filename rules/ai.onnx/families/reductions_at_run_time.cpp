// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reductions along axes that are known only when the model runs, where the operator has them as an
// attribute.
//
// Each dimension d becomes two: (1, d) if it is reduced, and (d, 1) if it is not. Then the second
// ones, whose second_ones are known, are reduced all at once.

#include <limits>
#include <optional>

#include "axes_at_run_time.h"

namespace onnx_lower::native_rules::ai_onnx_reductions_at_run_time {
namespace {

bool is_floating_point(std::optional<int> type) {
  return type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::DOUBLE || type == onnx::TensorProto::FLOAT16 ||
         type == onnx::TensorProto::BFLOAT16;
}

Lowering lower(const CallSite& site) {
  if (!site.has_input(1)) return Declined{.reason = "its axes are no input", .is_of_signature = true};
  const std::string_view op_type = site.node().op_type();
  const std::optional<Ints> axes = site.constant_ints(1);
  const bool is_noop_without_axes = site.attribute_int("noop_with_empty_axes", 0) == 1;
  const bool changes_nothing = axes && axes->empty() && is_noop_without_axes;
  const int rank = changes_nothing ? 0 : site.need_rank(0);
  if (rank == 0) {
    Body body("ai.onnx", op_type, {"data", "axes"}, {"reduced"}, kAxesOpset);
    body("reduced", "Identity", {"data"});
    return body.function();
  }
  const bool may_be_empty = !has_elements(site, 0);
  if (axes && !may_be_empty) return Declined{"its axes are a constant"};
  Body body("ai.onnx", op_type, {"data", "axes"}, {"reduced"}, kAxesOpset);
  body("shape", "Shape", {"data"});
  std::string mask = axes_mask(body, "axes", "shape");
  if (!is_noop_without_axes) {
    const std::string zero = body.scalar(0);
    body("axis_count", "Size", {"axes"});
    body("all", "Equal", {"axis_count", zero});
    body("reduced_mask", "Or", {mask, "all"});
    mask = "reduced_mask";
  }
  const std::string one = body.scalar(1);
  body("kept", "Where", {mask, one, "shape"});
  body("gone", "Where", {mask, "shape", one});
  body("both", "Concat", {"kept", "gone"}, {{"axis", 0}});
  std::vector<int64_t> in_turn, second_ones;
  for (int axis = 0; axis < rank; ++axis) {
    in_turn.insert(in_turn.end(), {axis, axis + rank});
    second_ones.push_back(2 * axis + 1);
  }
  body("pairs", "Gather", {"both", body.ints(in_turn, "in_turn")}, {{"axis", 0}});
  reshape_to(body, "apart", "data", "pairs", may_be_empty);
  const bool keeps = site.attribute_int("keepdims", 1) == 1;
  const std::string_view result = keeps ? "reduced" : "kept_result";
  // The least and the greatest of no floating-point numbers are infinite. OpenVINO gives the
  // greatest and the least finite one where it knows the axes.
  const bool is_extreme = op_type == "ReduceMin" || op_type == "ReduceMax";
  const bool may_be_infinite = may_be_empty && is_extreme && is_floating_point(site.dtype(0));
  const std::string_view of_some = may_be_infinite ? "of_some" : result;
  if (op_type == "ReduceSum") {
    body(of_some, "ReduceSum", {"apart", body.ints(second_ones)}, {{"keepdims", 0}});
  } else {
    body(of_some, op_type, {"apart"}, {{"axes", second_ones}, {"keepdims", 0}});
  }
  if (may_be_infinite) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::string of_none = body.scalar_like(op_type == "ReduceMin" ? infinity : -infinity, "data", "of_none");
    const std::string zero = body.scalar(0);
    body("count", "Size", {"data"});
    body("is_none", "Equal", {"count", zero});
    body(result, "Where", {"is_none", of_none, of_some});
  }
  if (!keeps) {
    body("is_kept", "Not", {mask});
    body("kept_shape", "Compress", {"shape", "is_kept"}, {{"axis", 0}});
    const auto count = axis_count(site, 1);
    const std::string result_shape =
        of_length(body, "kept_shape", count.value_or(0) > 0 ? std::optional(rank - *count) : std::nullopt);
    reshape_to(body, "reduced", "kept_result", result_shape, may_be_empty);
  }
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "A reduction along axes that are known only when the model runs.",
          .source = source,
          .attributes = "keepdims, noop_with_empty_axes",
          .lower = lower};
}

const NativeRule rules[] = {
    rule_for("ReduceMax", "ONNX ReduceMax-18"), rule_for("ReduceMean", "ONNX ReduceMean-18"),
    rule_for("ReduceMin", "ONNX ReduceMin-18"), rule_for("ReduceProd", "ONNX ReduceProd-18"),
    rule_for("ReduceSum", "ONNX ReduceSum-13"),
};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_reductions_at_run_time
