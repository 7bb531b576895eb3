// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Operators that compute each element from those at the same place, with broadcasting. Integers wrap around, divisions truncate; what has no result (a
// division by zero) is not computed.

#include <array>
#include <cmath>
#include <limits>

#include "constant_folding/operators.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

bool is_equal(int64_t a, int64_t b, int type) {
  return is_float_or_double(type) ? number_of(a, type) == number_of(b, type) : a == b;
}

// Which element types an operator is computed of.
using Takes = bool (*)(int element_type);

bool is_bool(int type) { return type == TensorProto::BOOL; }
// A comparison rounds nothing.
bool is_ordered(int type) { return is_integer(type) || is_float_or_double(type); }
bool is_comparable(int type) { return is_ordered(type) || is_bool(type); }

// Both inputs of a node, broadcast to each other; nothing when they are not known, or not of one type.
struct Operands {
  KnownTensor a;
  KnownTensor b;
};

std::optional<Operands> operands_of(const NodeToEvaluate& node) {
  const KnownTensor* a = node.value(0);
  const KnownTensor* b = node.value(1);
  if (a == nullptr || b == nullptr || node.input_count() != 2) return std::nullopt;
  // Before version 7, the second input was broadcast to the first where an attribute said so, along an axis of the attributes.
  constexpr int first_with_broadcasting = 7;
  if (node.since_version() < first_with_broadcasting && a->dims != b->dims &&
      !(node.integer("broadcast", 0) == 1 && b->elements.size() == 1 && b->dims.size() <= a->dims.size()))
    return std::nullopt;
  const auto dims = broadcast(a->dims, b->dims);
  if (!dims) return std::nullopt;
  auto wide_a = expanded(*a, *dims);
  auto wide_b = expanded(*b, *dims);
  if (!wide_a || !wide_b) return std::nullopt;
  return Operands{std::move(*wide_a), std::move(*wide_b)};
}

// `compute(a, b, type)` gives an element of the result, or nothing where there is none.
template <typename Compute>
Evaluated binary(const NodeToEvaluate& node, Takes takes, int result_type, Compute compute) {
  const std::optional<Operands> operands = operands_of(node);
  if (!operands || operands->a.element_type != operands->b.element_type) return std::nullopt;
  const int type = operands->a.element_type;
  if (!takes(type)) return std::nullopt;
  KnownTensor result{result_type == 0 ? type : result_type, operands->a.dims, {}};
  for (size_t index = 0; index < operands->a.elements.size(); ++index) {
    const Element& a = operands->a.elements[index];
    const Element& b = operands->b.elements[index];
    if (!a || !b) {
      result.elements.emplace_back();
      continue;
    }
    const Element element = compute(*a, *b, type);
    if (!element) return std::nullopt;
    result.elements.emplace_back(wrapped(*element, result.element_type));
  }
  return single(std::move(result));
}

uint64_t bits(int64_t value) { return static_cast<uint64_t>(value); }
int64_t integer(uint64_t value) { return static_cast<int64_t>(value); }

Evaluated add(const NodeToEvaluate& node) {
  return binary(node, is_integer, 0, [](int64_t a, int64_t b, int) -> Element { return integer(bits(a) + bits(b)); });
}

Evaluated subtract(const NodeToEvaluate& node) {
  return binary(node, is_integer, 0, [](int64_t a, int64_t b, int) -> Element { return integer(bits(a) - bits(b)); });
}

Evaluated multiply(const NodeToEvaluate& node) {
  return binary(node, is_integer, 0, [](int64_t a, int64_t b, int) -> Element { return integer(bits(a) * bits(b)); });
}

Evaluated divide(const NodeToEvaluate& node) {
  return binary(node, is_integer, 0, [](int64_t a, int64_t b, int type) -> Element {
    if (b == 0) return std::nullopt;
    if (type == TensorProto::UINT64) return integer(bits(a) / bits(b));
    // The one quotient that its type does not hold.
    if (b == -1 && is_signed_integer(type) && wrapped(integer(-bits(a)), type) == a && a != 0) return std::nullopt;
    return a / b;
  });
}

// Of integers: the result has the sign of the divisor, or with fmod that of the dividend.
Evaluated modulo(const NodeToEvaluate& node) {
  const bool is_fmod = node.integer("fmod", 0) != 0;
  return binary(node, is_integer, 0, [is_fmod](int64_t a, int64_t b, int type) -> Element {
    if (b == 0) return std::nullopt;
    if (type == TensorProto::UINT64) return integer(bits(a) % bits(b));
    if (b == -1) return 0;
    const int64_t rest = a % b;
    return !is_fmod && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  });
}

