// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Operators that compute each element of their output from the input elements at the same place,
// with broadcasting. Integers wrap around and their divisions truncate; floats are rounded once, to
// the nearest. An operation without a result, such as a division by zero, is not computed, nor is
// one of floats whose result is infinite or NaN.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "constant_folding/operators.h"
#include "half_precision.h"

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

Element difference(int64_t a, int64_t b, int type) {
  return is_float_or_double(type) ? computed(a, b, type, std::minus<>()) : integer(bits(a) - bits(b));
}

Element quotient(int64_t a, int64_t b, int type) {
  if (is_float_or_double(type)) return computed(a, b, type, std::divides<>());
  if (b == 0) return std::nullopt;
  if (type == TensorProto::UINT64) return integer(bits(a) / bits(b));
  // The type does not hold this one quotient: the least integer divided by -1.
  if (b == -1 && is_signed_integer(type) && wrapped(integer(-bits(a)), type) == a && a != 0) return std::nullopt;
  return a / b;
}

// The remainder that has the sign of the dividend.
Element truncated_remainder(int64_t a, int64_t b, int type) {
  // The remainder of floats is exact, but one of a zero as the divisor is NaN.
  if (is_float_or_double(type)) return computed(a, b, type, [](double x, double y) { return std::fmod(x, y); });
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
  if (is_float_or_double(type)) {
    const Element whole_base = whole_number(base, type);
    const Element whole_exponent = whole_number(exponent, type);
    if (!whole_base || !whole_exponent) return std::nullopt;
    const Element result = power(*whole_base, *whole_exponent, TensorProto::INT64);
    if (!result) return std::nullopt;
    const int64_t element = element_of_number(static_cast<double>(*result), type);
    return whole_number(element, type) == result ? Element(element) : std::nullopt;
  }
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
  return node.integer("fmod", 0) != 0 ? binary<is_ordered, truncated_remainder>(node)
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
  constexpr int first_with_broadcasting = 8;
  if (node.since_version() >= first_with_integers) return combined<is_ordered, choose>(node);
  const KnownTensor* first = node.value(0);
  for (size_t input = 1; input < node.input_count() && node.since_version() < first_with_broadcasting; ++input) {
    const KnownTensor* known = node.value(input);
    if (first == nullptr || known == nullptr || known->dims != first->dims) return std::nullopt;
  }
  return combined<is_float_or_double, choose>(node);
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

template <Takes takes, Element (*compute)(int64_t element, int type), int result_type = 0>
Evaluated unary(const NodeToEvaluate& node) {
  const KnownTensor* input = node.value(0);
  if (input == nullptr || !takes(input->element_type)) return std::nullopt;
  const int type = input->element_type;
  return mapped(*input, result_type == 0 ? type : result_type,
                [type](int64_t element) -> Element { return compute(element, type); });
}

bool is_signed(int type) { return is_signed_integer(type) || is_float_or_double(type); }

// What `compute` makes of the number that a float or double is, rounded once.
template <double (*compute)(double number)>
Element rounded(int64_t a, int type) {
  return element_of_result(compute(number_of(a, type)), type);
}

Element negative(int64_t a, int type) {
  return is_float_or_double(type) ? computed(a, a, type, [](double x, double) { return -x; }) : integer(-bits(a));
}
Element absolute(int64_t a, int type) {
  if (is_float_or_double(type)) return computed(a, a, type, [](double x, double) { return std::abs(x); });
  return is_signed_integer(type) && a < 0 ? integer(-bits(a)) : a;
}
Element sign(int64_t a, int type) {
  if (is_float_or_double(type)) {
    return computed(a, a, type,
                    [](double x, double) { return std::isnan(x) ? x : static_cast<double>((x > 0) - (x < 0)); });
  }
  return is_signed_integer(type) && a < 0 ? -1 : a != 0 ? 1 : 0;
}
Element logical_not(int64_t a, int) { return a == 0 ? 1 : 0; }
Element bitwise_not(int64_t a, int) { return ~a; }
Element is_not_a_number(int64_t a, int type) { return is_nan(a, type) ? 1 : 0; }

double floor_of(double number) { return std::floor(number); }
double ceiling_of(double number) { return std::ceil(number); }
// To the nearest whole number, and from the middle between two to the even one.
double nearest_of(double number) { return std::nearbyint(number); }
double root_of(double number) { return std::sqrt(number); }
double reciprocal_of(double number) { return 1 / number; }

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

// The bounds of a Clip, of the type of its first input. Nothing when one of them is not known.
std::optional<std::array<Element, 2>> bounds_of_clip(const NodeToEvaluate& node, int type) {
  constexpr int first_with_inputs = 11;
  std::array<Element, 2> bounds;
  if (node.since_version() < first_with_inputs) {
    // Where an attribute is absent, the bound is the largest float, which no number exceeds.
    if (const onnx::AttributeProto* min = node.attribute("min")) bounds[0] = element_of_number(min->f(), type);
    if (const onnx::AttributeProto* max = node.attribute("max")) bounds[1] = element_of_number(max->f(), type);
    return type == TensorProto::FLOAT ? std::optional(bounds) : std::nullopt;
  }
  for (const size_t input : {1, 2}) {
    if (!node.has_input(input)) continue;
    const KnownTensor* bound = node.value(input);
    if (bound == nullptr || bound->element_type != type || bound->elements.size() != 1 || !bound->elements[0])
      return std::nullopt;
    bounds[input - 1] = bound->elements[0];
  }
  return bounds;
}

Evaluated clip(const NodeToEvaluate& node) {
  constexpr int first_with_integers = 12;
  if (node.value(0) == nullptr) return std::nullopt;
  KnownTensor result = *node.value(0);
  const int type = result.element_type;
  const bool takes = node.since_version() < first_with_integers ? is_float_or_double(type) : is_ordered(type);
  const auto bounds = takes ? bounds_of_clip(node, type) : std::nullopt;
  if (!bounds) return std::nullopt;
  const auto& [least, most] = *bounds;
  if ((least && is_nan(*least, type)) || (most && is_nan(*most, type))) return std::nullopt;
  for (Element& element : result.elements) {
    if (!element) continue;
    if (is_nan(*element, type)) return std::nullopt;
    // Where the lower bound is above the upper one, the upper one counts.
    if (least && is_less(*element, *least, type)) element = least;
    if (most && is_less(*most, *element, type)) element = most;
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

bool is_half(int type) { return type == TensorProto::FLOAT16 || type == TensorProto::BFLOAT16; }

// The number as an element of half precision, if that is the same number: runtimes round others in
// one step or in two.
Element half_of_number(double number, int type) {
  const uint16_t bits = type == TensorProto::FLOAT16 ? to_float16(number) : to_bfloat16(number);
  return number_of(bits, type) == number ? Element(bits) : std::nullopt;
}

// A number converted to another type: integers wrap around. Nothing where the result depends on the
// machine: for a floating-point number beyond the range of the integer type, or NaN.
Element cast_element(int64_t element, int from, int to) {
  if (from == to) return element;
  if (is_half(to) && from != TensorProto::BOOL) {
    const Element wide = is_integer(from) ? cast_element(element, from, TensorProto::DOUBLE) : Element(element);
    return wide ? half_of_number(number_of(*wide, is_integer(from) ? TensorProto::DOUBLE : from), to) : std::nullopt;
  }
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
  if (!is_float_or_double(from) && !is_half(from)) return std::nullopt;
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
      std::to_array<Evaluator>({{"Abs", unary<is_ordered, absolute>},
                                {"Add", binary<is_ordered, sum>},
                                {"And", comparison<is_bool, logical_and>},
                                {"BitShift", bit_shift},
                                {"BitwiseAnd", binary<is_integer, bitwise_and>},
                                {"BitwiseNot", unary<is_integer, bitwise_not>},
                                {"BitwiseOr", binary<is_integer, bitwise_or>},
                                {"BitwiseXor", binary<is_integer, bitwise_xor>},
                                {"Cast", cast},
                                {"CastLike", cast_like, 1},
                                {"Ceil", unary<is_float_or_double, rounded<ceiling_of>>},
                                {"Clip", clip},
                                {"Div", binary<is_ordered, quotient>},
                                {"Equal", comparison<is_comparable, is_equal>},
                                {"Floor", unary<is_float_or_double, rounded<floor_of>>},
                                {"Greater", comparison<is_ordered, is_greater>},
                                {"GreaterOrEqual", comparison<is_ordered, is_greater_or_equal>},
                                {"IsInf", is_infinite},
                                {"IsNaN", unary<is_float_or_double, is_not_a_number, TensorProto::BOOL>},
                                {"Less", comparison<is_ordered, is_less>},
                                {"LessOrEqual", comparison<is_ordered, is_less_or_equal>},
                                {"Max", extreme<greatest>},
                                {"Min", extreme<least>},
                                {"Mod", modulo},
                                {"Mul", binary<is_ordered, product>},
                                {"Neg", unary<is_signed, negative>},
                                {"Not", unary<is_bool, logical_not>},
                                {"Or", comparison<is_bool, logical_or>},
                                {"Pow", binary<is_ordered, power>},
                                {"Reciprocal", unary<is_float_or_double, rounded<reciprocal_of>>},
                                {"Round", unary<is_float_or_double, rounded<nearest_of>>},
                                {"Sign", unary<is_ordered, sign>},
                                {"Sqrt", unary<is_float_or_double, rounded<root_of>>},
                                {"Sub", binary<is_ordered, difference>},
                                {"Where", where},
                                {"Xor", comparison<is_bool, logical_xor>}});
  return all;
}

}  // namespace onnx_lower
