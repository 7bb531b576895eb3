// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Shifts as products and quotients of powers of two, where a runtime has none, or none of signed
// integers: z = x * 2^y to the left, and z = floor(x / 2^y) to the right.
#include <cstdint>
#include <iterator>
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

class Shift {
 public:
  Shift(int type, bool is_left)
      : type_(type),
        is_left_(is_left),
        integer_(integer_of(type, is_left)),
        width_(integer_.computed_in == onnx::TensorProto::INT32 ? 32 : 64),
        body_("ai.onnx", "BitShift", {"X", "Y"}, {"Z"}, 13) {}

  Lowering lowering() {
    append_power();
    if (is_left_) {
      shift_left();
    } else if (integer_.is_signed) {
      shift_right_with_sign();
    } else {
      body_("quotient", "Div", {"x", "power"});
      body_("result", "Where", {"is_within", "quotient", "zero"});
    }
    body_("Z", "Cast", {"result"}, {{"to", type_}});
    return body_.function();
  }

 private:
  void number(std::string_view name, int64_t value) {
    body_.constant(name, tensor_of(integer_.computed_in, {}, Ints{value}));
  }

  // Gives 2^0, 2^1, 2^2 …, for the distances at which something is left of x. To the right by all
  // bits but the sign's, and farther, nothing but the sign is.
  Ints powers() const {
    const int distances = is_left_ || !integer_.is_signed ? integer_.bits : integer_.bits - 1;
    Ints powers;
    for (int distance = 0; distance < distances; ++distance) {
      const uint64_t power = uint64_t{1} << distance;
      powers.push_back(width_ == 32 ? static_cast<int32_t>(static_cast<uint32_t>(power)) : static_cast<int64_t>(power));
    }
    return powers;
  }

  // Makes `power`, which is 2^y where y `is_within` the distances, and 1 elsewhere.
  void append_power() {
    const Ints powers_of_two = powers();
    number("zero", 0);
    number("distances", std::ssize(powers_of_two));
    body_.constant("powers", tensor_of(integer_.computed_in, {std::ssize(powers_of_two)}, powers_of_two));
    body_("x", "Cast", {"X"}, {{"to", integer_.computed_in}});
    body_("y", "Cast", {"Y"}, {{"to", integer_.computed_in}});
    body_("is_low", "Less", {"y", "zero"});
    body_("is_near", "Less", {"y", "distances"});
    body_("is_not_low", "Not", {"is_low"});
    body_("is_within", "And", {"is_not_low", "is_near"});
    body_("place", "Where", {"is_within", "y", "zero"});
    body_("power", "Gather", {"powers", "place"}, {{"axis", 0}});
  }

  // Makes `result` of the product, of which as many low bits are left as the type has.
  void shift_left() {
    body_("product", "Mul", {"x", "power"});
    body_("result", "Where", {"is_within", integer_.bits < width_ ? low_bits() : "product", "zero"});
  }

  std::string low_bits() {
    number("modulus", int64_t{1} << integer_.bits);
    body_("low_bits", "Mod", {"product", "modulus"});
    if (!integer_.is_signed) return "low_bits";
    number("half", int64_t{1} << (integer_.bits - 1));
    body_("is_positive", "Less", {"low_bits", "half"});
    body_("below", "Sub", {"low_bits", "modulus"});
    return body_("number", "Where", {"is_positive", "low_bits", "below"});
  }

  // A negative x has the inverted bits of -1 - x, which is not negative.
  void shift_right_with_sign() {
    number("minus_one", -1);
    body_("is_negative", "Less", {"x", "zero"});
    body_("inverted", "Sub", {"minus_one", "x"});
    body_("positive", "Where", {"is_negative", "inverted", "x"});
    body_("quotient", "Div", {"positive", "power"});
    body_("rest", "Where", {"is_within", "quotient", "zero"});
    body_("inverted_rest", "Sub", {"minus_one", "rest"});
    body_("result", "Where", {"is_negative", "inverted_rest", "rest"});
  }

  const int type_;
  const bool is_left_;
  const Integer integer_;
  const int width_;  // of the type that is computed in, in bits
  Body body_;
};

Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(0);
  const std::string direction = site.attribute_string("direction", "");
  if (direction != "LEFT" && direction != "RIGHT") return Declined{"its direction is neither LEFT nor RIGHT"};
  return Shift(type, direction == "LEFT").lowering();
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