// Where all numbers on the way are whole in a double, in which runtimes compute it.
Evaluated power(const NodeToEvaluate& node) {
  constexpr int64_t largest = int64_t{1} << 53;
  return binary(node, is_integer, 0, [](int64_t base, int64_t exponent, int type) -> Element {
    if (exponent < 0 || type == TensorProto::UINT64) return std::nullopt;
    if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    int64_t result = 1;
    for (int64_t k = 0; k < exponent; ++k) {
      if (__builtin_mul_overflow(result, base, &result) || result > largest || result < -largest) return std::nullopt;
    }
    if (wrapped(result, type) != result) return std::nullopt;
    return result;
  });
}

template <typename Combine>
Evaluated logic(const NodeToEvaluate& node, Combine combine) {
  return binary(node, is_bool, TensorProto::BOOL,
                [&](int64_t a, int64_t b, int) -> Element { return combine(a != 0, b != 0) ? 1 : 0; });
}

Evaluated logical_and(const NodeToEvaluate& node) {
  return logic(node, [](bool a, bool b) { return a && b; });
}

Evaluated logical_or(const NodeToEvaluate& node) {
  return logic(node, [](bool a, bool b) { return a || b; });
}

Evaluated logical_xor(const NodeToEvaluate& node) {
  return logic(node, [](bool a, bool b) { return a != b; });
}

Evaluated equal(const NodeToEvaluate& node) {
  return binary(node, is_comparable, TensorProto::BOOL,
                [](int64_t a, int64_t b, int type) -> Element { return is_equal(a, b, type) ? 1 : 0; });
}

Evaluated less(const NodeToEvaluate& node) {
  return binary(node, is_ordered, TensorProto::BOOL,
                [](int64_t a, int64_t b, int type) -> Element { return is_less(a, b, type) ? 1 : 0; });
}

Evaluated greater(const NodeToEvaluate& node) {
  return binary(node, is_ordered, TensorProto::BOOL,
                [](int64_t a, int64_t b, int type) -> Element { return is_less(b, a, type) ? 1 : 0; });
}

Evaluated less_or_equal(const NodeToEvaluate& node) {
  return binary(node, is_ordered, TensorProto::BOOL, [](int64_t a, int64_t b, int type) -> Element {
    return is_less(a, b, type) || is_equal(a, b, type) ? 1 : 0;
  });
}

Evaluated greater_or_equal(const NodeToEvaluate& node) {
  return binary(node, is_ordered, TensorProto::BOOL, [](int64_t a, int64_t b, int type) -> Element {
    return is_less(b, a, type) || is_equal(a, b, type) ? 1 : 0;
  });
}

Evaluated bitwise_and(const NodeToEvaluate& node) {
  return binary(node, is_integer, 0, [](int64_t a, int64_t b, int) -> Element { return a & b; });
}

Evaluated bitwise_or(const NodeToEvaluate& node) {
  return binary(node, is_integer, 0, [](int64_t a, int64_t b, int) -> Element { return a | b; });
}

Evaluated bitwise_xor(const NodeToEvaluate& node) {
  return binary(node, is_integer, 0, [](int64_t a, int64_t b, int) -> Element { return a ^ b; });
}

// Of unsigned integers. A shift by the width of the type or more is not defined.
Evaluated bit_shift(const NodeToEvaluate& node) {
  const onnx::AttributeProto* direction = node.attribute("direction");
  if (direction == nullptr) return std::nullopt;
  const bool is_left = direction->s() == "LEFT";
  return binary(node, is_integer, 0, [is_left](int64_t a, int64_t b, int type) -> Element {
    if (is_signed_integer(type) || bits(b) >= element_width(type) * 8) return std::nullopt;
    return integer(is_left ? bits(a) << b : bits(a) >> b);
  });
}

template <typename Compute>
Evaluated unary(const NodeToEvaluate& node, Takes takes, Compute compute) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr || !takes(input->element_type)) return std::nullopt;
  KnownTensor result = *input;
  for (Element& element : result.elements) {
    if (element) element = wrapped(compute(*element), result.element_type);
  }
  return single(std::move(result));
}

Evaluated negative(const NodeToEvaluate& node) {
  return unary(node, is_signed_integer, [](int64_t a) { return integer(-bits(a)); });
}

Evaluated absolute(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  const bool is_signed = input != nullptr && is_signed_integer(input->element_type);
  return unary(node, is_integer, [is_signed](int64_t a) { return is_signed && a < 0 ? integer(-bits(a)) : a; });
}

Evaluated sign(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  const bool is_signed = input != nullptr && is_signed_integer(input->element_type);
  return unary(node, is_integer, [is_signed](int64_t a) { return is_signed && a < 0 ? -1 : a != 0 ? 1 : 0; });
}

