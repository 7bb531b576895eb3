// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Operators that compute each element of their output from the input elements at the same place,
// with broadcasting. Integers wrap around and divisions truncate; an operation without a result,
// such as a division by zero, is not computed.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "constant_folding/operators.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

// Which element types an operator is computed for.
using Takes = bool (*)(int element_type);

bool is_bool(int type) { return type == TensorProto::BOOL; }
// Also used for comparisons of floating-point numbers, which need no rounding.
bool is_ordered(int type) { return is_integer(type) || is_float_or_double(type); }
bool is_comparable(int type) { return is_ordered(type) || is_bool(type); }

// The inputs of a node, broadcast to each other; nothing when they are not known, or too large.
std::optional<std::vector<KnownTensor>> operands_of(const NodeToEvaluate& node) {
  std::vector<int64_t> dims;
  for (size_t input = 0; input < node.input_count(); ++input) {
    const KnownTensor* known = node.value(input);
    auto joined = known == nullptr ? std::nullopt : broadcast(dims, known->dims);
    if (!joined) return std::nullopt;
    dims = *std::move(joined);
  }
  std::vector<KnownTensor> operands;
  for (size_t input = 0; input < node.input_count(); ++input) {
    auto wide = expanded(*node.value(input), dims);
    if (!wide) return std::nullopt;
    operands.push_back(*std::move(wide));
  }
  return operands;
}

// Combines the elements of all inputs at each place. The inputs must have one element type, which
// is also the result's if `result_type` is 0.
template <Takes takes, Combine combine, int result_type = 0>
Evaluated combined(const NodeToEvaluate& node) {
  const auto operands = operands_of(node);
  if (!operands || operands->empty()) return std::nullopt;
  const KnownTensor& first = operands->front();
  const int type = first.element_type;
  if (!takes(type) || !std::ranges::all_of(
                          *operands, [=](int each) { return each == type; }, &KnownTensor::element_type))
    return std::nullopt;
  KnownTensor result{result_type == 0 ? type : result_type, first.dims, first.elements};
  for (size_t index = 0; index < first.elements.size(); ++index) {
    Element& element = result.elements[index];
    for (const KnownTensor& next : std::span(*operands).subspan(1)) {
      const Element& other = next.elements[index];
      const bool is_known = element && other;
      element = is_known ? combine(*element, *other, type) : std::nullopt;
      if (is_known && !element) return std::nullopt;
      if (element) element = wrapped(*element, result.element_type);
    }
  }
  return single(std::move(result));
}

// Whether a node's inputs are broadcast as in current versions. Before version 7, the second input
// was broadcast to the first if an attribute said so, along an axis that another attribute gave.
bool is_broadcast_as_now(const NodeToEvaluate& node) {
  constexpr int first_with_broadcasting = 7;
  if (node.since_version() >= first_with_broadcasting) return true;
  const KnownTensor* a = node.value(0);
  const KnownTensor* b = node.value(1);
  if (a == nullptr || b == nullptr) return false;
  return a->dims == b->dims ||
         (node.integer("broadcast", 0) == 1 && b->elements.size() == 1 && b->dims.size() <= a->dims.size());
}

template <Takes takes, Combine combine, int result_type = 0>
Evaluated binary(const NodeToEvaluate& node) {
  const bool is_binary = node.input_count() == 2 && is_broadcast_as_now(node);
  return is_binary ? combined<takes, combine, result_type>(node) : std::nullopt;
}

uint64_t bits(int64_t value) { return static_cast<uint64_t>(value); }
int64_t integer(uint64_t value) { return static_cast<int64_t>(value); }

Element difference(int64_t a, int64_t b, int) { return integer(bits(a) - bits(b)); }

Element quotient(int64_t a, int64_t b, int type) {
  if (b == 0) return std::nullopt;
  if (type == TensorProto::UINT64) return integer(bits(a) / bits(b));
  // The type does not hold this one quotient: the least integer divided by -1.
  if (b == -1 && is_signed_integer(type) && wrapped(integer(-bits(a)), type) == a && a != 0) return std::nullopt;
  return a / b;
}

// The remainder that has the sign of the dividend.
Element truncated_remainder(int64_t a, int64_t b, int type) {
  if (b == 0) return std::nullopt;
  if (type == TensorProto::UINT64) return integer(bits(a) % bits(b));
  return b == -1 ? 0 : a % b;
}

