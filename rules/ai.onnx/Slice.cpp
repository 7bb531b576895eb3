// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Slice {
namespace {

// From 10 on they are inputs.
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

// From 10 on: all axes from the first one, which a runtime may want to have said.
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

// The places of axes that are known only when the model runs, among all: a list with an element for
// each dimension, which is `otherwise` where no axis says another.
std::string for_all_axes(Body& body, const std::string& name, const std::string& list, const std::string& otherwise) {
  body(name, "ScatterElements", {otherwise, "axes_from_start", list}, {{"axis", 0}});
  return name;
}

// What is known only when the model runs is gathered by indices that are made then. All that is
// computed of starts, ends and steps is computed of all axes at once.
Lowering at_run_time(const CallSite& site) {
  std::vector<int64_t> axes;
  const bool axes_are_known = !site.has_input(3) || site.constant_ints(3);
  if (const auto given = site.constant_ints(3); site.has_input(3) && given) {
    axes = *given;
  } else if (site.has_input(3)) {
    axes = numbers_below(site.need_rank(0));
  } else {
    const auto count = site.dim(1, 0);
    if (!count) return Declined{"below opset 10 the number of axes must be known"};
    axes = numbers_below(*count);
  }
  const auto known_steps = site.constant_ints(4);
  const bool has_steps =
      site.has_input(4) && !(known_steps && std::ranges::all_of(*known_steps, [](int64_t step) { return step == 1; }));

  Body body("ai.onnx", "Slice", {"data", "starts", "ends", "axes", "steps"}, {"output"}, 12);
  body("shape", "Shape", {"data"});
  body.constant("zero", Ints{0});
  body.constant("one", Ints{1});
  std::string starts = "wide_starts", ends = "wide_ends", steps = has_steps ? "wide_steps" : "one", sizes = "sizes";
  body(starts, "Cast", {"starts"}, {{"to", 7}});
  body(ends, "Cast", {"ends"}, {{"to", 7}});
  if (has_steps) body(steps, "Cast", {"steps"}, {{"to", 7}});
  if (axes_are_known) {
    body(sizes, "Gather", {"shape", body.ints(axes, "axes_list")}, {{"axis", 0}});
  } else {
    sizes = "shape";
    body("wide_axes", "Cast", {"axes"}, {{"to", 7}});
    body("axis_is_negative", "Less", {"wide_axes", "zero"});
    body("rank", "Shape", {"shape"});
    body("axis_from_end", "Add", {"wide_axes", "rank"});
    body("axes_from_start", "Where", {"axis_is_negative", "axis_from_end", "wide_axes"});
    body("zeros", "Sub", {"shape", "shape"});
    starts = for_all_axes(body, "all_starts", starts, "zeros");
    ends = for_all_axes(body, "all_ends", ends, "shape");
    if (has_steps) {
      body("ones", "Add", {"zeros", "one"});
      steps = for_all_axes(body, "all_steps", steps, "ones");
    }
  }

  // Forwards both are limited to 0 and the size; backwards one less is the last place, and an end
  // of -1 is before the first one.
  std::string last = sizes, before_first = "zero";
  if (has_steps) {
    body("is_backwards", "Less", {steps, "zero"});
    body("backwards", "Cast", {"is_backwards"}, {{"to", 7}});
    body("last", "Sub", {sizes, "backwards"});
    body("before_first", "Sub", {"zero", "backwards"});
    last = "last";
    before_first = "before_first";
  }
  const auto place = [&](const std::string& name, const std::string& given, const std::string& least) {
    body(name + "_is_negative", "Less", {given, "zero"});
    body(name + "_from_end", "Add", {given, sizes});
    body(name + "_place", "Where", {name + "_is_negative", name + "_from_end", given});
    body(name + "_or_least", "Max", {name + "_place", least});
    body(name, "Min", {name + "_or_least", last});
  };
  place("start", starts, "zero");
  place("end", ends, before_first);
  body("distance", "Sub", {"end", "start"});
  std::string count = "distance";
  if (has_steps) {
    // Rounded away from 0, which is upwards, unless nothing is taken.
    body("is_forwards", "Not", {"is_backwards"});
    body("forwards", "Cast", {"is_forwards"}, {{"to", 7}});
    body("direction", "Sub", {"forwards", "backwards"});
    body("lacking", "Sub", {steps, "direction"});
    body("distance_and_lacking", "Add", {"distance", "lacking"});
    body("step_count", "Div", {"distance_and_lacking", steps});
    count = "step_count";
  }
  body("count", "Max", {count, "zero"});
  // One more, which is cut off at the end: OpenVINO crashes where it computes with lists of no
  // elements.
  body("count_and_one", "Add", {"count", "one"});
  body.constant("minus_one", Ints{-1});
  std::string current = "data";
  const auto tensor_of_one = tensor_of(onnx::TensorProto::INT64, {1}, Ints{1});
  for (size_t i = 0; i < axes.size(); ++i) {
    const std::string n = fmt::to_string(i);
    body.constant("place" + n, Ints{static_cast<int64_t>(i)});
    body("length" + n, "Gather", {"count_and_one", "place" + n}, {{"axis", 0}});
    body("ones" + n, "ConstantOfShape", {"length" + n}, {{"value", tensor_of_one}});
    body("places" + n, "NonZero", {"ones" + n});
    body("line" + n, "Squeeze", {"places" + n}, {{"axes", Ints{0}}});
    std::string line = "line" + n;
    if (has_steps) {
      body("step" + n, "Gather", {steps, "place" + n}, {{"axis", 0}});
      body("steps_from_start" + n, "Mul", {line, "step" + n});
      line = "steps_from_start" + n;
    }
    body("start" + n, "Gather", {"start", "place" + n}, {{"axis", 0}});
    body("from_start" + n, "Add", {line, "start" + n});
    if (site.dim(0, static_cast<int>(axes[i])).value_or(0) > 0) {
      // OpenVINO then knows the indices before the model runs, and crashes at a Gather of none: one
      // more is taken, too, from wherever it is.
      const std::string last_place = body.ints({*site.dim(0, static_cast<int>(axes[i])) - 1}, "last_place");
      body("not_behind" + n, "Min", {"from_start" + n, last_place});
      std::string indices = "not_behind" + n;
      if (has_steps) {
        body("not_before" + n, "Max", {indices, "zero"});
        indices = "not_before" + n;
      }
      body("taken" + n, "Gather", {current, indices}, {{"axis", axes[i]}});
      body("part" + n, "Slice", {"taken" + n, "zero", "minus_one", body.ints({axes[i]}, "axis")});
    } else {
      body("indices" + n, "Slice", {"from_start" + n, "zero", "minus_one"});
      body("part" + n, "Gather", {current, "indices" + n}, {{"axis", axes[i]}});
    }
    current = "part" + n;
  }
  body("output", "Identity", {current});
  return body.function();
}

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

  // Nor is an axis counted from the end.
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
