// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/cost/multiplications.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace onnx_lower {
namespace {

enum class Kind { convolution, transposed_convolution, product, general_product, recurrent };

struct Counted {
  std::string_view op_type;
  Kind kind;
  int weight;  // which input holds the weights, or is the second factor
};

// The recurrent ones have the weights of the state in the input behind `weight`.
constexpr Counted counted_operators[] = {
    {"Conv", Kind::convolution, 1},
    {"ConvInteger", Kind::convolution, 1},
    {"ConvTranspose", Kind::transposed_convolution, 1},
    {"DeformConv", Kind::convolution, 1},
    {"GRU", Kind::recurrent, 1},
    {"Gemm", Kind::general_product, 1},
    {"LSTM", Kind::recurrent, 1},
    {"MatMul", Kind::product, 1},
    {"MatMulInteger", Kind::product, 1},
    {"QLinearConv", Kind::convolution, 3},
    {"QLinearMatMul", Kind::product, 3},
    {"RNN", Kind::recurrent, 1},
};

const Counted* find(std::string_view op_type) {
  const auto* found = std::ranges::find(counted_operators, op_type, &Counted::op_type);
  return found == std::end(counted_operators) ? nullptr : found;
}

uint64_t product(std::span<const int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), uint64_t{1},
                         [](uint64_t all, int64_t dim) { return all * static_cast<uint64_t>(dim); });
}

int64_t integer(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == name) return attribute.i();
  }
  return 0;
}

}  // namespace

bool multiplies(std::string_view op_type) { return find(op_type) != nullptr; }

std::optional<uint64_t> multiplications_of(const onnx::NodeProto& node, const std::function<Dims(int)>& input,
                                           const std::function<Dims(int)>& output) {
  const Counted* counted = find(node.op_type());
  if (counted == nullptr) return std::nullopt;
  const Dims first = input(0);
  const Dims weight = input(counted->weight);
  if (!first || !weight) return std::nullopt;
  switch (counted->kind) {
    // The weights are [outputs, inputs of a group, kernel…], or [inputs, outputs of a group, …].
    case Kind::convolution: {
      const Dims made = output(0);
      if (!made || weight->empty()) return std::nullopt;
      return product(*made) * product(std::span(*weight).subspan(1));
    }
    case Kind::transposed_convolution:
      if (weight->empty()) return std::nullopt;
      return product(*first) * product(std::span(*weight).subspan(1));
    case Kind::product: {
      const Dims made = output(0);
      if (!made || first->empty()) return std::nullopt;
      return product(*made) * static_cast<uint64_t>(first->back());
    }
    case Kind::general_product: {
      if (first->size() != 2 || weight->size() != 2) return std::nullopt;
      const size_t columns = integer(node, "transB") != 0 ? 0 : 1;
      return product(*first) * static_cast<uint64_t>((*weight)[columns]);
    }
    // The weights are [directions, gates, size] and are used at each step of each sequence.
    case Kind::recurrent: {
      const Dims of_state = input(counted->weight + 1);
      if (!of_state || first->size() != 3) return std::nullopt;
      return product(std::span(*first).first(2)) * (product(*weight) + product(*of_state));
    }
  }
  return std::nullopt;
}

}  // namespace onnx_lower
