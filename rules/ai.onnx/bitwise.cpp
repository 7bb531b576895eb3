// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Bitwise operators on integers, below the opset that has them.
//
// A number is taken apart into hexadecimal digits, along a new last dimension, and a table of 256 says what two digits make. A negative x has the inverted digits of
// -1 - x, which is not negative: so nothing here exceeds the type, and whether the result is negative is what the operator makes of the signs.
//
// OpenVINO divides int32 as float, of 24 bits. So 16 bits are taken off first, which it may get wrong by one in what is left; then the 16 are less than none.
// Its Where of int32 was of float, too, until 2024: so it is made of sums and products of what may be large.

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower {
namespace {

int bits_of_type(int type) {
  switch (type) {
    case onnx::TensorProto::INT8:
    case onnx::TensorProto::UINT8:
      return 8;
    case onnx::TensorProto::INT16:
    case onnx::TensorProto::UINT16:
      return 16;
    case onnx::TensorProto::INT32:
    case onnx::TensorProto::UINT32:
      return 32;
    case onnx::TensorProto::INT64:
    case onnx::TensorProto::UINT64:
      return 64;
    default:
      return 0;
  }
}

int combined(std::string_view op_type, int a, int b) {
  return op_type == "BitwiseAnd" ? a & b : op_type == "BitwiseOr" ? a | b : a ^ b;
}

// -1 where there is a 1, and 1 where there is a 0.
std::string sign_of(Body& body, const std::string& minus) {
  body(minus + "_twice", "Add", {minus, minus});
  return body(minus + "_sign", "Sub", {"one", minus + "_twice"});
}

// `<name>_digits`, and `<name>_negative` for each number.
void take_apart(Body& body, const std::string& name, std::string_view input, int bits) {
  body(name + "_wide", "Cast", {input}, {{"to", 7}});
  body(name + "_negative", "Less", {name + "_wide", "zero"});
  body(name + "_minus", "Cast", {name + "_negative"}, {{"to", 7}});
  body(name + "_raised", "Add", {name + "_wide", name + "_minus"});
  body(name + "_positive", "Mul", {name + "_raised", sign_of(body, name + "_minus")});
  body(name + "_shape", "Shape", {name + "_wide"});
  body(name + "_column_shape", "Concat", {name + "_shape", "single"}, {{"axis", 0}});
  body(name + "_column", "Reshape", {name + "_positive", name + "_column_shape"});
  std::string parts = name + "_column";
  if (bits > 16) {
    body(name + "_roughly_upper", "Div", {name + "_column", "unit"});
    body(name + "_units", "Mul", {name + "_roughly_upper", "unit"});
    body(name + "_roughly_lower", "Sub", {name + "_column", name + "_units"});
    body(name + "_is_too_much", "Less", {name + "_roughly_lower", "zero"});
    body(name + "_too_much", "Cast", {name + "_is_too_much"}, {{"to", 7}});
    body(name + "_upper", "Sub", {name + "_roughly_upper", name + "_too_much"});
    body(name + "_back", "Mul", {name + "_too_much", "unit"});
    body(name + "_lower", "Add", {name + "_roughly_lower", name + "_back"});
    body(name + "_halves", "Concat", {name + "_lower", name + "_upper"}, {{"axis", -1}});
    parts = body(name + "_parts", "Gather", {name + "_halves", "half_of_digit"}, {{"axis", -1}});
  }
  body(name + "_quotients", "Div", {parts, "divisors"});
  body(name + "_plain_digits", "Mod", {name + "_quotients", "sixteen"});
  body(name + "_other_digits", "Sub", {"fifteen", name + "_plain_digits"});
  body(name + "_negative_column", "Reshape", {name + "_negative", name + "_column_shape"});
  body(name + "_digits", "Where", {name + "_negative_column", name + "_other_digits", name + "_plain_digits"});
}

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  const int type = site.need_dtype(0);
  const int bits = bits_of_type(type);
  if (bits == 0) return Declined{"its elements are no integers"};
  // By what a digit's half is divided to get at it, and by what the digit is multiplied in the end.
  std::vector<int64_t> divisors, halves, powers, table;
  for (int shift = 0; shift < bits; shift += 4) {
    const int half = bits > 16 && shift >= 16 ? 1 : 0;
    halves.push_back(half);
    divisors.push_back(int64_t{1} << (shift - 16 * half));
    powers.push_back(int64_t{1} << shift);
  }
  for (int a = 0; a < 16; ++a) {
    for (int b = 0; b < 16; ++b) table.push_back(combined(op_type, a, b));
  }
  Body body("ai.onnx", op_type, {"A", "B"}, {"C"}, 13);
  const auto number = [&](std::string_view name, int value) { body.constant(name, value); };
  number("zero", 0);
  number("one", 1);
  number("fifteen", 15);
  number("sixteen", 16);
  body.constant("single", Ints{1});
  body.constant("divisors", divisors);
  if (bits > 16) {
    number("unit", 1 << 16);
    body.constant("half_of_digit", halves);
  }
  body.constant("table", table);
  take_apart(body, "a", "A", bits);
  take_apart(body, "b", "B", bits);
  body("first_places", "Mul", {"a_digits", "sixteen"});
  body("places", "Add", {"first_places", "b_digits"});
  body("digits", "Gather", {"table", "places"}, {{"axis", 0}});
  body("negative", op_type.substr(std::string_view("Bitwise").size()), {"a_negative", "b_negative"});
  body("shape", "Shape", {"negative"});
  body("column_shape", "Concat", {"shape", "single"}, {{"axis", 0}});
  body("negative_column", "Reshape", {"negative", "column_shape"});
  body("inverted_digits", "Sub", {"fifteen", "digits"});
  body("positive_digits", "Where", {"negative_column", "inverted_digits", "digits"});
  // Neither a ReduceSum nor a MatMul, which runtimes compute in floating point.
  std::string sum;
  for (size_t digit = 0; digit < powers.size(); ++digit) {
    const std::string place = body.scalar(static_cast<int64_t>(digit), "place");
    const std::string power = body.scalar(powers[digit], "power");
    body(fmt::format("digit{}", digit), "Gather", {"positive_digits", place}, {{"axis", -1}});
    body(fmt::format("share{}", digit), "Mul", {fmt::format("digit{}", digit), power});
    const std::string next = fmt::format("sum{}", digit);
    if (!sum.empty()) body(next, "Add", {sum, fmt::format("share{}", digit)});
    sum = sum.empty() ? "share0" : next;
  }
  body("minus", "Cast", {"negative"}, {{"to", 7}});
  body("signed", "Mul", {sum, sign_of(body, "minus")});
  body("result", "Sub", {"signed", "minus"});
  body("C", "Cast", {"result"}, {{"to", type}});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Digit by digit, which a table says of two.",
          .source = source,
          .needed_inputs = 2,
          .most_inputs = 2,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("BitwiseAnd", "ONNX BitwiseAnd-18"), rule_for("BitwiseOr", "ONNX BitwiseOr-18"),
                            rule_for("BitwiseXor", "ONNX BitwiseXor-18")};
const NativeRule::Registration registrations[] = {
    NativeRule::Registration(rules[0]), NativeRule::Registration(rules[1]), NativeRule::Registration(rules[2])};

}  // namespace
}  // namespace onnx_lower
