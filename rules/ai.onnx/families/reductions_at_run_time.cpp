// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reductions along axes that are known only when the model runs, where the operator has them as
// an attribute.
//
// Each dimension d becomes two: (1, d) if it is reduced, and (d, 1) if it is not. Then the second
// dimension of each pair is reduced, which are known axes.
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "axes_at_run_time.h"

namespace onnx_lower::native_rules::ai_onnx_reductions_at_run_time {
namespace {

bool is_floating_point(std::optional<int> type) {
  return type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::DOUBLE || type == onnx::TensorProto::FLOAT16 ||
         type == onnx::TensorProto::BFLOAT16;
}

class Reduction {
 public:
  explicit Reduction(const CallSite& site)
      : site_(site),
        op_type_(site.node().op_type()),
        rank_(site.need_rank(0)),
        may_be_empty_(!has_elements(site, 0)),
        body_("ai.onnx", op_type_, {"data", "axes"}, {"reduced"}, kAxesOpset) {}

  bool may_be_empty() const { return may_be_empty_; }

  Lowering lowering() {
    body_("shape", "Shape", {"data"});
    const std::string mask = mask_of_reduced();
    append_apart(mask);
    const bool keeps = site_.attribute_int("keepdims", 1) == 1;
    reduce(keeps ? "reduced" : "kept_result");
    if (!keeps) drop_reduced(mask);
    return body_.function();
  }

 private:
  // Says of each dimension whether it is reduced.
  std::string mask_of_reduced() {
    const std::string mask = axes_mask(body_, "axes", "shape");
    if (site_.attribute_int("noop_with_empty_axes", 0) == 1) return mask;
    const std::string zero = body_.scalar(0);
    body_("axis_count", "Size", {"axes"});
    body_("all", "Equal", {"axis_count", zero});
    return body_("reduced_mask", "Or", {mask, "all"});
  }

  // Makes `apart`: data with each dimension d as (1, d) if it is reduced, and (d, 1) if it is not.
  void append_apart(const std::string& mask) {
    const std::string one = body_.scalar(1);
    body_("kept", "Where", {mask, one, "shape"});
    body_("gone", "Where", {mask, "shape", one});
    body_("both", "Concat", {"kept", "gone"}, {{"axis", 0}});
    Ints in_turn;
    for (int axis = 0; axis < rank_; ++axis) in_turn.insert(in_turn.end(), {axis, axis + rank_});
    body_("pairs", "Gather", {"both", body_.ints(in_turn, "in_turn")}, {{"axis", 0}});
    reshape_to(body_, "apart", "data", "pairs", may_be_empty_);
  }

  // Makes `result`, which has the first one of each pair of dimensions. The least of no
  // floating-point numbers is infinity and the greatest -infinity; where OpenVINO knows the axes,
  // it gives the greatest and the least finite number instead.
  void reduce(std::string_view result) {
    const bool is_extreme = op_type_ == "ReduceMin" || op_type_ == "ReduceMax";
    const bool may_be_infinite = may_be_empty_ && is_extreme && is_floating_point(site_.dtype(0));
    const std::string_view of_some = may_be_infinite ? "of_some" : result;
    Ints second_ones;
    for (int axis = 0; axis < rank_; ++axis) second_ones.push_back(2 * axis + 1);
    if (op_type_ == "ReduceSum") {
      body_(of_some, "ReduceSum", {"apart", body_.ints(second_ones)}, {{"keepdims", 0}});
    } else {
      body_(of_some, op_type_, {"apart"}, {{"axes", second_ones}, {"keepdims", 0}});
    }
    if (!may_be_infinite) return;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::string of_none = body_.scalar_like(op_type_ == "ReduceMin" ? infinity : -infinity, "data", "of_none");
    const std::string zero = body_.scalar(0);
    body_("count", "Size", {"data"});
    body_("is_none", "Equal", {"count", zero});
    body_(result, "Where", {"is_none", of_none, of_some});
  }

  // Makes `reduced`, without the dimensions that are reduced.
  void drop_reduced(const std::string& mask) {
    body_("is_kept", "Not", {mask});
    body_("kept_shape", "Compress", {"shape", "is_kept"}, {{"axis", 0}});
    const auto count = axis_count(site_, 1);
    const std::string result_shape =
        of_length(body_, "kept_shape", count.value_or(0) > 0 ? std::optional(rank_ - *count) : std::nullopt);
    reshape_to(body_, "reduced", "kept_result", result_shape, may_be_empty_);
  }

  const CallSite& site_;
  const std::string_view op_type_;
  const int rank_;
  const bool may_be_empty_;
  Body body_;
};

Lowering unchanged(const CallSite& site) {
  Body body("ai.onnx", site.node().op_type(), {"data", "axes"}, {"reduced"}, kAxesOpset);
  body("reduced", "Identity", {"data"});
  return body.function();
}

Lowering lower(const CallSite& site) {
  if (!site.has_input(1)) return Declined{.reason = "its axes are no input", .is_of_signature = true};
  const std::optional<Ints> axes = site.constant_ints(1);
  if (axes && axes->empty() && site.attribute_int("noop_with_empty_axes", 0) == 1) return unchanged(site);
  if (site.need_rank(0) == 0) return unchanged(site);
  Reduction reduction(site);
  if (axes && !reduction.may_be_empty()) return Declined{"its axes are a constant"};
  return reduction.lowering();
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