Evaluated logical_not(const NodeToEvaluate& node) {
  return unary(node, is_bool, [](int64_t a) { return a == 0 ? 1 : 0; });
}

Evaluated bitwise_not(const NodeToEvaluate& node) {
  return unary(node, is_integer, [](int64_t a) { return ~a; });
}

template <typename Is>
Evaluated kind_of_number(const NodeToEvaluate& node, Is is) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr || !is_float_or_double(input->element_type)) return std::nullopt;
  KnownTensor result{TensorProto::BOOL, input->dims, {}};
  for (const Element& element : input->elements)
    result.elements.push_back(element ? Element(is(number_of(*element, input->element_type)) ? 1 : 0) : std::nullopt);
  return single(std::move(result));
}

Evaluated is_nan(const NodeToEvaluate& node) {
  return kind_of_number(node, [](double number) { return std::isnan(number); });
}

Evaluated is_infinite(const NodeToEvaluate& node) {
  const bool positive = node.integer("detect_positive", 1) != 0;
  const bool negative = node.integer("detect_negative", 1) != 0;
  return kind_of_number(node, [=](double number) { return std::isinf(number) && (number > 0 ? positive : negative); });
}

// The least or the greatest of any number of inputs.
Evaluated extreme(const NodeToEvaluate& node, bool is_greatest) {
  constexpr int first_with_integers = 12;
  if (node.since_version() < first_with_integers || node.value(0) == nullptr) return std::nullopt;
  KnownTensor result = *node.value(0);
  if (!is_integer(result.element_type)) return std::nullopt;
  for (size_t input = 1; input < node.input_count(); ++input) {
    const KnownTensor* next = node.value(input);
    if (next == nullptr || next->element_type != result.element_type) return std::nullopt;
    const auto dims = broadcast(result.dims, next->dims);
    if (!dims) return std::nullopt;
    const auto a = expanded(result, *dims);
    const auto b = expanded(*next, *dims);
    if (!a || !b) return std::nullopt;
    result.dims = *dims;
    result.elements.clear();
    for (size_t index = 0; index < a->elements.size(); ++index) {
      const Element& x = a->elements[index];
      const Element& y = b->elements[index];
      if (!x || !y) {
        result.elements.emplace_back();
      } else {
        result.elements.push_back(is_less(*x, *y, result.element_type) != is_greatest ? x : y);
      }
    }
  }
  return single(std::move(result));
}

Evaluated minimum(const NodeToEvaluate& node) { return extreme(node, false); }
Evaluated maximum(const NodeToEvaluate& node) { return extreme(node, true); }

Evaluated clip(const NodeToEvaluate& node) {
  constexpr int first_with_integers = 12;
  if (node.since_version() < first_with_integers || node.value(0) == nullptr) return std::nullopt;
  KnownTensor result = *node.value(0);
  const int type = result.element_type;
  if (!is_integer(type)) return std::nullopt;
  Element bounds[2];
  for (const size_t input : {1, 2}) {
    if (!node.has_input(input)) continue;
    const KnownTensor* bound = node.value(input);
    if (bound == nullptr || bound->element_type != type || bound->elements.size() != 1 || !bound->elements[0])
      return std::nullopt;
    bounds[input - 1] = bound->elements[0];
  }
  for (Element& element : result.elements) {
    if (!element) continue;
    // Where the bounds contradict each other, the upper one counts.
    if (bounds[0] && is_less(*element, *bounds[0], type)) element = bounds[0];
    if (bounds[1] && is_less(*bounds[1], *element, type)) element = bounds[1];
  }
  return single(std::move(result));
}

// Elements of any type, chosen by a condition.
Evaluated where(const NodeToEvaluate& node) {
  const KnownTensor* condition = node.value(0);
  const KnownTensor* x = node.value(1);
  const KnownTensor* y = node.value(2);
  if (condition == nullptr || x == nullptr || y == nullptr || x->element_type != y->element_type ||
      condition->element_type != TensorProto::BOOL)
    return std::nullopt;
  auto dims = broadcast(x->dims, y->dims);
  if (dims) dims = broadcast(*dims, condition->dims);
  if (!dims) return std::nullopt;
  const auto chosen = expanded(*condition, *dims);
  const auto if_true = expanded(*x, *dims);
  const auto if_false = expanded(*y, *dims);
  if (!chosen || !if_true || !if_false) return std::nullopt;
  KnownTensor result{x->element_type, *dims, {}};
  for (size_t index = 0; index < chosen->elements.size(); ++index) {
    const Element& choice = chosen->elements[index];
    result.elements.push_back(!choice        ? std::nullopt
                              : *choice != 0 ? if_true->elements[index]
                                             : if_false->elements[index]);
  }
  return single(std::move(result));
}

