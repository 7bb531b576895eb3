// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reductions along axes that are known only when the model runs, for runtimes that take none but
// constants: the shapes of input and result tell which axes they can be. Where several axes are
// possible, as of a 2 x 2 input, each is reduced, and the axes choose among the results.

#include <map>
#include <string>

#include "declared_shape.h"

namespace onnx_lower::native_rules::ai_onnx_reductions_as_declared {
namespace {

constexpr size_t most_choices = 8;

void append_reduction(Body& body, const CallSite& site, const std::string& output, const Ints& axes) {
  const std::string_view op_type = site.node().op_type();
  const int64_t keepdims = site.attribute_int("keepdims", 1);
  if (op_type == "ReduceSum") {
    body(output, op_type, {"data", body.ints(axes, "dims")}, {{"keepdims", keepdims}});
  } else {
    body(output, op_type, {"data"}, {{"axes", axes}, {"keepdims", keepdims}});
  }
}

// The sets of axes that are possible, each by a number that has a bit for each axis that is
// reduced. Axes of one element make no difference, and have no bit.
class Choices {
 public:
  Choices(const CallSite& site, const Ints& given, const Ints& dims) : given_(given), dims_(dims) {
    if (site.attribute_int("keepdims", 1) != 1) {
      choose(0, 0, {}, 0);
    } else if (given.size() == dims.size()) {
      Ints axes;
      for (size_t axis = 0; axis < given.size(); ++axis) {
        if (given[axis] != dims[axis] && dims[axis] != 1) return;
        if (given[axis] != dims[axis] || given[axis] == 1) axes.push_back(static_cast<int64_t>(axis));
      }
      all_.emplace(0, axes);
    }
  }

  const std::map<int64_t, Ints>& all() const { return all_; }

  // What an axis adds to that number.
  Ints weights() const {
    Ints weights;
    for (size_t axis = 0; axis < given_.size(); ++axis) weights.push_back(given_[axis] == 1 ? 0 : int64_t{1} << axis);
    return weights;
  }

 private:
  // All ways to leave out axes that leave the declared dimensions.
  void choose(size_t axis, size_t kept, Ints reduced, int64_t number) {
    if (all_.size() > most_choices || given_.size() - axis < dims_.size() - kept) return;
    if (axis == given_.size()) {
      if (kept == dims_.size()) all_.emplace(number, std::move(reduced));
      return;
    }
    if (kept < dims_.size() && given_[axis] == dims_[kept]) choose(axis + 1, kept + 1, reduced, number);
    reduced.push_back(static_cast<int64_t>(axis));
    choose(axis + 1, kept, std::move(reduced), number + (given_[axis] == 1 ? 0 : int64_t{1} << axis));
  }

  const Ints& given_;
  const Ints& dims_;
  std::map<int64_t, Ints> all_;
};

Lowering lower(const CallSite& site) {
  if (!site.has_input(1)) return Declined{.reason = "its axes are no input", .is_of_signature = true};
  if (site.constant_ints(1)) return Declined{"its axes are constants"};
  const Ints dims = need_declared_dims(site), given = need_dims(site, 0);
  if (given.size() > 32 || dims.size() > given.size()) return Declined{"the declared shape is not of its result"};
  const Choices choices(site, given, dims);
  if (choices.all().empty()) return Declined{"the declared shape is not of its result"};
  if (choices.all().size() > most_choices) return Declined{"the declared shape does not tell which axes are reduced"};
  if (site.attribute_int("noop_with_empty_axes", 0) == 1) {
    // Without axes nothing is reduced, which may look as if axes of one element were reduced.
    const int64_t count = site.rank(1) == 0 ? 1 : site.need_dim(1, 0);
    if (count == 0) {
      if (given != dims) return Declined{"the declared shape is not of its result"};
      Body body("ai.onnx", site.node().op_type(), {"data", "axes"}, {"reduced"}, 13);
      body("reduced", "Identity", {"data"});
      return as_declared(body, dims);
    }
  }
  for (const auto& [number, axes] : choices.all()) {
    if (axes.empty() && !given.empty()) return Declined{"the declared shape is not of its result"};
  }
  Body body("ai.onnx", site.node().op_type(), {"data", "axes"}, {"reduced"}, 13);
  if (choices.all().size() == 1) {
    append_reduction(body, site, "reduced", choices.all().begin()->second);
    return as_declared(body, dims);
  }
  const std::string weights = body.ints(choices.weights(), "weights");
  const std::string list = body.reshape("axes", {-1}, "list");
  body("weight_of_each", "Gather", {weights, list}, {{"axis", 0}});
  body("which", "ReduceSum", {"weight_of_each", body.ints({0}, "all")}, {{"keepdims", 0}});
  std::string result;
  for (const auto& [number, axes] : choices.all()) {
    const std::string n = fmt::to_string(number);
    append_reduction(body, site, "reduced" + n, axes);
    if (result.empty()) {
      result = "reduced" + n;
      continue;
    }
    body("is" + n, "Equal", {"which", body.scalar(number, "number")});
    result = body("chosen" + n, "Where", {"is" + n, "reduced" + n, result});
  }
  body("reduced", "Identity", {result});
  return as_declared(body, dims);
}

constexpr NativeRule rule_for(std::string_view op_type) {
  return rule_as_declared(op_type, "keepdims, noop_with_empty_axes", lower);
}

const NativeRule rules[] = {rule_for("ReduceL1"),        rule_for("ReduceL2"),   rule_for("ReduceLogSum"),
                            rule_for("ReduceLogSumExp"), rule_for("ReduceMax"),  rule_for("ReduceMean"),
                            rule_for("ReduceMin"),       rule_for("ReduceProd"), rule_for("ReduceSum"),
                            rule_for("ReduceSumSquare")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_reductions_as_declared
