// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// output = data[start:end:step] along each axis, where the opset has fewer ways to say it than the
// node.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Slice {
namespace {

// From 10 on starts, ends and axes are inputs.
Lowering with_inputs(const CallSite& site) {
  const std::vector<int64_t> starts = site.attribute_bounds("starts");
  const Ints all_axes = numbers_below(static_cast<int64_t>(starts.size()));
  Body body("ai.onnx", "Slice", {"data"}, {"output"}, 13);
  body.constant("starts", starts);
  body.constant("ends", site.attribute_bounds("ends"));
  body.constant("axes", site.attribute_ints("axes", all_axes));
  body("output", "Slice", {"data", "starts", "ends", "axes"});
  return body.function();
}

// Says the axes, which are all from the first one, for a runtime that wants to have them said.
Lowering with_axes(const CallSite& site) {
  if (site.opset() < 10 || !site.has_input(1)) return Declined{"its axes are an attribute", {}, true};
  if (site.has_input(3)) return Declined{"it says its axes", {}, true};
  Body body("ai.onnx", "Slice", {"data", "starts", "ends", "axes", "steps"}, {"output"}, 13);
  std::string axes;
  if (const auto count = site.dim(1, 0)) {
    axes = body.ints(numbers_below(*count), "all_axes");
  } else {
    body("count", "Size", {"starts"});
    axes = body("all_axes", "Range", {body.scalar(0, "zero"), "count", body.scalar(1, "one")});
  }
  if (site.dtype(1) != onnx::TensorProto::INT64) axes = body("axes_of_type", "CastLike", {axes, "starts"});
  body("output", "Slice", {"data", "starts", "ends", axes, site.has_input(4) ? "steps" : ""});
  return body.function();
}

// The elements that a slice with a step takes from a dimension.
std::vector<int64_t> taken(int64_t start, int64_t end, int64_t step, int64_t size) {
  if (step == 0) decline("it has a step of 0");
  const auto from_end = [size](int64_t index) { return index < 0 ? index + size : index; };
  int64_t first = 0, distance = 0;
  if (step > 0) {
    first = std::clamp<int64_t>(from_end(start), 0, size);
    distance = std::min(from_end(end), size) - first;
  } else {
    // A start before the first element is the first one. An end so far below zero that it stays
    // negative means "through the first element".
    first = std::min(std::max<int64_t>(from_end(start), 0), size - 1);
    distance = first - std::max<int64_t>(end < -size ? -1 : from_end(end), -1);
  }
  if (distance <= 0) return {};
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : -static_cast<uint64_t>(step);
  Ints indices = numbers_below(static_cast<int64_t>((static_cast<uint64_t>(distance) - 1) / stride + 1));
  for (int64_t& index : indices) index = first + index * step;
  return indices;
}

// What is known only when the model runs is gathered by indices that are made then. All that is
// computed of starts, ends and steps is computed of all axes at once.
class AtRunTime {
 public:
  explicit AtRunTime(const CallSite& site)
      : site_(site),
        knows_axes_(!site.has_input(3) || site.constant_ints(3)),
        axes_(axes_of(site)),
        has_steps_(has_steps_other_than_one(site)),
        body_("ai.onnx", "Slice", {"data", "starts", "ends", "axes", "steps"}, {"output"}, 12) {}

  Lowering lowering() {
    body_("shape", "Shape", {"data"});
    body_.constant("zero", Ints{0});
    body_.constant("one", Ints{1});
    Bounds bounds = given_bounds();
    if (knows_axes_) {
      bounds.sizes = body_("sizes", "Gather", {"shape", body_.ints(axes_, "axes_list")}, {{"axis", 0}});
    } else {
      bounds = of_all_dimensions(bounds);
    }
    find_ends(bounds);
    count(bounds.steps);
    // One more element is counted, which is cut off at the end: OpenVINO crashes where it computes
    // with lists of no elements.
    body_("count_and_one", "Add", {"count", "one"});
    body_.constant("minus_one", Ints{-1});
    std::string current = "data";
    for (size_t i = 0; i < axes_.size(); ++i) current = part(current, i, bounds.steps);
    body_("output", "Identity", {current});
    return body_.function();
  }

 private:
  // Lists with an element for each axis.
  struct Bounds {
    std::string starts, ends, steps, sizes;
  };

  // The axes, or all dimensions where they are known only when the model runs.
  static Ints axes_of(const CallSite& site) {
    if (!site.has_input(3)) {
      const auto count = site.dim(1, 0);
      if (!count) decline("below opset 10 the number of axes must be known");
      return numbers_below(*count);
    }
    const auto given = site.constant_ints(3);
    return given ? *given : numbers_below(site.need_rank(0));
  }