// The remainder that has the sign of the divisor.
Element floored_remainder(int64_t a, int64_t b, int type) {
  const Element rest = truncated_remainder(a, b, type);
  if (!rest || *rest == 0 || type == TensorProto::UINT64) return rest;
  return (*rest < 0) != (b < 0) ? *rest + b : *rest;
}

// The power, if all intermediate results are exact as doubles: runtimes compute in double.
Element power(int64_t base, int64_t exponent, int type) {
  constexpr int64_t largest = int64_t{1} << 53;
  if (exponent < 0 || type == TensorProto::UINT64) return std::nullopt;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  int64_t result = 1;
  for (int64_t k = 0; k < exponent; ++k) {
    if (__builtin_mul_overflow(result, base, &result) || result > largest || result < -largest) return std::nullopt;
  }
  if (wrapped(result, type) != result) return std::nullopt;
  return result;
}

// Shifts unsigned integers. A shift by the width of the type or more has no defined result.
template <bool is_left>
Element shifted(int64_t a, int64_t b, int type) {
  if (is_signed_integer(type) || bits(b) >= element_width(type) * 8) return std::nullopt;
  return integer(is_left ? bits(a) << b : bits(a) >> b);
}

Element bitwise_and(int64_t a, int64_t b, int) { return a & b; }
Element bitwise_or(int64_t a, int64_t b, int) { return a | b; }
Element bitwise_xor(int64_t a, int64_t b, int) { return a ^ b; }

bool logical_and(int64_t a, int64_t b, int) { return a != 0 && b != 0; }
bool logical_or(int64_t a, int64_t b, int) { return a != 0 || b != 0; }
bool logical_xor(int64_t a, int64_t b, int) { return (a != 0) != (b != 0); }
bool is_equal(int64_t a, int64_t b, int type) {
  return is_float_or_double(type) ? number_of(a, type) == number_of(b, type) : a == b;
}
bool is_greater(int64_t a, int64_t b, int type) { return is_less(b, a, type); }
bool is_less_or_equal(int64_t a, int64_t b, int type) { return is_less(a, b, type) || is_equal(a, b, type); }
bool is_greater_or_equal(int64_t a, int64_t b, int type) { return is_less_or_equal(b, a, type); }

template <bool (*holds)(int64_t a, int64_t b, int type)>
Element truth(int64_t a, int64_t b, int type) {
  return holds(a, b, type) ? 1 : 0;
}

template <Takes takes, bool (*holds)(int64_t a, int64_t b, int type)>
constexpr auto comparison = binary<takes, truth<holds>, TensorProto::BOOL>;

Evaluated modulo(const NodeToEvaluate& node) {
  return node.integer("fmod", 0) != 0 ? binary<is_integer, truncated_remainder>(node)
                                      : binary<is_integer, floored_remainder>(node);
}

Evaluated bit_shift(const NodeToEvaluate& node) {
  const onnx::AttributeProto* direction = node.attribute("direction");
  if (direction == nullptr) return std::nullopt;
  return direction->s() == "LEFT" ? binary<is_integer, shifted<true>>(node) : binary<is_integer, shifted<false>>(node);
}

// The least or the greatest of any number of inputs; `choose` returns one of two elements.
template <Combine choose>
Evaluated extreme(const NodeToEvaluate& node) {
  constexpr int first_with_integers = 12;
  return node.since_version() < first_with_integers ? std::nullopt : combined<is_integer, choose>(node);
}

// Computes a tensor of the given type from each known element; nothing if `compute` returns nothing
// for one of them.
template <typename Compute>
Evaluated mapped(const KnownTensor& input, int type, const Compute& compute) {
  if (!known_element_count(input.dims, type)) return std::nullopt;
  KnownTensor result{type, input.dims, input.elements};
  for (Element& element : result.elements) {
    if (!element) continue;
    element = compute(*element);
    if (!element) return std::nullopt;
    element = wrapped(*element, type);
  }
  return single(std::move(result));
}

template <Takes takes, int64_t (*compute)(int64_t element, int type), int result_type = 0>
Evaluated unary(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr || !takes(input->element_type)) return std::nullopt;
  const int type = input->element_type;
  return mapped(*input, result_type == 0 ? type : result_type,
                [type](int64_t element) -> Element { return compute(element, type); });
}

int64_t negative(int64_t a, int) { return integer(-bits(a)); }
int64_t absolute(int64_t a, int type) { return is_signed_integer(type) && a < 0 ? integer(-bits(a)) : a; }
int64_t sign(int64_t a, int type) { return is_signed_integer(type) && a < 0 ? -1 : a != 0 ? 1 : 0; }
int64_t logical_not(int64_t a, int) { return a == 0 ? 1 : 0; }
int64_t bitwise_not(int64_t a, int) { return ~a; }
int64_t is_nan(int64_t a, int type) { return std::isnan(number_of(a, type)) ? 1 : 0; }

