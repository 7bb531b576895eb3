// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Shifts as products and quotients of powers of two, where a runtime has none, or none of signed
// integers.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_BitShift {
namespace {

struct Integer {
  int bits;
  bool is_signed;
  onnx::TensorProto::DataType computed_in;  // holds all products, or wraps as the type itself does
};

Integer integer_of(int type, bool is_left) {
  using onnx::TensorProto;
  switch (type) {
    case TensorProto::INT8:
      return {8, true, TensorProto::INT32};
    case TensorProto::UINT8:
      return {8, false, TensorProto::INT32};
    case TensorProto::INT16:
      return {16, true, TensorProto::INT32};
    case TensorProto::UINT16:
      return {16, false, TensorProto::INT32};
    case TensorProto::INT32:
      return {32, true, TensorProto::INT32};
    case TensorProto::UINT32:
      // What is lost on the left is lost in int32 as well; and OpenVINO computes int64 in 32 bits.
      return {32, false, is_left ? TensorProto::INT32 : TensorProto::INT64};
    case TensorProto::INT64:
      return {64, true, TensorProto::INT64};
    default:
      decline("its elements are no integers that int64 holds");
  }
}

Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(0);
  const std::string direction = site.attribute_string("direction", "");
  if (direction != "LEFT" && direction != "RIGHT") return Declined{"its direction is neither LEFT nor RIGHT"};
  const bool is_left = direction == "LEFT";
  const auto [bits, is_signed, wide] = integer_of(type, is_left);
  const int width = wide == onnx::TensorProto::INT32 ? 32 : 64;
  // To the right by all bits but the sign's, and farther, nothing but the sign is left.
  const int distances = is_left || !is_signed ? bits : bits - 1;
  std::vector<int64_t> powers;
  for (int distance = 0; distance < distances; ++distance) {
    const uint64_t power = uint64_t{1} << distance;
    powers.push_back(width == 32 ? static_cast<int32_t>(static_cast<uint32_t>(power)) : static_cast<int64_t>(power));
  }
  Body body("ai.onnx", "BitShift", {"X", "Y"}, {"Z"}, 13);
  const auto number = [&, wide = wide](std::string_view name, int64_t value) {
    body.constant(name, tensor_of(wide, {}, Ints{value}));
  };
  number("zero", 0);
  number("distances", distances);
  body.constant("powers", tensor_of(wide, {distances}, powers));
  body("x", "Cast", {"X"}, {{"to", wide}});
  body("y", "Cast", {"Y"}, {{"to", wide}});
  body("is_low", "Less", {"y", "zero"});
  body("is_near", "Less", {"y", "distances"});
  body("is_not_low", "Not", {"is_low"});
  body("is_within", "And", {"is_not_low", "is_near"});
  body("place", "Where", {"is_within", "y", "zero"});
  body("power", "Gather", {"powers", "place"}, {{"axis", 0}});
  if (is_left) {
    body("product", "Mul", {"x", "power"});
    std::string result = "product";
    if (bits < width) {
      number("modulus", int64_t{1} << bits);
      body("low_bits", "Mod", {"product", "modulus"});
      result = "low_bits";
      if (is_signed) {
        number("half", int64_t{1} << (bits - 1));
        body("is_positive", "Less", {"low_bits", "half"});
        body("below", "Sub", {"low_bits", "modulus"});
        body("number", "Where", {"is_positive", "low_bits", "below"});
        result = "number";
      }
    }
    body("result", "Where", {"is_within", result, "zero"});
  } else if (is_signed) {
    // A negative x has the inverted bits of -1 - x, which is not negative.
    number("minus_one", -1);
    body("is_negative", "Less", {"x", "zero"});
    body("inverted", "Sub", {"minus_one", "x"});
    body("positive", "Where", {"is_negative", "inverted", "x"});
    body("quotient", "Div", {"positive", "power"});
    body("rest", "Where", {"is_within", "quotient", "zero"});
    body("inverted_rest", "Sub", {"minus_one", "rest"});
    body("result", "Where", {"is_negative", "inverted_rest", "rest"});
  } else {
    body("quotient", "Div", {"x", "power"});
    body("result", "Where", {"is_within", "quotient", "zero"});
  }
  body("Z", "Cast", {"result"}, {{"to", type}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "BitShift",
                      .summary = "By products and quotients of powers of two.",
                      .source = "ONNX BitShift-28",
                      .attributes = "direction",
                      .required_attributes = "direction",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_BitShift
