// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The bits of floating-point numbers as integers, and the other way, by arithmetic. With the
// exponent e, which the logarithm tells, the number of the bits but the sign's is
//
//     bits = (e - least exponent) * 2^fraction bits + |x| * 2^(fraction bits - e)
//
// also where x is subnormal. All of it is computed in double, in which each step is exact. What is
// NaN becomes the quiet NaN without a sign: its other bits do not show in arithmetic.
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_BitCast {
namespace {

using onnx::TensorProto;

// IEEE 754's interchange formats, and bfloat16.
struct Format {
  int bits;
  int fraction_bits;
  int least_exponent;     // of normal numbers, and of subnormal ones
  int greatest_exponent;  // of finite ones
};

std::optional<Format> format_of(int type) {
  switch (type) {
    case TensorProto::FLOAT16:
      return Format{16, 10, -14, 15};
    case TensorProto::BFLOAT16:
      return Format{16, 7, -126, 127};
    case TensorProto::FLOAT:
      return Format{32, 23, -126, 127};
    case TensorProto::DOUBLE:
      return Format{64, 52, -1022, 1023};
    default:
      return std::nullopt;
  }
}

struct Integer {
  int bits;
  bool is_signed;
};

std::optional<Integer> integer_of(int type) {
  switch (type) {
    case TensorProto::INT16:
    case TensorProto::UINT16:
      return Integer{16, type == TensorProto::INT16};
    case TensorProto::INT32:
    case TensorProto::UINT32:
      return Integer{32, type == TensorProto::INT32};
    case TensorProto::INT64:
    case TensorProto::UINT64:
      return Integer{64, type == TensorProto::INT64};
    default:
      return std::nullopt;
  }
}

std::string number(Body& body, const std::string& name, double value) {
  return body.constant(name, tensor_of(TensorProto::DOUBLE, {}, std::vector<double>{value}));
}

std::string powers_of_two(Body& body, const std::string& name, int first, int step, int count) {
  std::vector<double> powers;
  for (int i = 0; i < count; ++i) powers.push_back(std::ldexp(1.0, first + i * step));
  return body.constant(name, tensor_of(TensorProto::DOUBLE, {count}, powers));
}

// The powers of two for a double's exponents, each as a product of one of 64 coarse and one of 32
// fine powers: some of them are no doubles themselves.
constexpr int kFinePowers = 32;
constexpr int kCoarsePowers = 64;

// `name` = value * 2^(first + sign * place), for places from 0 to 2047. The coarse power is
// multiplied by first, or last.
void scale_by_place(Body& body, const std::string& name, const std::string& value, const std::string& place,
                    int coarse_first, int fine_first, int sign, bool coarse_goes_first) {
  powers_of_two(body, "coarse_powers", coarse_first, sign * kFinePowers, kCoarsePowers);
  powers_of_two(body, "fine_powers", fine_first, sign, kFinePowers);
  body.constant("fine_count", kFinePowers);
  body("coarse_place", "Div", {place, "fine_count"});
  body("coarse_start", "Mul", {"coarse_place", "fine_count"});
  body("fine_place", "Sub", {place, "coarse_start"});
  body("coarse_power", "Gather", {"coarse_powers", "coarse_place"}, {{"axis", 0}});
  body("fine_power", "Gather", {"fine_powers", "fine_place"}, {{"axis", 0}});
  body("scaled", "Mul", {value, coarse_goes_first ? "coarse_power" : "fine_power"});
  body(name, "Mul", {"scaled", coarse_goes_first ? "fine_power" : "coarse_power"});
}

// As a signed integer the sign's bit counts below 0, as an unsigned one it is above all others. In
// int64 both are the same for 64 bits.
int64_t value_of_sign(const Integer& integer) {
  if (integer.bits == 64) return std::numeric_limits<int64_t>::min();
  const int64_t value = int64_t{1} << (integer.bits - 1);
  return integer.is_signed ? -value : value;
}

class ToInteger {
 public:
  ToInteger(const Format& format, const Integer& integer)
      : format_(format),
        integer_(integer),
        is_double_(format.bits == 64),
        body_("ai.onnx", "BitCast", {"input"}, {"output"}, 15) {}

  Lowering lowering(int to) {
    number(body_, "zero", 0);
    body_("x", "Cast", {"input"}, {{"to", TensorProto::DOUBLE}});
    append_sign();
    append_size();
    append_exponent();
    body_.constant("hidden", int64_t{1} << format_.fraction_bits);
    const std::string place = is_double_ ? append_exact_significand() : append_significand();
    body_("low_bits", "Cast", {"significand"}, {{"to", TensorProto::INT64}});
    body_("high_bits", "Mul", {place, "hidden"});
    body_("bits", "Add", {"high_bits", "low_bits"});
    const std::string bits = is_double_ ? with_bits_beyond() : "bits";
    body_.constant("sign", value_of_sign(integer_));
    body_("with_sign", "Add", {bits, "sign"});
    body_("result", "Where", {"is_negative", "with_sign", bits});
    body_("output", "Cast", {"result"}, {{"to", to}});
    return body_.function();
  }

 private:
  // The sign shows in 1 / -0, too.
  void append_sign() {
    number(body_, "one", 1);
    body_("inverse", "Div", {"one", "x"});
    body_("is_below", "Less", {"x", "zero"});
    body_("is_inverse_below", "Less", {"inverse", "zero"});
    body_("is_negative", "Or", {"is_below", "is_inverse_below"});
  }

  // Makes `a`, which is |x|. The formula goes on beyond the finite numbers: infinity counts as the
  // power of two that would come next, and NaN as one and a quarter of that.
  void append_size() {
    body_("size", "Abs", {"x"});
    body_("is_number", "Equal", {"x", "x"});
    const double next =
        is_double_ ? std::numeric_limits<double>::max() : std::ldexp(1.0, format_.greatest_exponent + 1);
    number(body_, "infinity", next);
    number(body_, "not_a_number", is_double_ ? next : 1.25 * next);
    body_("not_beyond", "Min", {"size", "infinity"});
    body_("a", "Where", {"is_number", "not_beyond", "not_a_number"});
  }

  // Makes `place`, which is e - least exponent. A logarithm that is rounded to a whole number is
  // one of a power of two, for which the formula says the same with the exponent before.
  void append_exponent() {
    number(body_, "of_2", 1 / std::log(2.0));
    number(body_, "least_exponent", format_.least_exponent);
    number(body_, "greatest_exponent", format_.greatest_exponent);
    body_("logarithm", "Log", {"a"});
    body_("log2", "Mul", {"logarithm", "of_2"});
    body_("whole", "Floor", {"log2"});
    body_("at_least", "Max", {"whole", "least_exponent"});
    body_("exponent", "Min", {"at_least", "greatest_exponent"});
    body_("place_number", "Sub", {"exponent", "least_exponent"});
    body_("place", "Cast", {"place_number"}, {{"to", TensorProto::INT64}});
  }

  // Makes `significand`, which is |x| * 2^(fraction bits - e). Gives e - least exponent.
  std::string append_significand() {
    const int least = format_.least_exponent;
    powers_of_two(body_, "powers", format_.fraction_bits - least, -1, format_.greatest_exponent - least + 1);
    body_("power", "Gather", {"powers", "place"}, {{"axis", 0}});
    body_("significand", "Mul", {"a", "power"});
    return "place";
  }

  // Makes and gives the same for doubles: the exponent that their logarithm tells may be one off,
  // and the significand tells whether it is.
  std::string append_exact_significand() {
    const int fraction = format_.fraction_bits;
    scale_by_place(body_, "about", "a", "place", 1000, fraction - format_.least_exponent - 1000, -1, true);
    number(body_, "least_significand", std::ldexp(1.0, fraction));
    number(body_, "behind_significands", std::ldexp(1.0, fraction + 1));
    number(body_, "two", 2);
    number(body_, "half", 0.5);
    body_.constant("none", 0);
    body_("is_small", "Less", {"about", "least_significand"});
    body_("is_normal", "Greater", {"place", "none"});
    body_("is_too_small", "And", {"is_small", "is_normal"});
    body_("is_fit", "Less", {"about", "behind_significands"});
    body_("is_too_great", "Not", {"is_fit"});
    body_("factor_up", "Where", {"is_too_small", "two", "one"});
    body_("factor", "Where", {"is_too_great", "half", "factor_up"});
    body_("significand", "Mul", {"about", "factor"});
    body_("is_up", "Cast", {"is_too_great"}, {{"to", TensorProto::INT64}});
    body_("is_down", "Cast", {"is_too_small"}, {{"to", TensorProto::INT64}});
    body_("moved_up", "Add", {"place", "is_up"});
    return body_("right_place", "Sub", {"moved_up", "is_down"});
  }

  // The power of two after the greatest double is no double: the bits of infinity and of NaN are
  // put in.
  std::string with_bits_beyond() {
    const int64_t infinite = int64_t{2047} << format_.fraction_bits;
    body_.constant("infinite_bits", infinite);
    body_.constant("no_number_bits", infinite + (int64_t{1} << (format_.fraction_bits - 1)));
    body_("is_finite", "Equal", {"size", "a"});
    body_("infinite_or_bits", "Where", {"is_finite", "bits", "infinite_bits"});
    return body_("all_bits", "Where", {"is_number", "infinite_or_bits", "no_number_bits"});
  }

  const Format format_;
  const Integer integer_;
  const bool is_double_;
  Body body_;
};

Lowering to_floating_point(const Integer& integer, const Format& format, int to) {
  Body body("ai.onnx", "BitCast", {"input"}, {"output"}, 15);
  const int fraction = format.fraction_bits;
  // The place of what is not finite.
  const int last_place = format.greatest_exponent - format.least_exponent + 2;
  body("x", "Cast", {"input"}, {{"to", TensorProto::INT64}});
  body.constant("none", 0);
  body.constant("sign", value_of_sign(integer));
  if (integer.bits < 64 && !integer.is_signed) {
    body("is_positive", "Less", {"x", "sign"});
    body("is_negative", "Not", {"is_positive"});
  } else {
    body("is_negative", "Less", {"x", "none"});
  }
  body("without_sign", "Sub", {"x", "sign"});
  body("bits", "Where", {"is_negative", "without_sign", "x"});
  body.constant("hidden", int64_t{1} << fraction);
  body("place", "Div", {"bits", "hidden"});
  body("high_bits", "Mul", {"place", "hidden"});
  body("fraction", "Sub", {"bits", "high_bits"});
  // Subnormal numbers have the exponent of the least normal ones, and no hidden bit.
  body("is_normal", "Greater", {"place", "none"});
  body("with_hidden", "Add", {"fraction", "hidden"});
  body("whole", "Where", {"is_normal", "with_hidden", "fraction"});
  body("significand", "Cast", {"whole"}, {{"to", TensorProto::DOUBLE}});
  if (format.bits == 64) {
    body.constant("first", 1);
    body("power_place", "Where", {"is_normal", "place", "first"});
    const int first = format.least_exponent - fraction - 1;
    scale_by_place(body, "finite", "significand", "power_place", -1001, first + 1001, 1, false);
  } else {
    std::vector<double> powers;
    for (int place = 0; place < last_place; ++place)
      powers.push_back(std::ldexp(1.0, format.least_exponent - fraction + (place > 0 ? place - 1 : 0)));
    powers.push_back(0);
    body.constant("powers", tensor_of(TensorProto::DOUBLE, {last_place + 1}, powers));
    body("power", "Gather", {"powers", "place"}, {{"axis", 0}});
    body("finite", "Mul", {"significand", "power"});
  }
  body.constant("last_place", last_place);
  number(body, "infinity", std::numeric_limits<double>::infinity());
  number(body, "not_a_number", std::numeric_limits<double>::quiet_NaN());
  body("is_not_finite", "Equal", {"place", "last_place"});
  body("has_fraction", "Greater", {"fraction", "none"});
  body("other", "Where", {"has_fraction", "not_a_number", "infinity"});
  body("size", "Where", {"is_not_finite", "other", "finite"});
  // ONNX Runtime's Where makes 0 of -0.
  number(body, "one", 1);
  number(body, "minus_one", -1);
  body("direction", "Where", {"is_negative", "minus_one", "one"});
  body("result", "Mul", {"size", "direction"});
  body("output", "Cast", {"result"}, {{"to", to}});
  return body.function();
}

Lowering lower(const CallSite& site) {
  const int from = site.need_dtype(0);
  const int to = static_cast<int>(site.attribute_int("to", 0));
  if (const auto format = format_of(from)) {
    const auto integer = integer_of(to);
    if (!integer || integer->bits != format->bits)
      return Declined{"floating-point numbers are taken as integers of as many bits"};
    return ToInteger(*format, *integer).lowering(to);
  }
  const auto integer = integer_of(from);
  const auto format = format_of(to);
  if (!integer || !format || integer->bits != format->bits)
    return Declined{"integers are taken as floating-point numbers of as many bits"};
  return to_floating_point(*integer, *format, to);
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "BitCast",
                      .summary = "The bits of floating-point numbers as integers, and the other way, by arithmetic.",
                      .source = "ONNX BitCast-26; IEEE 754-2019, 3.4",
                      .attributes = "to",
                      .required_attributes = "to",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_BitCast
