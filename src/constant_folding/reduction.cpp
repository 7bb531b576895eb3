// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Operators that combine many numbers into one: integers, and floats where their order does not
// matter, because none is rounded on the way.

#include <algorithm>
#include <array>

#include "constant_folding/operators.h"

namespace onnx_lower {
namespace {

struct Reduction {
  Combine combine;
  // The result of reducing no elements. Without one, such a reduction is left to the runtime.
  std::optional<int64_t> of_nothing;
  int first_with_axes_as_input = 18;
};

// Nothing when the axes are not known.
std::optional<std::vector<bool>> reduced_axes(const NodeToEvaluate& node, const Reduction& reduction, size_t rank) {
  std::vector<int64_t> axes;
  if (node.since_version() < reduction.first_with_axes_as_input) {
    axes = node.integers("axes").value_or(std::vector<int64_t>());
  } else if (node.has_input(1)) {
    const auto given = node.integers_of_input(1);
    if (!given) return std::nullopt;
    axes = *given;
  }
  const bool keeps_all = axes.empty() && node.integer("noop_with_empty_axes", 0) != 0;
  std::vector<bool> reduced(rank, axes.empty() && !keeps_all);
  for (const int64_t given : axes) {
    const std::optional<size_t> axis = axis_of(given, rank);
    if (!axis) return std::nullopt;
    reduced[*axis] = true;
  }
  return reduced;
}

// A runtime may combine floats in any order. The result is the same for the least and the greatest
// of them, and for numbers that are whole and not negative, if the result is whole, too.
bool may_combine(const KnownTensor& input, const Reduction& reduction) {
  if (!is_float_or_double(input.element_type)) return is_integer(input.element_type);
  if (!reduction.of_nothing) return true;
  if (input.elements.empty()) return false;
  return std::ranges::all_of(input.elements, [&](const Element& element) {
    return !element || whole_number(*element, input.element_type).value_or(-1) >= 0;
  });
}

// Two elements combined; nothing where that rounds, or has no result.
Element combined(int64_t a, int64_t b, int type, const Reduction& reduction) {
  const Element result = reduction.combine(a, b, type);
  if (!result) return std::nullopt;
  const bool rounds = reduction.of_nothing && is_float_or_double(type) && !whole_number(*result, type);
  return rounds ? std::nullopt : Element(wrapped(*result, type));
}

Evaluated reduce(const NodeToEvaluate& node, const Reduction& reduction) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr || !may_combine(*input, reduction)) return std::nullopt;
  const auto reduced = reduced_axes(node, reduction, input->dims.size());
  if (!reduced) return std::nullopt;
  const bool keeps_dims = node.integer("keepdims", 1) != 0;
  std::vector<int64_t> wide = input->dims;  // of the result, before reduced axes are dropped
  std::vector<int64_t> dims;
  for (size_t axis = 0; axis < wide.size(); ++axis) {
    if ((*reduced)[axis]) wide[axis] = 1;
    if (!(*reduced)[axis] || keeps_dims) dims.push_back(wide[axis]);
  }
  const std::optional<size_t> count = known_element_count(dims, input->element_type);
  if (!count || (input->elements.empty() && *count != 0 && !reduction.of_nothing)) return std::nullopt;
  KnownTensor result{input->element_type, std::move(dims), {}};
  result.elements.assign(*count, input->elements.empty() ? reduction.of_nothing : std::nullopt);
  if (input->elements.empty()) return single(std::move(result));
  std::vector<bool> begun(*count, false);
  const std::vector<size_t> strides = strides_of(wide);
  size_t next = 0;
  bool has_results = true;
  for_each_element(input->dims, [&](std::span<const int64_t> at) {
    size_t to = 0;
    for (size_t axis = 0; axis < at.size(); ++axis) {
      if (!(*reduced)[axis]) to += static_cast<size_t>(at[axis]) * strides[axis];
    }
    const Element& element = input->elements[next++];
    Element& made = result.elements[to];
    if (!begun[to]) {
      made = element;
      begun[to] = true;
    } else if (made && element) {
      made = combined(*made, *element, input->element_type, reduction);
      has_results &= made.has_value();
    } else {
      made.reset();
    }
  });
  if (!has_results) return std::nullopt;
  return single(std::move(result));
}

constexpr int first_sum_with_axes_as_input = 13;

Evaluated reduce_sum(const NodeToEvaluate& node) { return reduce(node, {sum, 0, first_sum_with_axes_as_input}); }
Evaluated reduce_product(const NodeToEvaluate& node) { return reduce(node, {product, 1}); }
Evaluated reduce_least(const NodeToEvaluate& node) { return reduce(node, {least, std::nullopt}); }
Evaluated reduce_greatest(const NodeToEvaluate& node) { return reduce(node, {greatest, std::nullopt}); }

Evaluated cumulative_sum(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  const auto given = node.integers_of_input(1);
  if (input == nullptr || !is_integer(input->element_type) || !given || given->size() != 1) return std::nullopt;
  const std::optional<size_t> axis = axis_of(given->front(), input->dims.size());
  if (!axis) return std::nullopt;
  KnownTensor result = *input;
  if (result.elements.empty()) return single(std::move(result));
  const bool exclusive = node.integer("exclusive", 0) != 0;
  const bool reverse = node.integer("reverse", 0) != 0;
  const auto length = static_cast<size_t>(input->dims[*axis]);
  const size_t stride = strides_of(input->dims)[*axis];
  for (size_t first = 0; first < result.elements.size(); ++first) {
    if (first / stride % length != 0) continue;  // visits each line along the axis once
    Element running = 0;
    for (size_t k = 0; k < length; ++k) {
      const size_t index = first + (reverse ? length - 1 - k : k) * stride;
      const Element& element = input->elements[index];
      const Element with =
          running && element ? Element(wrapped(*sum(*running, *element, 0), input->element_type)) : std::nullopt;
      result.elements[index] = exclusive ? running : with;
      running = with;
    }
  }
  return single(std::move(result));
}

}  // namespace

std::span<const Evaluator> reduction_evaluators() {
  static constexpr std::array all = std::to_array<Evaluator>({{"CumSum", cumulative_sum},
                                                              {"ReduceMax", reduce_greatest},
                                                              {"ReduceMin", reduce_least},
                                                              {"ReduceProd", reduce_product},
                                                              {"ReduceSum", reduce_sum}});
  return all;
}

}  // namespace onnx_lower