  static bool has_steps_other_than_one(const CallSite& site) {
    const auto known = site.constant_ints(4);
    const bool are_all_one = known && std::ranges::all_of(*known, [](int64_t step) { return step == 1; });
    return site.has_input(4) && !are_all_one;
  }

  Bounds given_bounds() {
    Bounds bounds;
    bounds.starts = body_("wide_starts", "Cast", {"starts"}, {{"to", 7}});
    bounds.ends = body_("wide_ends", "Cast", {"ends"}, {{"to", 7}});
    bounds.steps = has_steps_ ? body_("wide_steps", "Cast", {"steps"}, {{"to", 7}}) : "one";
    return bounds;
  }

  // The bounds of axes that are known only when the model runs, with an element for each dimension:
  // one that has no axis is taken whole.
  Bounds of_all_dimensions(const Bounds& of_axes) {
    body_("wide_axes", "Cast", {"axes"}, {{"to", 7}});
    body_("axis_is_negative", "Less", {"wide_axes", "zero"});
    body_("rank", "Shape", {"shape"});
    body_("axis_from_end", "Add", {"wide_axes", "rank"});
    body_("axes_from_start", "Where", {"axis_is_negative", "axis_from_end", "wide_axes"});
    body_("zeros", "Sub", {"shape", "shape"});
    const auto placed = [&](std::string_view name, const std::string& list, std::string_view otherwise) {
      return body_(name, "ScatterElements", {otherwise, "axes_from_start", list}, {{"axis", 0}});
    };
    Bounds all;
    all.sizes = "shape";
    all.starts = placed("all_starts", of_axes.starts, "zeros");
    all.ends = placed("all_ends", of_axes.ends, "shape");
    all.steps = of_axes.steps;
    if (has_steps_) {
      body_("ones", "Add", {"zeros", "one"});
      all.steps = placed("all_steps", of_axes.steps, "ones");
    }
    return all;
  }

  // Makes `start` and `end`. Forwards both are limited to 0 and the size; backwards one less is the
  // last place, and an end of -1 is before the first one.
  void find_ends(const Bounds& bounds) {
    std::string last = bounds.sizes, before_first = "zero";
    if (has_steps_) {
      body_("is_backwards", "Less", {bounds.steps, "zero"});
      body_("backwards", "Cast", {"is_backwards"}, {{"to", 7}});
      last = body_("last", "Sub", {bounds.sizes, "backwards"});
      before_first = body_("before_first", "Sub", {"zero", "backwards"});
    }
    const auto place = [&](const std::string& name, const std::string& given, const std::string& least) {
      body_(name + "_is_negative", "Less", {given, "zero"});
      body_(name + "_from_end", "Add", {given, bounds.sizes});
      body_(name + "_place", "Where", {name + "_is_negative", name + "_from_end", given});
      body_(name + "_or_least", "Max", {name + "_place", least});
      body_(name, "Min", {name + "_or_least", last});
    };
    place("start", bounds.starts, "zero");
    place("end", bounds.ends, before_first);
  }

  // Makes `count`: how many elements are taken, (end - start) / step, rounded away from 0, which is
  // upwards, unless nothing is taken.
  void count(const std::string& steps) {
    std::string count = body_("distance", "Sub", {"end", "start"});
    if (has_steps_) {
      body_("is_forwards", "Not", {"is_backwards"});
      body_("forwards", "Cast", {"is_forwards"}, {{"to", 7}});
      body_("direction", "Sub", {"forwards", "backwards"});
      body_("lacking", "Sub", {steps, "direction"});
      body_("distance_and_lacking", "Add", {"distance", "lacking"});
      count = body_("step_count", "Div", {"distance_and_lacking", steps});
    }
    body_("count", "Max", {count, "zero"});
  }

  // Gives what is taken along the axis number `i`.
  std::string part(const std::string& values, size_t i, const std::string& steps) {
    const std::string n = fmt::to_string(i);
    append_indices(n, static_cast<int64_t>(i), steps);
    const int64_t axis = axes_[i];
    const int64_t size = site_.dim(0, static_cast<int>(axis)).value_or(0);
    if (size <= 0) {
      body_("indices" + n, "Slice", {"from_start" + n, "zero", "minus_one"});
      return body_("part" + n, "Gather", {values, "indices" + n}, {{"axis", axis}});
    }
    // OpenVINO then knows the indices before the model runs, and crashes at a Gather of none: one
    // more is taken, too, from wherever it is.
    const std::string last_place = body_.ints({size - 1}, "last_place");
    std::string indices = body_("not_behind" + n, "Min", {"from_start" + n, last_place});
    if (has_steps_) indices = body_("not_before" + n, "Max", {indices, "zero"});
    body_("taken" + n, "Gather", {values, indices}, {{"axis", axis}});
    return body_("part" + n, "Slice", {"taken" + n, "zero", "minus_one", body_.ints({axis}, "axis")});
  }

