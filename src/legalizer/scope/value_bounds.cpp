// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/scope/value_bounds.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "constant_folding/known_tensor.h"

namespace onnx_lower {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The bounds of dimensions and positions in a tensor: there is no memory for more elements. Sums
// and products of a few such numbers do not overflow.
constexpr Bounds of_sizes{0, 1LL << 40};

// How many values are looked at to find the bounds of one.
constexpr size_t most_values = 256;

Bounds either(const Bounds& one, const Bounds& other) {
  return {std::min(one.least, other.least), std::max(one.most, other.most)};
}

// The bounds of these numbers; infinities where one is NaN, as the difference of two infinities is.
Bounds among(std::initializer_list<double> corners) {
  if (std::ranges::any_of(corners, [](double corner) { return std::isnan(corner); })) return {};
  return {std::min(corners), std::max(corners)};
}

// The node that makes the value in question, and the bounds of what it reads.
class Maker {
 public:
  using BoundsOf = std::function<Bounds(ValueId)>;

  Maker(std::span<const ValueId> inputs, bool is_first_output, const BoundsOf& bounds_of)
      : inputs_(inputs), is_first_output_(is_first_output), bounds_of_(bounds_of) {}

  Bounds input(size_t index) const { return index < inputs_.size() ? bounds_of_(inputs_[index]) : Bounds(); }
  bool is_first_output() const { return is_first_output_; }
  bool reads_one_value() const { return inputs_.size() == 2 && inputs_[0] == inputs_[1]; }

  template <typename Join>
  Bounds joined_inputs(const Join& join) const {
    // The search ends after this many values, and would find nothing for further inputs.
    const size_t looked_at = std::min(inputs_.size(), most_values);
    Bounds joined = input(0);
    for (size_t index = 1; index < looked_at; ++index) joined = join(joined, input(index));
    return looked_at == inputs_.size() ? joined : join(joined, Bounds());
  }

 private:
  std::span<const ValueId> inputs_;
  bool is_first_output_;
  const BoundsOf& bounds_of_;
};

// The bounds of operators whose output has the elements of the first input, in another order, fewer
// or more often. For a Cast of NaN to an integer, ONNX leaves the result open.
Bounds of_first_input(const Maker& maker) { return maker.input(0); }

Bounds of_whole_numbers(const Maker& maker) {
  const Bounds given = maker.input(0);
  return {std::floor(given.least), std::ceil(given.most)};
}

Bounds of_places(const Maker& /*maker*/) { return of_sizes; }
Bounds of_shares(const Maker& /*maker*/) { return {0, 1}; }
Bounds of_nonnegatives(const Maker& /*maker*/) { return {0, infinity}; }

Bounds of_abs(const Maker& maker) {
  const Bounds given = maker.input(0);
  const double most = std::max(std::abs(given.least), std::abs(given.most));
  return {given.least > 0 ? given.least : given.most < 0 ? -given.most : 0, most};
}

Bounds of_neg(const Maker& maker) {
  const Bounds given = maker.input(0);
  return {-given.most, -given.least};
}

Bounds of_max(const Maker& maker) {
  return maker.joined_inputs([](const Bounds& a, const Bounds& b) {
    return Bounds{std::max(a.least, b.least), std::max(a.most, b.most)};
  });
}

Bounds of_min(const Maker& maker) {
  return maker.joined_inputs([](const Bounds& a, const Bounds& b) {
    return Bounds{std::min(a.least, b.least), std::min(a.most, b.most)};
  });
}

Bounds of_sum(const Maker& maker) {
  return maker.joined_inputs([](const Bounds& a, const Bounds& b) {
    return among({a.least + b.least, a.most + b.most});
  });
}

Bounds of_sub(const Maker& maker) {
  const Bounds a = maker.input(0);
  const Bounds b = maker.input(1);
  return among({a.least - b.most, a.most - b.least});
}

Bounds of_mul(const Maker& maker) {
  const Bounds a = maker.input(0);
  const Bounds b = maker.input(1);
  if (maker.reads_one_value()) return {0, std::max(a.least * a.least, a.most * a.most)};
  return among({a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most});
}

Bounds of_div(const Maker& maker) {
  const Bounds a = maker.input(0);
  const Bounds b = maker.input(1);
  if (!(b.least > 0)) return {};
  return among({a.least / b.least, a.least / b.most, a.most / b.least, a.most / b.most});
}

Bounds of_range(const Maker& maker) {
  if (maker.input(2).least < 0) return {};
  const Bounds start = maker.input(0);
  return {start.least, std::max(start.most, maker.input(1).most)};
}

// By operator of ai.onnx; nothing is known of all others.
const std::unordered_map<std::string_view, Bounds (*)(const Maker&)> bounds_by_operator = {
    {"Abs", of_abs},
    {"Add", of_sum},
    {"ArgMax", of_places},
    {"ArgMin", of_places},
    {"Cast", of_first_input},
    {"CastLike", of_first_input},
    {"Ceil", of_whole_numbers},
    {"Compress", of_first_input},
    {"Concat", [](const Maker& maker) { return maker.joined_inputs(either); }},
    {"DepthToSpace", of_first_input},
    {"Div", of_div},
    {"Exp", of_nonnegatives},
    {"Expand", of_first_input},
    {"Flatten", of_first_input},
    {"Floor", of_whole_numbers},
    {"Gather", of_first_input},
    {"GatherElements", of_first_input},
    {"GatherND", of_first_input},
    {"HardSigmoid", of_shares},
    {"Identity", of_first_input},
    {"Max", of_max},
    {"Min", of_min},
    {"Mul", of_mul},
    {"Neg", of_neg},
    {"NonZero", of_places},
    {"Range", of_range},
    {"Relu", of_nonnegatives},
    {"Reshape", of_first_input},
    {"Round", of_whole_numbers},
    {"Shape", of_places},
    {"Sigmoid", of_shares},
    {"Size", of_places},
    {"Slice", of_first_input},
    {"Softmax", of_shares},
    {"Softplus", of_nonnegatives},
    {"SpaceToDepth", of_first_input},
    {"Split", of_first_input},
    {"Sqrt", of_nonnegatives},
    {"Squeeze", of_first_input},
    {"Sub", of_sub},
    {"Sum", of_sum},
    {"Tile", of_first_input},
    {"TopK", [](const Maker& maker) { return maker.is_first_output() ? maker.input(0) : of_sizes; }},
    {"Transpose", of_first_input},
    {"Unsqueeze", of_first_input},
    {"Where", [](const Maker& maker) { return either(maker.input(1), maker.input(2)); }},
};

class Search {
 public:
  Bounds of(const GraphScope& scope, ValueId value) {
    const GraphScope* where = defining_scope(&scope, value);
    if (where == nullptr || depth_ == deepest || found_.size() >= most_values) return {};
    if (const auto known = found_.find(value); known != found_.end()) return known->second;
    ++depth_;
    const Bounds bounds = find(*where, value);
    --depth_;
    return found_[value] = bounds;
  }