// A number as the type holds it: integers wrap around. Nothing where the result depends on the machine: a fraction that no integer of the type is near, and
// what is no number.
Element cast_element(int64_t element, int from, int to) {
  if (from == to) return element;
  if (is_integer_or_bool(from)) {
    if (to == TensorProto::BOOL) return element != 0 ? 1 : 0;
    if (is_integer(to)) return wrapped(element, to);
    const bool is_unsigned = from == TensorProto::UINT64;
    // Rounded once, so not by way of a double.
    if (to == TensorProto::FLOAT)
      return element_of_number(is_unsigned ? static_cast<float>(bits(element)) : static_cast<float>(element), to);
    if (to == TensorProto::DOUBLE)
      return element_of_number(is_unsigned ? static_cast<double>(bits(element)) : static_cast<double>(element), to);
    return std::nullopt;
  }
  if (!is_float_or_double(from)) return std::nullopt;
  const double number = number_of(element, from);
  if (!std::isfinite(number)) return std::nullopt;
  if (to == TensorProto::BOOL) return number != 0 ? 1 : 0;
  if (to == TensorProto::FLOAT && std::abs(number) > std::numeric_limits<float>::max()) return std::nullopt;
  if (is_float_or_double(to)) return element_of_number(number, to);
  if (!is_integer(to)) return std::nullopt;
  const double whole = std::trunc(number);
  const int width = static_cast<int>(element_width(to) * 8);
  const double end = std::ldexp(1.0, is_signed_integer(to) ? width - 1 : width);
  if (whole >= end || whole < (is_signed_integer(to) ? -end : 0)) return std::nullopt;
  return to == TensorProto::UINT64 ? integer(static_cast<uint64_t>(whole)) : static_cast<int64_t>(whole);
}

Evaluated cast_to(const NodeToEvaluate& node, int type) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr || !known_element_count(input->dims, type)) return std::nullopt;
  KnownTensor result{type, input->dims, {}};
  for (const Element& element : input->elements) {
    if (!element) {
      result.elements.emplace_back();
      continue;
    }
    const Element made = cast_element(*element, input->element_type, type);
    if (!made) return std::nullopt;
    result.elements.push_back(made);
  }
  return single(std::move(result));
}

Evaluated cast(const NodeToEvaluate& node) {
  const onnx::AttributeProto* to = node.attribute("to");
  if (to == nullptr) return std::nullopt;
  // Before version 6, the type's name.
  if (to->type() != onnx::AttributeProto::STRING) return cast_to(node, static_cast<int>(to->i()));
  TensorProto::DataType type = TensorProto::UNDEFINED;
  return TensorProto::DataType_Parse(to->s(), &type) ? cast_to(node, type) : std::nullopt;
}

Evaluated cast_like(const NodeToEvaluate& node) {
  const onnx::TypeProto* type = node.type(1);
  return type == nullptr || !type->has_tensor_type() ? std::nullopt : cast_to(node, type->tensor_type().elem_type());
}

}  // namespace

std::span<const Evaluator> elementwise_evaluators() {
  static constexpr std::array all = std::to_array<Evaluator>({{"Abs", absolute},
                                                              {"Add", add},
                                                              {"And", logical_and},
                                                              {"BitShift", bit_shift},
                                                              {"BitwiseAnd", bitwise_and},
                                                              {"BitwiseNot", bitwise_not},
                                                              {"BitwiseOr", bitwise_or},
                                                              {"BitwiseXor", bitwise_xor},
                                                              {"Cast", cast},
                                                              {"CastLike", cast_like, 1},
                                                              {"Clip", clip},
                                                              {"Div", divide},
                                                              {"Equal", equal},
                                                              {"Greater", greater},
                                                              {"GreaterOrEqual", greater_or_equal},
                                                              {"IsInf", is_infinite},
                                                              {"IsNaN", is_nan},
                                                              {"Less", less},
                                                              {"LessOrEqual", less_or_equal},
                                                              {"Max", maximum},
                                                              {"Min", minimum},
                                                              {"Mod", modulo},
                                                              {"Mul", multiply},
                                                              {"Neg", negative},
                                                              {"Not", logical_not},
                                                              {"Or", logical_or},
                                                              {"Pow", power},
                                                              {"Sign", sign},
                                                              {"Sub", subtract},
                                                              {"Where", where},
                                                              {"Xor", logical_xor}});
  return all;
}

}  // namespace onnx_lower
