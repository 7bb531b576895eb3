// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Bitwise operators on integers, below the opset that has them.
//
// A number is taken apart into hexadecimal digits, along a new last dimension, and a table of 256 says what two digits make. A negative x has the inverted digits of
// -1 - x, which is not negative: so nothing here exceeds the type, and whether the result is negative is what the operator makes of the signs.

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

// `<name>_digits`, and `<name>_negative` for each number.
void take_apart(Body& body, const std::string& name, std::string_view input) {
  body(name + "_wide", "Cast", {input}, {{"to", 7}});
  body(name + "_negative", "Less", {name + "_wide", "zero"});
  body(name + "_inverted", "Sub", {"minus_one", name + "_wide"});
  body(name + "_positive", "Where", {name + "_negative", name + "_inverted", name + "_wide"});
  body(name + "_shape", "Shape", {name + "_wide"});
  body(name + "_column_shape", "Concat", {name + "_shape", "single"}, {{"axis", 0}});
  body(name + "_column", "Reshape", {name + "_positive", name + "_column_shape"});
  body(name + "_quotients", "Div", {name + "_column", "powers"});
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
  std::vector<int64_t> powers, table;
  for (int shift = 0; shift < bits; shift += 4) powers.push_back(int64_t{1} << shift);
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
  take_apart(body, "a", "A");
  take_apart(body, "b", "B");
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
  body("inverted_sum", "Sub", {"minus_one", sum});
  body("result", "Where", {"negative", "inverted_sum", sum});
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
}  // namespace onnx_lower::native_rules::ai_onnx_bitwise
