// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

std::string list(const std::vector<int64_t>& values) { return fmt::format("{}", fmt::join(values, ", ")); }

std::string constant(std::string_view name, const std::vector<int64_t>& values) {
  return fmt::format("{} = Constant <value = int64[{}] {{{}}}> ()\n", name, values.size(), list(values));
}

// From 10 on they are inputs.
Lowering with_inputs(const CallSite& site) {
  const std::vector<int64_t> starts = site.attribute_ints("starts", {});
  std::vector<int64_t> all_axes(starts.size());
  std::iota(all_axes.begin(), all_axes.end(), 0);
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 13]> Slice (data) => (output) {{
        {} {} {} output = Slice (data, starts, ends, axes)
      }})",
      constant("starts", starts), constant("ends", site.attribute_ints("ends", {})),
      constant("axes", site.attribute_ints("axes", all_axes))));
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
  std::string body = R"(shape = Shape (data)
      zero = Constant <value = int64[1] {0}> ()
      wide_starts = Cast <to = 7> (starts)
      wide_ends = Cast <to = 7> (ends)
)";
  std::string current = "data";
  for (size_t i = 0; i < axes.size(); ++i) {
    body += fmt::format(
        "place{0} = Constant <value = int64[1] {{{0}}}> () axis{0} = Constant <value = int64[1] {{{1}}}> ()\n", i,
        axes[i]);
    body += fmt::format("size{0} = Gather <axis = 0> (shape, axis{0})\n", i);
    for (const std::string_view side : {"start", "end"}) {
      // Counted from the end if negative, and limited to the dimension.
      body += fmt::format(R"({1}_given{0} = Gather <axis = 0> (wide_{1}s, place{0})
          {1}_is_negative{0} = Less ({1}_given{0}, zero)
          {1}_from_end{0} = Add ({1}_given{0}, size{0})
          {1}_place{0} = Where ({1}_is_negative{0}, {1}_from_end{0}, {1}_given{0})
          {1}_is_before{0} = Less ({1}_place{0}, zero)
          {1}_low{0} = Where ({1}_is_before{0}, zero, {1}_place{0})
          {1}_is_behind{0} = Greater ({1}_low{0}, size{0})
          {1}{0} = Where ({1}_is_behind{0}, size{0}, {1}_low{0})
)",
                          i, side);
    }
    body += fmt::format(R"(length{0} = Sub (end{0}, start{0})
        is_none{0} = Less (length{0}, zero)
        count{0} = Where (is_none{0}, zero, length{0})
        ones{0} = ConstantOfShape <value = int64[1] {{1}}> (count{0})
        places{0} = NonZero (ones{0})
        line{0} = Squeeze <axes = [0]> (places{0})
        indices{0} = Add (line{0}, start{0})
        part{0} = Gather <axis = {1}> ({2}, indices{0})
)",
                        i, axes[i], current);
    current = fmt::format("part{}", i);
  }
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 9]> Slice (data, starts, ends, axes, steps) => (output) {{ {} output = Identity ({}) }})",
      body, current));
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
  std::string body;
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
    body += constant(fmt::format("indices{}", i), taken((*starts)[i], (*ends)[i], steps[i], *size));
    body += fmt::format("gathered{0} = Gather <axis = {1}> ({2}, indices{0})\n", i, axes[i], current);
    current = fmt::format("gathered{}", i);
  }
  body += plain_axes.empty()
              ? fmt::format("output = Identity ({})", current)
              : fmt::format("output = Slice <starts: ints = [{}], ends: ints = [{}], axes: ints = [{}]> ({})",
                            list(plain_starts), list(plain_ends), list(plain_axes), current);
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 9]> Slice (data, starts, ends, axes, steps) => (output) {{ {} }})",
      body));
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