 private:
  static constexpr int deepest = 64;

  // An integer that its type does not hold may come out as any other.
  static Bounds within_type(const GraphScope& scope, ValueId value, const Bounds& bounds) {
    const int type = scope.element_type(value);
    if (type == onnx::TensorProto::BOOL) return {0, 1};
    if (is_float_or_double(type) || type == onnx::TensorProto::FLOAT16 || type == onnx::TensorProto::BFLOAT16)
      return bounds;
    const size_t width = element_width(type);
    if (!is_integer(type) || width == 0) return {};
    const double most = std::ldexp(1.0, static_cast<int>(width) * 8 - (is_signed_integer(type) ? 1 : 0));
    const double least = is_signed_integer(type) ? -most : 0;
    // A Cast to integers truncates, and so does Div.
    if (bounds.least >= least && bounds.most < most) return {std::trunc(bounds.least), std::trunc(bounds.most)};
    return {least, most};
  }

  Bounds find(const GraphScope& scope, ValueId value) {
    if (const ConstantElements* elements = scope.constant_elements(value))
      return within_type(scope, value, elements->bounds);
    const NodeView maker = scope.producer(value);
    if (!maker || maker.has_bodies) return within_type(scope, value, {});
    const onnx::NodeProto& node = scope.message(maker);
    const auto found = node.domain().empty() ? bounds_by_operator.find(node.op_type()) : bounds_by_operator.end();
    if (found == bounds_by_operator.end()) return within_type(scope, value, {});
    const Maker::BoundsOf bounds_of = [&](ValueId input) { return of(scope, input); };
    const Bounds bounds = found->second(Maker(maker.inputs, value == maker.outputs[0], bounds_of));
    // Max and Min give elements of the inputs, which are within the type.
    const bool is_choice = found->second == of_max || found->second == of_min;
    return is_choice ? bounds : within_type(scope, value, bounds);
  }

  std::unordered_map<ValueId, Bounds> found_;
  int depth_ = 0;
};

}  // namespace

Bounds bounds_of(const GraphScope& scope, ValueId value) {
  scope.note_asked_beyond_call();
  return Search().of(scope, value);
}

}  // namespace onnx_lower
