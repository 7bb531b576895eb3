// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Bitwise operators on integers, below the opset that has them.
//
// A number is taken apart into hexadecimal digits, along a new last dimension, and a table of 256 says what two digits make. A negative x has the inverted digits of
// -1 - x, which is not negative: so nothing here exceeds the type, and whether the result is negative is what the operator makes of the signs.
//
// Of more than 16 bits the lower 16 are first taken off, which are never negative. Runtimes compute integers as float, of 24 bits: OpenVINO divides so, and before 2025
// chose so, and MNN multiplies so. Then the quotient is wrong by one at most, and the rest says so.
#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_bitwise {
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

// The places of the digits, and what a digit is divided by to get at it.
Ints powers_of_sixteen(int bits) {
  Ints powers;
  for (int shift = 0; shift < bits; shift += 4) powers.push_back(int64_t{1} << shift);
  return powers;
}

std::string digits_of(Body& body, const std::string& name, const std::string& number, std::string_view powers) {
  body(name + "_column", "Reshape", {number, name + "_column_shape"});
  body(name + "_quotients", "Div", {name + "_column", powers});
  return body(name + "_plain_digits", "Mod", {name + "_quotients", "sixteen"});
}

// `<name>_digits`, and `<name>_negative` for each number.
void take_apart(Body& body, const std::string& name, std::string_view input, bool in_halves) {
  body(name + "_wide", "Cast", {input}, {{"to", 7}});
  body(name + "_negative", "Less", {name + "_wide", "zero"});
  body(name + "_shape", "Shape", {name + "_wide"});
  body(name + "_column_shape", "Concat", {name + "_shape", "single"}, {{"axis", 0}});
  std::string number = name + "_wide";
  if (in_halves) {
    body(name + "_quotient", "Div", {number, "unit"});
    body(name + "_units", "Mul", {name + "_quotient", "unit"});
    body(name + "_rest", "Sub", {number, name + "_units"});
    body(name + "_lacks", "Less", {name + "_rest", "zero"});
    body(name + "_lacking", "Cast", {name + "_lacks"}, {{"to", 7}});
    body(name + "_filling", "Mul", {name + "_lacking", "unit"});
    body(name + "_lower", "Add", {name + "_rest", name + "_filling"});
    number = body(name + "_upper", "Sub", {name + "_quotient", name + "_lacking"});
  }
  body(name + "_inverted", "Sub", {"minus_one", number});
  body(name + "_positive", "Where", {name + "_negative", name + "_inverted", number});
  const std::string plain = digits_of(body, name, name + "_positive", "powers");
  body(name + "_other_digits", "Sub", {"fifteen", plain});
  body(name + "_negative_column", "Reshape", {name + "_negative", name + "_column_shape"});
  const std::string own = in_halves ? name + "_upper_digits" : name + "_digits";
  body(own, "Where", {name + "_negative_column", name + "_other_digits", plain});
  if (!in_halves) return;
  body(name + "_lower_column", "Reshape", {name + "_lower", name + "_column_shape"});
  body(name + "_lower_quotients", "Div", {name + "_lower_column", "lower_powers"});
  body(name + "_lower_digits", "Mod", {name + "_lower_quotients", "sixteen"});
  body(name + "_digits", "Concat", {name + "_lower_digits", own}, {{"axis", -1}});
}

// The sum of digits, each times its power. Neither a ReduceSum nor a MatMul, which runtimes compute in floating point.
std::string sum_of(Body& body, const std::string& digits, const Ints& powers) {
  const std::string shares = body(digits + "_shares", "Mul", {digits, body.ints(powers, "shares")});
  std::vector<std::string> parts;
  for (size_t digit = 0; digit < powers.size(); ++digit) parts.push_back(fmt::format("{}_share{}", digits, digit));
  body.node(parts, "Split", {shares, body.ints(Ints(powers.size(), 1), "one_each")}, {{"axis", -1}});
  std::string sum = parts.front();
  for (size_t digit = 1; digit < parts.size(); ++digit) {
    sum = body(fmt::format("{}_sum{}", digits, digit), "Add", {sum, parts[digit]});
  }
  return body(digits + "_sum", "Reshape", {sum, "shape"});
}

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  const int type = site.need_dtype(0);
  const int bits = bits_of_type(type);
  if (bits == 0) return Declined{"its elements are no integers"};
  const bool in_halves = bits > 16;
  const Ints powers = powers_of_sixteen(in_halves ? bits - 16 : bits), lower_powers = powers_of_sixteen(16);
  Ints table;
  for (int a = 0; a < 16; ++a) {
    for (int b = 0; b < 16; ++b) table.push_back(combined(op_type, a, b));
  }
  Body body("ai.onnx", op_type, {"A", "B"}, {"C"}, 13);
  const auto number = [&](std::string_view name, int value) { body.constant(name, value); };
  number("zero", 0);
  number("minus_one", -1);
  number("fifteen", 15);
  number("sixteen", 16);
  body.constant("single", Ints{1});
  body.constant("powers", powers);
  body.constant("table", table);
  if (in_halves) {
    number("unit", 1 << 16);
    body.constant("lower_powers", lower_powers);
  }
  take_apart(body, "a", "A", in_halves);
  take_apart(body, "b", "B", in_halves);
  body("first_places", "Mul", {"a_digits", "sixteen"});
  body("places", "Add", {"first_places", "b_digits"});
  body("digits", "Gather", {"table", "places"}, {{"axis", 0}});
  body("negative", op_type.substr(std::string_view("Bitwise").size()), {"a_negative", "b_negative"});
  body("shape", "Shape", {"negative"});
  body("column_shape", "Concat", {"shape", "single"}, {{"axis", 0}});
  body("negative_column", "Reshape", {"negative", "column_shape"});
  if (in_halves) {
    const Ints halves = {std::ssize(lower_powers), std::ssize(powers)};
    body.node({"lower_digits", "upper_digits"}, "Split", {"digits", body.ints(halves, "halves")}, {{"axis", -1}});
  }
  const std::string upper_digits = in_halves ? "upper_digits" : "digits";
  body("inverted_digits", "Sub", {"fifteen", upper_digits});
  body("positive_digits", "Where", {"negative_column", "inverted_digits", upper_digits});
  const std::string sum = sum_of(body, "positive_digits", powers);
  body("inverted_sum", "Sub", {"minus_one", sum});
  std::string result = body("signed", "Where", {"negative", "inverted_sum", sum});
  if (in_halves) {
    const std::string lower_half = sum_of(body, "lower_digits", lower_powers);
    body("units", "Mul", {result, "unit"});
    result = body("result", "Add", {"units", lower_half});
  }
  body("C", "Cast", {result}, {{"to", type}});
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
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_bitwise