  // Makes `from_start`: start, start + step, …, one more than is taken.
  void append_indices(const std::string& n, int64_t place, const std::string& steps) {
    body_.constant("place" + n, Ints{place});
    body_("length" + n, "Gather", {"count_and_one", "place" + n}, {{"axis", 0}});
    const auto one = tensor_of(onnx::TensorProto::INT64, {1}, Ints{1});
    body_("ones" + n, "ConstantOfShape", {"length" + n}, {{"value", one}});
    body_("places" + n, "NonZero", {"ones" + n});
    std::string line = body_("line" + n, "Squeeze", {"places" + n}, {{"axes", Ints{0}}});
    if (has_steps_) {
      body_("step" + n, "Gather", {steps, "place" + n}, {{"axis", 0}});
      line = body_("steps_from_start" + n, "Mul", {line, "step" + n});
    }
    body_("start" + n, "Gather", {"start", "place" + n}, {{"axis", 0}});
    body_("from_start" + n, "Add", {line, "start" + n});
  }

  const CallSite& site_;
  const bool knows_axes_;
  const Ints axes_;
  const bool has_steps_;
  Body body_;
};

Lowering at_run_time(const CallSite& site) { return AtRunTime(site).lowering(); }

// Below 10 the places are attributes, and there are no steps: what has one is gathered.
Lowering with_attributes(const CallSite& site) {
  const auto starts = site.constant_ints(1);
  const auto ends = site.constant_ints(2);
  if (!starts || !ends) return at_run_time(site);
  std::vector<int64_t> axes(starts->size());
  std::iota(axes.begin(), axes.end(), 0);
  std::vector<int64_t> steps(starts->size(), 1);
  if (site.has_input(3)) {
    const auto given = site.constant_ints(3);
    if (!given) return at_run_time(site);
    axes = *given;
  }
  if (site.has_input(4)) {
    const auto given = site.constant_ints(4);
    if (!given) return at_run_time(site);
    steps = *given;
  }
  if (ends->size() != starts->size() || axes.size() != starts->size() || steps.size() != starts->size()) {
    return Declined{"starts, ends, axes and steps are not of one length"};
  }

  // Below 10 no axis is counted from the end.
  if (std::ranges::any_of(axes, [](int64_t axis) { return axis < 0; })) {
    const int rank = site.need_rank(0);
    for (int64_t& axis : axes) axis += axis < 0 ? rank : 0;
  }

  std::vector<int64_t> plain_starts, plain_ends, plain_axes;
  Body body("ai.onnx", "Slice", {"data", "starts", "ends", "axes", "steps"}, {"output"}, 9);
  std::string current = "data";
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] == 1) {
      plain_starts.push_back((*starts)[i]);
      plain_ends.push_back((*ends)[i]);
      plain_axes.push_back(axes[i]);
      continue;
    }
    const auto size = site.dim(0, static_cast<int>(axes[i]));
    if (!size) return at_run_time(site);
    const std::string n = fmt::to_string(i);
    body.constant("indices" + n, taken((*starts)[i], (*ends)[i], steps[i], *size));
    body("gathered" + n, "Gather", {current, "indices" + n}, {{"axis", axes[i]}});
    current = "gathered" + n;
  }
  if (plain_axes.empty()) {
    body("output", "Identity", {current});
  } else {
    body("output", "Slice", {current}, {{"starts", plain_starts}, {"ends", plain_ends}, {"axes", plain_axes}});
  }
  return body.function();
}

Lowering lower(const CallSite& site) {
  return site.attribute("starts") != nullptr ? with_inputs(site) : with_attributes(site);
}

const NativeRule rules[] = {{.domain = "ai.onnx",
                             .op_type = "Slice",
                             .summary = "Axes that are not given are all from the first one.",
                             .source = "ONNX Slice-10",
                             .attributes = "starts, ends, axes",
                             .lower = with_axes},
                            {.domain = "ai.onnx",
                             .op_type = "Slice",
                             .summary = "Starts, ends and axes are attributes below 10 and inputs from 10 on.",
                             .source = "ONNX Slice-1, Slice-10",
                             .attributes = "starts, ends, axes",
                             .lower = lower}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Slice
