// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Operators that only move elements, of any type, to other places.

#include <algorithm>
#include <array>
#include <numeric>

#include "constant_folding/operators.h"

namespace onnx_lower {
namespace {

// A parameter that was an attribute in earlier versions and is an input now. `absent`: the node
// has neither of them.
struct Parameter {
  std::vector<int64_t> values;
  bool absent = false;
};

// Nothing when the values are not known.
std::optional<Parameter> parameter(const NodeToEvaluate& node, size_t input, std::string_view name,
                                   int first_as_input) {
  if (node.since_version() < first_as_input) {
    auto values = node.integers(name);
    return values ? Parameter{std::move(*values)} : Parameter{{}, true};
  }
  if (!node.has_input(input)) return Parameter{{}, true};
  auto values = node.integers_of_input(input);
  if (!values) return std::nullopt;
  return Parameter{std::move(*values)};
}

std::optional<std::vector<size_t>> axes_of(const std::vector<int64_t>& axes, size_t rank) {
  std::vector<size_t> found;
  for (const int64_t axis : axes) {
    const std::optional<size_t> same = axis_of(axis, rank);
    if (!same || std::ranges::find(found, *same) != found.end()) return std::nullopt;
    found.push_back(*same);
  }
  return found;
}

// The same elements in another shape.
Evaluated reshaped(const KnownTensor& input, std::vector<int64_t> dims) {
  const std::optional<size_t> count = known_element_count(dims, input.element_type);
  if (!count || *count != input.elements.size()) return std::nullopt;
  return single({input.element_type, std::move(dims), input.elements});
}

Evaluated identity(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr) return std::nullopt;
  return single(*input);
}

Evaluated reshape(const NodeToEvaluate& node) {
  constexpr int first_with_input = 5;
  const KnownTensor* input = node.value(0);
  const auto shape = parameter(node, 1, "shape", first_with_input);
  if (input == nullptr || !shape || shape->absent) return std::nullopt;
  std::vector<int64_t> dims = shape->values;
  const bool keeps_zero = node.integer("allowzero", 0) != 0;
  int64_t known = 1;
  std::optional<size_t> open;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] == -1) {
      if (open) return std::nullopt;
      open = axis;
      continue;
    }
    if (dims[axis] == 0 && !keeps_zero) {
      if (axis >= input->dims.size()) return std::nullopt;
      dims[axis] = input->dims[axis];
    }
    if (dims[axis] < 0 || __builtin_mul_overflow(known, dims[axis], &known)) return std::nullopt;
  }
  if (open) {
    const auto count = static_cast<int64_t>(input->elements.size());
    if (known == 0 || count % known != 0) return std::nullopt;
    dims[*open] = count / known;
  }
  return reshaped(*input, std::move(dims));
}

constexpr int first_with_axes_as_input = 13;

Evaluated squeeze(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  const auto given = parameter(node, 1, "axes", first_with_axes_as_input);
  if (input == nullptr || !given) return std::nullopt;
  const auto axes = axes_of(given->values, input->dims.size());
  if (!axes) return std::nullopt;
  std::vector<int64_t> dims;
  for (size_t axis = 0; axis < input->dims.size(); ++axis) {
    const bool is_named = std::ranges::find(*axes, axis) != axes->end();
    if (is_named && input->dims[axis] != 1) return std::nullopt;
    const bool goes = given->absent ? input->dims[axis] == 1 : is_named;
    if (!goes) dims.push_back(input->dims[axis]);
  }
  return reshaped(*input, std::move(dims));
}

Evaluated unsqueeze(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  const auto given = parameter(node, 1, "axes", first_with_axes_as_input);
  if (input == nullptr || !given || given->absent) return std::nullopt;
  const size_t rank = input->dims.size() + given->values.size();
  const auto axes = axes_of(given->values, rank);
  if (!axes) return std::nullopt;
  std::vector<int64_t> dims;
  auto next = input->dims.begin();
  for (size_t axis = 0; axis < rank; ++axis)
    dims.push_back(std::ranges::find(*axes, axis) != axes->end() ? 1 : *next++);
  return reshaped(*input, std::move(dims));
}

