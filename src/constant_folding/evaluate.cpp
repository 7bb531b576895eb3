// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "constant_folding/evaluate.h"

#include <unordered_map>

#include "constant_folding/operators.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {

const onnx::AttributeProto* NodeToEvaluate::attribute(std::string_view name) const {
  return find_attribute(node_, name);
}

int64_t NodeToEvaluate::integer(std::string_view name, int64_t otherwise) const {
  const onnx::AttributeProto* given = attribute(name);
  return given == nullptr ? otherwise : given->i();
}

std::optional<std::vector<int64_t>> NodeToEvaluate::integers(std::string_view name) const {
  const onnx::AttributeProto* given = attribute(name);
  if (given == nullptr) return std::nullopt;
  return std::vector<int64_t>(given->ints().begin(), given->ints().end());
}

std::optional<std::vector<int64_t>> NodeToEvaluate::integers_of_input(size_t input) const {
  const KnownTensor* known = value(input);
  if (known == nullptr || !is_signed_integer(known->element_type) || !known->is_known()) return std::nullopt;
  std::vector<int64_t> integers;
  integers.reserve(known->elements.size());
  for (const std::optional<int64_t>& element : known->elements) integers.push_back(*element);
  return integers;
}

std::optional<std::vector<int64_t>> broadcast(std::span<const int64_t> a, std::span<const int64_t> b) {
  if (a.size() < b.size()) std::swap(a, b);
  std::vector<int64_t> dims(a.begin(), a.end());
  const size_t ahead = a.size() - b.size();
  for (size_t axis = 0; axis < b.size(); ++axis) {
    int64_t& dim = dims[ahead + axis];
    if (dim == b[axis] || b[axis] == 1) continue;
    if (dim != 1) return std::nullopt;
    dim = b[axis];
  }
  return dims;
}

std::optional<KnownTensor> expanded(const KnownTensor& tensor, std::span<const int64_t> dims) {
  if (tensor.dims.size() > dims.size()) return std::nullopt;
  const size_t ahead = dims.size() - tensor.dims.size();
  return moved(tensor, dims, [&](std::span<const int64_t> at, std::span<int64_t> from) {
    for (size_t axis = 0; axis < from.size(); ++axis) from[axis] = tensor.dims[axis] == 1 ? 0 : at[ahead + axis];
  });
}

const Evaluator* evaluator_of(std::string_view op_type) {
  static const std::unordered_map<std::string_view, const Evaluator*> evaluators = [] {
    std::unordered_map<std::string_view, const Evaluator*> all;
    for (const auto kind :
         {elementwise_evaluators(), movement_evaluators(), reduction_evaluators(), shape_evaluators()}) {
      for (const Evaluator& evaluator : kind) all.emplace(evaluator.op_type, &evaluator);
    }
    return all;
  }();
  const auto found = evaluators.find(op_type);
  return found == evaluators.end() ? nullptr : found->second;
}

}  // namespace onnx_lower
