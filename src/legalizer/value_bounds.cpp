// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/value_bounds.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "constant_folding/known_tensor.h"
#include "rules/constant_value.h"

namespace onnx_lower {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// No dimension is larger, nor any position in a tensor: there is no memory for so many elements. So sums and products of some of them do not overflow.
constexpr Bounds of_sizes{0, 1LL << 40};

// Whose elements are those of the first input, in another order, fewer or more often.
bool only_moves_elements(std::string_view op_type) {
  constexpr std::string_view names[] = {
      "Compress", "DepthToSpace", "Expand", "Flatten", "Gather", "GatherElements", "GatherND",  "Identity", "Reshape",
      "Slice",    "SpaceToDepth", "Split",  "Squeeze", "Tile",   "TopK",           "Transpose", "Unsqueeze"};
  return std::ranges::find(names, op_type) != std::end(names);
}

bool is_one_of(std::string_view op_type, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, op_type) != names.end();
}

Bounds either(const Bounds& one, const Bounds& other) {
  return {std::min(one.least, other.least), std::max(one.most, other.most)};
}

// No bounds where they are not numbers: those of a difference of infinities.
Bounds among(std::initializer_list<double> corners) {
  if (std::ranges::any_of(corners, [](double corner) { return std::isnan(corner); })) return {};
  return {std::min(corners), std::max(corners)};
}

class Search {
 public:
  Bounds of(const GraphScope& scope, ValueId value) {
    const GraphScope* where = value == absent_value ? nullptr : defining_scope(&scope, value);
    if (where == nullptr || depth_ == deepest || found_.size() >= most_values) return {};
    if (const auto known = found_.find(value); known != found_.end()) return known->second;
    ++depth_;
    const Bounds bounds = within_type(*where, value, find(*where, value));
    --depth_;
    return found_[value] = bounds;
  }

 private:
  static constexpr int deepest = 64;
  static constexpr size_t most_values = 256;

  // An integer that its type does not hold comes out as any other.
  static Bounds within_type(const GraphScope& scope, ValueId value, const Bounds& bounds) {
    const int type = scope.element_type(value);
    if (type == onnx::TensorProto::BOOL) return {0, 1};
    if (is_float_or_double(type) || type == onnx::TensorProto::FLOAT16 || type == onnx::TensorProto::BFLOAT16)
      return bounds;
    const size_t width = element_width(type);
    if (!is_integer(type) || width == 0) return {};
    const double most = std::ldexp(1.0, static_cast<int>(width) * 8 - (is_signed_integer(type) ? 1 : 0));
    const double least = is_signed_integer(type) ? -most : 0;
    // What stands behind the point goes, in a Cast as in a Div.
    if (bounds.least >= least && bounds.most < most) return {std::trunc(bounds.least), std::trunc(bounds.most)};
    return {least, most};
  }

  Bounds find(const GraphScope& scope, ValueId value) {
    constexpr size_t most_bytes = size_t{1} << 16;
    if (const onnx::TensorProto* tensor = scope.constant_up_to(value, most_bytes)) return of_constant(*tensor);
    const NodeView maker = scope.producer(value);
    if (!maker || maker.has_bodies) return {};
    const onnx::NodeProto& node = scope.message(maker);
    if (!node.domain().empty()) return {};
    // What is asked next takes the place of the message.
    const std::string op_type = node.op_type();
    const std::span<const ValueId> inputs = maker.inputs;
    const auto input = [&](size_t index) { return index < inputs.size() ? of(scope, inputs[index]) : Bounds(); };
    const auto all = [&](size_t first, auto join) {
      Bounds joined = input(first);
      for (size_t index = first + 1; index < inputs.size(); ++index) joined = join(joined, input(index));
      return joined;
    };

    if (is_one_of(op_type, {"Shape", "Size", "NonZero", "ArgMax", "ArgMin"})) return of_sizes;
    if (op_type == "TopK" && value != maker.outputs[0]) return of_sizes;
    if (only_moves_elements(op_type)) return input(0);
    if (op_type == "Concat") return all(0, either);
    if (op_type == "Where") return either(input(1), input(2));
    // What becomes of a NaN in an integer ONNX leaves open.
    if (maker.role == OperatorRole::cast || maker.role == OperatorRole::cast_like) return input(0);
    if (is_one_of(op_type, {"Exp", "Relu", "Softplus", "Sqrt"})) return {0, infinity};
    if (is_one_of(op_type, {"HardSigmoid", "Sigmoid", "Softmax"})) return {0, 1};
    if (is_one_of(op_type, {"Ceil", "Floor", "Round"})) {
      const Bounds given = input(0);
      return {std::floor(given.least), std::ceil(given.most)};
    }
    if (op_type == "Abs") {
      const Bounds given = input(0);
      const double most = std::max(std::abs(given.least), std::abs(given.most));
      return {given.least > 0 ? given.least : given.most < 0 ? -given.most : 0, most};
    }
    if (op_type == "Neg") {
      const Bounds given = input(0);
      return {-given.most, -given.least};
    }
    if (op_type == "Max")
      return all(0, [](const Bounds& a, const Bounds& b) {
        return Bounds{std::max(a.least, b.least), std::max(a.most, b.most)};
      });
    if (op_type == "Min")
      return all(0, [](const Bounds& a, const Bounds& b) {
        return Bounds{std::min(a.least, b.least), std::min(a.most, b.most)};
      });
    if (op_type == "Add" || op_type == "Sum")
      return all(0, [](const Bounds& a, const Bounds& b) { return among({a.least + b.least, a.most + b.most}); });
    if (op_type == "Range") {
      const Bounds start = input(0);
      const Bounds limit = input(1);
      if (input(2).least >= 0) return {start.least, std::max(start.most, limit.most)};
      return {};
    }
    if (inputs.size() != 2) return {};
    const Bounds a = input(0);
    const Bounds b = input(1);
    if (op_type == "Sub") return among({a.least - b.most, a.most - b.least});
    if (op_type == "Mul" && inputs[0] == inputs[1]) return {0, std::max(a.least * a.least, a.most * a.most)};
    if (op_type == "Mul") return among({a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most});
    if (op_type == "Div" && b.least > 0)
      return among({a.least / b.least, a.least / b.most, a.most / b.least, a.most / b.most});
    return {};
  }

  static Bounds of_constant(const onnx::TensorProto& tensor) {
    std::vector<double> numbers;
    if (auto floats = float_elements(tensor)) {
      numbers = *std::move(floats);
    } else if (const auto integers = integer_elements(tensor)) {
      numbers.assign(integers->begin(), integers->end());
    }
    std::erase_if(numbers, [](double number) { return std::isnan(number); });
    if (numbers.empty()) return {};
    const auto [least, most] = std::ranges::minmax(numbers);
    return {least, most};
  }

  std::unordered_map<ValueId, Bounds> found_;
  int depth_ = 0;
};

}  // namespace

Bounds bounds_of(const GraphScope& scope, ValueId value) { return Search().of(scope, value); }

}  // namespace onnx_lower