Evaluated flatten(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr) return std::nullopt;
  const auto rank = static_cast<int64_t>(input->dims.size());
  int64_t axis = node.integer("axis", 1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis > rank) return std::nullopt;
  std::vector<int64_t> dims(2, 1);
  for (int64_t k = 0; k < rank; ++k) {
    int64_t& dim = dims[k < axis ? 0 : 1];
    if (__builtin_mul_overflow(dim, input->dims[static_cast<size_t>(k)], &dim)) return std::nullopt;
  }
  return reshaped(*input, std::move(dims));
}

Evaluated transpose(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr) return std::nullopt;
  const size_t rank = input->dims.size();
  std::vector<int64_t> reversed(rank);
  for (size_t axis = 0; axis < rank; ++axis) reversed[axis] = static_cast<int64_t>(rank - 1 - axis);
  const auto order = axes_of(node.integers("perm").value_or(reversed), rank);
  if (!order || order->size() != rank) return std::nullopt;
  std::vector<int64_t> dims;
  for (const size_t axis : *order) dims.push_back(input->dims[axis]);
  return single(moved(*input, dims, [&](std::span<const int64_t> at, std::span<int64_t> from) {
    for (size_t axis = 0; axis < rank; ++axis) from[(*order)[axis]] = at[axis];
  }));
}

// What a slice takes along one axis.
struct Range {
  int64_t start = 0;
  int64_t step = 1;
  int64_t count = 0;
};

Range clamped_range(int64_t start, int64_t end, int64_t step, int64_t dim) {
  if (dim == 0) return {};
  if (start < 0) start += dim;
  if (end < 0) end += dim;
  const bool forwards = step > 0;
  start = std::clamp<int64_t>(start, 0, forwards ? dim : dim - 1);
  end = std::clamp<int64_t>(end, forwards ? 0 : -1, forwards ? dim : dim - 1);
  const uint64_t distance = forwards ? static_cast<uint64_t>(std::max<int64_t>(end - start, 0))
                                     : static_cast<uint64_t>(std::max<int64_t>(start - end, 0));
  const uint64_t stride = forwards ? static_cast<uint64_t>(step) : -static_cast<uint64_t>(step);
  const auto count = static_cast<int64_t>(distance / stride + (distance % stride != 0 ? 1 : 0));
  // The step of a slice with one element may be longer than any tensor.
  return {start, count > 1 ? step : 1, count};
}

Evaluated slice(const NodeToEvaluate& node) {
  constexpr int first_with_inputs = 10;
  const KnownTensor* input = node.value(0);
  const auto starts = parameter(node, 1, "starts", first_with_inputs);
  const auto ends = parameter(node, 2, "ends", first_with_inputs);
  const auto given = parameter(node, 3, "axes", first_with_inputs);
  const auto steps = parameter(node, 4, "steps", first_with_inputs);
  if (input == nullptr || !starts || !ends || !given || !steps) return std::nullopt;
  const size_t count = starts->values.size();
  std::vector<int64_t> axes_in_order(count);
  std::iota(axes_in_order.begin(), axes_in_order.end(), int64_t{0});
  const auto axes = axes_of(given->absent ? axes_in_order : given->values, input->dims.size());
  if (!axes || axes->size() != count || ends->values.size() != count) return std::nullopt;
  if (!steps->absent && steps->values.size() != count) return std::nullopt;
  std::vector<Range> ranges;
  for (const int64_t dim : input->dims) ranges.push_back({0, 1, dim});
  for (size_t k = 0; k < count; ++k) {
    const int64_t step = steps->absent ? 1 : steps->values[k];
    if (step == 0) return std::nullopt;
    const size_t axis = (*axes)[k];
    ranges[axis] = clamped_range(starts->values[k], ends->values[k], step, input->dims[axis]);
  }
  std::vector<int64_t> dims;
  for (const Range& range : ranges) dims.push_back(range.count);
  return single(moved(*input, dims, [&](std::span<const int64_t> at, std::span<int64_t> from) {
    for (size_t axis = 0; axis < at.size(); ++axis) from[axis] = ranges[axis].start + at[axis] * ranges[axis].step;
  }));
}

