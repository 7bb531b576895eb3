// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Bitwise operators on integers, below the opset that has them.
//
// A number is taken apart into hexadecimal digits, along a new last dimension, and a table of 256 says what two digits make. A negative x has the inverted digits of
// -1 - x, which is not negative: so nothing here exceeds the type, and whether the result is negative is what the operator makes of the signs.
#include <algorithm>

#include "../com.microsoft/body_text.h"

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

// `<name>_digits`, and `<name>_negative` for each number.
void take_apart(BodyText& body, std::string_view name, std::string_view input) {
  body.line("{}_wide = Cast <to = 7> ({})", name, input);
  body.line("{0}_negative = Less ({0}_wide, zero)", name);
  body.line("{0}_inverted = Sub (minus_one, {0}_wide)", name);
  body.line("{0}_positive = Where ({0}_negative, {0}_inverted, {0}_wide)", name);
  body.line("{0}_shape = Shape ({0}_wide)", name);
  body.line("{0}_column_shape = Concat <axis = 0> ({0}_shape, single)", name);
  body.line("{0}_column = Reshape ({0}_positive, {0}_column_shape)", name);
  body.line("{0}_quotients = Div ({0}_column, powers)", name);
  body.line("{0}_plain_digits = Mod ({0}_quotients, sixteen)", name);
  body.line("{0}_other_digits = Sub (fifteen, {0}_plain_digits)", name);
  body.line("{0}_negative_column = Reshape ({0}_negative, {0}_column_shape)", name);
  body.line("{0}_digits = Where ({0}_negative_column, {0}_other_digits, {0}_plain_digits)", name);
}

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  const int type = site.need_dtype(0);
  const int bits = bits_of_type(type);
  if (bits == 0) return Declined{"its elements are no integers"};
  std::vector<int64_t> powers, table;
  for (int shift = 0; shift < bits; shift += 4) powers.push_back(int64_t{1} << shift);
  for (int a = 0; a < 16; ++a) {
    for (int b = 0; b < 16; ++b) table.push_back(combined(op_type, a, b));
  }
  BodyText body("ai.onnx", op_type, {"A", "B"}, {"C"}, 13);
  const auto number = [&](std::string_view name, int value) {
    body.line("{} = Constant <value = int64 {{{}}}> ()", name, value);
  };
  number("zero", 0);
  number("minus_one", -1);
  number("fifteen", 15);
  number("sixteen", 16);
  body.line("single = Constant <value = int64[1] {{1}}> ()");
  body.line("powers = Constant <value = int64[{}] {{{}}}> ()", powers.size(), fmt::join(powers, ", "));
  body.line("table = Constant <value = int64[256] {{{}}}> ()", fmt::join(table, ", "));
  take_apart(body, "a", "A");
  take_apart(body, "b", "B");
  body.line("first_places = Mul (a_digits, sixteen)");
  body.line("places = Add (first_places, b_digits)");
  body.line("digits = Gather <axis = 0> (table, places)");
  body.line("negative = {} (a_negative, b_negative)", op_type.substr(std::string_view("Bitwise").size()));
  body.line("shape = Shape (negative)");
  body.line("column_shape = Concat <axis = 0> (shape, single)");
  body.line("negative_column = Reshape (negative, column_shape)");
  body.line("inverted_digits = Sub (fifteen, digits)");
  body.line("positive_digits = Where (negative_column, inverted_digits, digits)");
  // Neither a ReduceSum nor a MatMul, which runtimes compute in floating point.
  std::string sum;
  for (size_t digit = 0; digit < powers.size(); ++digit) {
    const std::string place = body.scalar(static_cast<int64_t>(digit), "place");
    const std::string power = body.scalar(powers[digit], "power");
    body.line("digit{} = Gather <axis = -1> (positive_digits, {})", digit, place);
    body.line("share{0} = Mul (digit{0}, {1})", digit, power);
    const std::string next = fmt::format("sum{}", digit);
    if (!sum.empty()) body.line("{} = Add ({}, share{})", next, sum, digit);
    sum = sum.empty() ? "share0" : next;
  }
  body.line("inverted_sum = Sub (minus_one, {})", sum);
  body.line("result = Where (negative, inverted_sum, {})", sum);
  body.line("C = Cast <to = {}> (result)", type);
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