Evaluated is_infinite(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr || !is_float_or_double(input->element_type)) return std::nullopt;
  const bool positive = node.integer("detect_positive", 1) != 0;
  const bool negative = node.integer("detect_negative", 1) != 0;
  return mapped(*input, TensorProto::BOOL, [&](int64_t element) -> Element {
    const double number = number_of(element, input->element_type);
    return std::isinf(number) && (number > 0 ? positive : negative) ? 1 : 0;
  });
}

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
    // Where the lower bound is above the upper one, the upper one counts.
    if (bounds[0] && is_less(*element, *bounds[0], type)) element = bounds[0];
    if (bounds[1] && is_less(*bounds[1], *element, type)) element = bounds[1];
  }
  return single(std::move(result));
}

// Chooses elements of any type by a condition.
Evaluated where(const NodeToEvaluate& node) {
  const auto operands = operands_of(node);
  if (!operands || operands->size() != 3) return std::nullopt;
  const KnownTensor& condition = (*operands)[0];
  const KnownTensor& x = (*operands)[1];
  const KnownTensor& y = (*operands)[2];
  if (x.element_type != y.element_type || condition.element_type != TensorProto::BOOL) return std::nullopt;
  KnownTensor result{x.element_type, x.dims, {}};
  for (size_t index = 0; index < condition.elements.size(); ++index) {
    const Element& choice = condition.elements[index];
    result.elements.push_back(!choice ? std::nullopt : *choice != 0 ? x.elements[index] : y.elements[index]);
  }
  return single(std::move(result));
}

// A number converted to another type: integers wrap around. Nothing where the result depends on the
// machine: for a floating-point number beyond the range of the integer type, or NaN.
Element cast_element(int64_t element, int from, int to) {
  if (from == to) return element;
  if (is_integer_or_bool(from)) {
    if (to == TensorProto::BOOL) return element != 0 ? 1 : 0;
    if (is_integer(to)) return wrapped(element, to);
    const bool is_unsigned = from == TensorProto::UINT64;
    // The integer is rounded once, so it must not be converted to double first.
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
  if (input == nullptr) return std::nullopt;
  return mapped(*input, type, [&](int64_t element) { return cast_element(element, input->element_type, type); });
}

Evaluated cast(const NodeToEvaluate& node) {
  const onnx::AttributeProto* to = node.attribute("to");
  if (to == nullptr) return std::nullopt;
  // Before version 6, the attribute is the name of the type.
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
  static constexpr std::array all =
      std::to_array<Evaluator>({{"Abs", unary<is_integer, absolute>},
                                {"Add", binary<is_integer, sum>},
                                {"And", comparison<is_bool, logical_and>},
                                {"BitShift", bit_shift},
                                {"BitwiseAnd", binary<is_integer, bitwise_and>},
                                {"BitwiseNot", unary<is_integer, bitwise_not>},
                                {"BitwiseOr", binary<is_integer, bitwise_or>},
                                {"BitwiseXor", binary<is_integer, bitwise_xor>},
                                {"Cast", cast},
                                {"CastLike", cast_like, 1},
                                {"Clip", clip},
                                {"Div", binary<is_integer, quotient>},
                                {"Equal", comparison<is_comparable, is_equal>},
                                {"Greater", comparison<is_ordered, is_greater>},
                                {"GreaterOrEqual", comparison<is_ordered, is_greater_or_equal>},
                                {"IsInf", is_infinite},
                                {"IsNaN", unary<is_float_or_double, is_nan, TensorProto::BOOL>},
                                {"Less", comparison<is_ordered, is_less>},
                                {"LessOrEqual", comparison<is_ordered, is_less_or_equal>},
                                {"Max", extreme<greatest>},
                                {"Min", extreme<least>},
                                {"Mod", modulo},
                                {"Mul", binary<is_integer, product>},
                                {"Neg", unary<is_signed_integer, negative>},
                                {"Not", unary<is_bool, logical_not>},
                                {"Or", comparison<is_bool, logical_or>},
                                {"Pow", binary<is_integer, power>},
                                {"Sign", unary<is_integer, sign>},
                                {"Sub", binary<is_integer, difference>},
                                {"Where", where},
                                {"Xor", comparison<is_bool, logical_xor>}});
  return all;
}

}  // namespace onnx_lower
