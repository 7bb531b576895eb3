// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Operators that make numbers from shapes, and tensors from numbers.

#include <algorithm>
#include <array>
#include <cmath>

#include "constant_folding/operators.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

// The dimensions of an input, as far as they are known; nothing when the rank is not known.
std::optional<std::vector<std::optional<int64_t>>> dims_of_input(const NodeToEvaluate& node) {
  const onnx::TypeProto* type = node.type(0);
  if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape()) return std::nullopt;
  std::vector<std::optional<int64_t>> dims;
  for (const auto& dim : type->tensor_type().shape().dim())
    dims.push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? std::optional(dim.dim_value()) : std::nullopt);
  return dims;
}

Evaluated shape(const NodeToEvaluate& node) {
  const auto dims = dims_of_input(node);
  if (!dims) return std::nullopt;
  const auto rank = static_cast<int64_t>(dims->size());
  const auto bound = [&](std::string_view name, int64_t otherwise) {
    const int64_t given = node.integer(name, otherwise);
    return std::clamp<int64_t>(given < 0 ? given + rank : given, 0, rank);
  };
  const int64_t start = bound("start", 0);
  const int64_t end = std::max(start, bound("end", rank));
  KnownTensor result{TensorProto::INT64, {end - start}, {}};
  if (!known_element_count(result.dims, result.element_type)) return std::nullopt;
  result.elements.assign(dims->begin() + start, dims->begin() + end);
  return single(std::move(result));
}

Evaluated size(const NodeToEvaluate& node) {
  const auto dims = dims_of_input(node);
  if (!dims) return std::nullopt;
  int64_t count = 1;
  for (const std::optional<int64_t>& dim : *dims) {
    if (!dim || __builtin_mul_overflow(count, *dim, &count)) return std::nullopt;
  }
  return single({TensorProto::INT64, {}, {count}});
}

Evaluated constant_of_shape(const NodeToEvaluate& node) {
  const auto dims = node.integers_of_input(0);
  if (!dims) return std::nullopt;
  KnownTensor element{TensorProto::FLOAT, {1}, {0}};
  if (const onnx::AttributeProto* value = node.attribute("value")) {
    auto given = known_tensor(value->t());
    if (!given || given->elements.size() != 1) return std::nullopt;
    element = std::move(*given);
  }
  const std::optional<size_t> count = known_element_count(*dims, element.element_type);
  if (!count) return std::nullopt;
  KnownTensor result{element.element_type, *dims, {}};
  result.elements.assign(*count, element.elements[0]);
  return single(std::move(result));
}

// A range of whole numbers, with which no step is rounded.
Evaluated range(const NodeToEvaluate& node) {
  int64_t bounds[3];
  int type = 0;
  for (const size_t input : {0, 1, 2}) {
    const KnownTensor* known = node.value(input);
    if (known == nullptr || known->elements.size() != 1 || !known->elements[0] ||
        (type != 0 && known->element_type != type))
      return std::nullopt;
    type = known->element_type;
    const std::optional<int64_t> number = whole_number(*known->elements[0], type);
    if (!number) return std::nullopt;
    bounds[input] = *number;
  }
  const auto [start, limit, delta] = bounds;
  if (delta == 0) return std::nullopt;
  const int64_t distance = limit - start;
  int64_t count = distance / delta;
  if (distance % delta != 0 && (distance < 0) == (delta < 0)) ++count;
  count = std::max<int64_t>(count, 0);
  KnownTensor result{type, {count}, {}};
  if (!known_element_count(result.dims, type)) return std::nullopt;
  for (int64_t k = 0; k < count; ++k) {
    const int64_t number = start + k * delta;
    result.elements.emplace_back(is_float_or_double(type) ? element_of_number(static_cast<double>(number), type)
                                                          : wrapped(number, type));
  }
  return single(std::move(result));
}

// The coordinates of the elements that are not zero, one column for each element.
Evaluated non_zero(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr || !is_integer_or_bool(input->element_type) || !input->is_known() || input->dims.empty())
    return std::nullopt;
  std::vector<std::vector<int64_t>> rows(input->dims.size());
  size_t next = 0;
  if (!input->elements.empty()) {
    for_each_element(input->dims, [&](std::span<const int64_t> at) {
      if (*input->elements[next++] == 0) return;
      for (size_t axis = 0; axis < at.size(); ++axis) rows[axis].push_back(at[axis]);
    });
  }
  KnownTensor result{TensorProto::INT64, {static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows[0].size())}, {}};
  if (!known_element_count(result.dims, result.element_type)) return std::nullopt;
  for (const std::vector<int64_t>& row : rows) result.elements.insert(result.elements.end(), row.begin(), row.end());
  return single(std::move(result));
}

}  // namespace

std::optional<int64_t> whole_number(int64_t element, int element_type) {
  constexpr int64_t largest = int64_t{1} << 53;  // runtimes count in double
  constexpr int64_t largest_in_float = int64_t{1} << 24;
  const int64_t most = element_type == TensorProto::FLOAT ? largest_in_float : largest;
  if (is_float_or_double(element_type)) {
    const double number = number_of(element, element_type);
    if (!(std::abs(number) <= static_cast<double>(most)) || number != std::trunc(number) ||
        (number == 0 && std::signbit(number)))
      return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (!is_signed_integer(element_type) || element > most || element < -most) return std::nullopt;
  return element;
}

std::span<const Evaluator> shape_evaluators() {
  static constexpr std::array all = std::to_array<Evaluator>({{"ConstantOfShape", constant_of_shape},
                                                              {"NonZero", non_zero},
                                                              {"Range", range},
                                                              {"Shape", shape, 0},
                                                              {"Size", size, 0}});
  return all;
}

}  // namespace onnx_lower
