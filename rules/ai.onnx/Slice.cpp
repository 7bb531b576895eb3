// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "rules/body.h"

namespace onnx_lower {
namespace {

// From 10 on they are inputs.
Lowering with_inputs(const CallSite& site) {
  const std::vector<int64_t> starts = site.attribute_ints("starts", {});
  std::vector<int64_t> all_axes(starts.size());
  std::iota(all_axes.begin(), all_axes.end(), 0);
  Body body("ai.onnx", "Slice", {"data"}, {"output"}, 13);
  body.constant("starts", starts);
  body.constant("ends", site.attribute_ints("ends", {}));
  body.constant("axes", site.attribute_ints("axes", all_axes));
  body("output", "Slice", {"data", "starts", "ends", "axes"});
  return body.function();
}

// The elements that a slice with a step takes from a dimension.
std::vector<int64_t> taken(int64_t start, int64_t end, int64_t step, int64_t size) {
  const auto from_end = [size](int64_t index) { return index < 0 ? index + size : index; };
  std::vector<int64_t> indices;
  if (step > 0) {
    for (int64_t i = std::clamp<int64_t>(from_end(start), 0, size); i < std::min(from_end(end), size); i += step) {
      indices.push_back(i);
    }
  } else {
    // An end so far below zero that it stays negative means "through the first element".
    const int64_t last = std::max<int64_t>(end < -size ? -1 : from_end(end), -1);
    for (int64_t i = std::min(from_end(start), size - 1); i > last && i >= 0; i += step) indices.push_back(i);
  }
  return indices;
}

// What is known only when the model runs is gathered by indices that are made then: a vector of ones is as long as the slice,
// and the places of its elements count from 0.
Lowering at_run_time(const CallSite& site) {
  std::vector<int64_t> axes;
  if (site.has_input(3)) {
    const auto given = site.constant_ints(3);
    if (!given) return Declined{"below opset 10 the axes must be constants"};
    axes = *given;
  } else {
    const auto count = site.dim(1, 0);
    if (!count) return Declined{"below opset 10 the number of axes must be known"};
    axes.resize(static_cast<size_t>(*count));
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (site.has_input(4)) {
    const auto steps = site.constant_ints(4);
    if (!steps || std::ranges::any_of(*steps, [](int64_t step) { return step != 1; })) {
      return Declined{"below opset 10 a slice whose ends are not constants must have steps of 1"};
    }
  }
  Body body("ai.onnx", "Slice", {"data", "starts", "ends", "axes", "steps"}, {"output"}, 9);
  body("shape", "Shape", {"data"});
  body.constant("zero", Ints{0});
  body("wide_starts", "Cast", {"starts"}, {{"to", 7}});
  body("wide_ends", "Cast", {"ends"}, {{"to", 7}});
  std::string current = "data";
  for (size_t i = 0; i < axes.size(); ++i) {
    const std::string n = fmt::to_string(i);
    body.constant("place" + n, Ints{static_cast<int64_t>(i)});
    body.constant("axis" + n, Ints{axes[i]});
    body("size" + n, "Gather", {"shape", "axis" + n}, {{"axis", 0}});
    for (const std::string side : {"start", "end"}) {
      // Counted from the end if negative, and limited to the dimension.
      body(side + "_given" + n, "Gather", {"wide_" + side + "s", "place" + n}, {{"axis", 0}});
      body(side + "_is_negative" + n, "Less", {side + "_given" + n, "zero"});
      body(side + "_from_end" + n, "Add", {side + "_given" + n, "size" + n});
      body(side + "_place" + n, "Where", {side + "_is_negative" + n, side + "_from_end" + n, side + "_given" + n});
      body(side + "_is_before" + n, "Less", {side + "_place" + n, "zero"});
      body(side + "_low" + n, "Where", {side + "_is_before" + n, "zero", side + "_place" + n});
      body(side + "_is_behind" + n, "Greater", {side + "_low" + n, "size" + n});
      body(side + n, "Where", {side + "_is_behind" + n, "size" + n, side + "_low" + n});
    }
    body("length" + n, "Sub", {"end" + n, "start" + n});
    body("is_none" + n, "Less", {"length" + n, "zero"});
    body("count" + n, "Where", {"is_none" + n, "zero", "length" + n});
    body("ones" + n, "ConstantOfShape", {"count" + n}, {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{1})}});
    body("places" + n, "NonZero", {"ones" + n});
    body("line" + n, "Squeeze", {"places" + n}, {{"axes", Ints{0}}});
    body("indices" + n, "Add", {"line" + n, "start" + n});
    body("part" + n, "Gather", {current, "indices" + n}, {{"axis", axes[i]}});
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
    if (!given) return Declined{"below opset 10 the axes must be constants"};
    axes = *given;
  }
  if (site.has_input(4)) {
    const auto given = site.constant_ints(4);
    if (!given) return Declined{"below opset 10 the steps must be constants"};
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
    if (steps[i] == 0 || !size) {
      return Declined{
          fmt::format("below opset 10 a step of {} needs dimension {} of its input to be known", steps[i], axes[i])};
    }
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

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Slice",
                      .summary = "Starts, ends and axes are attributes below 10 and inputs from 10 on.",
                      .source = "ONNX Slice-1, Slice-10",
                      .attributes = "starts, ends, axes",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