Evaluated concat(const NodeToEvaluate& node) {
  const KnownTensor* first = node.value(0);
  if (first == nullptr) return std::nullopt;
  // In version 1 the axis had a default; later versions require the attribute.
  const std::optional<size_t> axis = axis_of(node.integer("axis", 1), first->dims.size());
  if (!axis) return std::nullopt;
  KnownTensor result{first->element_type, first->dims, {}};
  result.dims[*axis] = 0;
  std::vector<const KnownTensor*> inputs;
  for (size_t index = 0; index < node.input_count(); ++index) {
    const KnownTensor* input = node.value(index);
    if (input == nullptr || input->element_type != first->element_type || input->dims.size() != first->dims.size())
      return std::nullopt;
    for (size_t other = 0; other < first->dims.size(); ++other) {
      if (other != *axis && input->dims[other] != first->dims[other]) return std::nullopt;
    }
    result.dims[*axis] += input->dims[*axis];
    inputs.push_back(input);
  }
  const std::optional<size_t> count = known_element_count(result.dims, result.element_type);
  if (!count) return std::nullopt;
  size_t outer = 1;
  for (size_t other = 0; other < *axis; ++other) outer *= static_cast<size_t>(first->dims[other]);
  for (size_t block = 0; *count != 0 && block < outer; ++block) {
    for (const KnownTensor* input : inputs) {
      const size_t size = input->elements.size() / outer;
      const auto begin = input->elements.begin() + static_cast<std::ptrdiff_t>(block * size);
      result.elements.insert(result.elements.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
  }
  return single(std::move(result));
}

// The lengths of the parts into which a dimension is split.
std::optional<std::vector<int64_t>> split_sizes(const NodeToEvaluate& node, int64_t dim) {
  constexpr int first_with_input = 13;
  constexpr int first_with_remainder = 18;
  const auto given = parameter(node, 1, "split", first_with_input);
  if (!given || node.output_count() == 0) return std::nullopt;
  const auto outputs = static_cast<int64_t>(node.output_count());
  std::vector<int64_t> sizes = given->values;
  if (given->absent) {
    if (dim % outputs != 0 && node.since_version() < first_with_remainder) return std::nullopt;
    if (node.integer("num_outputs", outputs) != outputs) return std::nullopt;
    const int64_t size = (dim + outputs - 1) / outputs;
    sizes.assign(static_cast<size_t>(outputs), size);
    sizes.back() = dim - size * (outputs - 1);
  }
  if (static_cast<int64_t>(sizes.size()) != outputs) return std::nullopt;
  int64_t sum = 0;
  for (const int64_t size : sizes) {
    if (size < 0 || size > dim) return std::nullopt;
    sum += size;
  }
  if (sum != dim) return std::nullopt;
  return sizes;
}

Evaluated split(const NodeToEvaluate& node) {
  constexpr int first_without_optional_input = 2;
  const KnownTensor* input = node.value(0);
  if (input == nullptr || node.since_version() < first_without_optional_input) return std::nullopt;
  const std::optional<size_t> axis = axis_of(node.integer("axis", 0), input->dims.size());
  if (!axis) return std::nullopt;
  const auto sizes = split_sizes(node, input->dims[*axis]);
  if (!sizes) return std::nullopt;
  std::vector<KnownTensor> parts;
  int64_t begin = 0;
  for (const int64_t size : *sizes) {
    std::vector<int64_t> dims = input->dims;
    dims[*axis] = size;
    auto part = moved(*input, dims, [&](std::span<const int64_t> at, std::span<int64_t> from) {
      std::ranges::copy(at, from.begin());
      from[*axis] += begin;
    });
    if (!part) return std::nullopt;
    parts.push_back(std::move(*part));
    begin += size;
  }
  return parts;
}

int64_t from_beginning(int64_t position, int64_t dim) { return position < 0 ? position + dim : position; }

Evaluated gather(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  const KnownTensor* indices = node.value(1);
  const auto positions = node.integers_of_input(1);
  if (input == nullptr || !positions) return std::nullopt;
  const std::optional<size_t> axis = axis_of(node.integer("axis", 0), input->dims.size());
  if (!axis) return std::nullopt;
  const size_t rank_of_indices = indices->dims.size();
  const std::vector<size_t> index_strides = strides_of(indices->dims);
  const auto before = input->dims.begin() + static_cast<std::ptrdiff_t>(*axis);
  std::vector<int64_t> dims(input->dims.begin(), before);
  dims.insert(dims.end(), indices->dims.begin(), indices->dims.end());
  dims.insert(dims.end(), before + 1, input->dims.end());
  return single(moved(*input, dims, [&](std::span<const int64_t> at, std::span<int64_t> from) {
    size_t index = 0;
    for (size_t k = 0; k < rank_of_indices; ++k) index += static_cast<size_t>(at[*axis + k]) * index_strides[k];
    std::ranges::copy(at.first(*axis), from.begin());
    from[*axis] = from_beginning((*positions)[index], input->dims[*axis]);
    std::ranges::copy(at.subspan(*axis + rank_of_indices), from.subspan(*axis + 1).begin());
  }));
}

Evaluated gather_elements(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  const KnownTensor* indices = node.value(1);
  const auto positions = node.integers_of_input(1);
  if (input == nullptr || !positions || indices->dims.size() != input->dims.size()) return std::nullopt;
  const std::optional<size_t> axis = axis_of(node.integer("axis", 0), input->dims.size());
  if (!axis) return std::nullopt;
  size_t next = 0;
  return single(moved(*input, indices->dims, [&](std::span<const int64_t> at, std::span<int64_t> from) {
    std::ranges::copy(at, from.begin());
    from[*axis] = from_beginning((*positions)[next++], input->dims[*axis]);
  }));
}

// Sets the elements below, or above, a diagonal of the last two dimensions to zero. The bits of
// zero are the same in all types.
Evaluated triangle(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr || input->dims.size() < 2) return std::nullopt;
  int64_t diagonal = 0;
  if (node.has_input(1)) {
    const auto given = node.integers_of_input(1);
    if (!given || given->size() != 1) return std::nullopt;
    // All diagonals outside of the tensor have the same effect.
    diagonal = std::clamp<int64_t>(given->front(), -input->dims[input->dims.size() - 2], input->dims.back());
  }
  const bool is_upper = node.integer("upper", 1) != 0;
  KnownTensor result = *input;
  if (result.elements.empty()) return single(std::move(result));
  size_t next = 0;
  for_each_element(result.dims, [&](std::span<const int64_t> at) {
    const int64_t place = at.back() - at[at.size() - 2];  // the diagonal that the element is on
    std::optional<int64_t>& element = result.elements[next++];
    if (is_upper ? place < diagonal : place > diagonal) element = 0;
  });
  return single(std::move(result));
}

Evaluated expand(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  const auto shape = node.integers_of_input(1);
  if (input == nullptr || !shape) return std::nullopt;
  const auto dims = broadcast(input->dims, *shape);
  return dims ? single(expanded(*input, *dims)) : std::nullopt;
}

Evaluated tile(const NodeToEvaluate& node) {
  constexpr int first_with_repeats = 6;
  const KnownTensor* input = node.value(0);
  const auto repeats = node.integers_of_input(1);
  if (node.since_version() < first_with_repeats || input == nullptr || !repeats ||
      repeats->size() != input->dims.size())
    return std::nullopt;
  std::vector<int64_t> dims = input->dims;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (__builtin_mul_overflow(dims[axis], (*repeats)[axis], &dims[axis])) return std::nullopt;
  }
  return single(moved(*input, dims, [&](std::span<const int64_t> at, std::span<int64_t> from) {
    for (size_t axis = 0; axis < at.size(); ++axis) from[axis] = at[axis] % input->dims[axis];
  }));
}

}  // namespace

std::span<const Evaluator> movement_evaluators() {
  static constexpr std::array all = std::to_array<Evaluator>({{"Concat", concat},
                                                              {"Expand", expand},
                                                              {"Flatten", flatten},
                                                              {"Gather", gather},
                                                              {"GatherElements", gather_elements},
                                                              {"Identity", identity},
                                                              {"Reshape", reshape},
                                                              {"Slice", slice},
                                                              {"Split", split},
                                                              {"Squeeze", squeeze},
                                                              {"Tile", tile},
                                                              {"Transpose", transpose},
                                                              {"Trilu", triangle},
                                                              {"Unsqueeze", unsqueeze}});
  return all;
}

}  // namespace onnx_lower
