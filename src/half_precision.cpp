// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "half_precision.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace onnx_lower {
namespace {

// A type of 16 bits: a sign, an exponent, and a fraction of that many bits. An exponent of which
// all bits are set stands for infinity and NaN.
struct Format {
  int fraction_bits;
  int least_exponent;  // of numbers with a leading 1
  int most_exponent;
};

constexpr Format float16{10, -14, 15};
constexpr Format bfloat16{7, -126, 127};

double number_of_bits(uint16_t bits, const Format& format) {
  const int biased = (bits & 0x7fff) >> format.fraction_bits;
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const int bias = format.most_exponent;
  double magnitude = 0;
  if (biased > format.most_exponent + bias) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (biased == 0) {
    magnitude = std::ldexp(fraction, format.least_exponent - format.fraction_bits);
  } else {
    magnitude = std::ldexp((1 << format.fraction_bits) + fraction, biased - bias - format.fraction_bits);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

uint16_t bits_of(double number, const Format& format) {
  const int sign = std::signbit(number) ? 0x8000 : 0;
  const int infinity = (2 * format.most_exponent + 1) << format.fraction_bits;
  if (std::isnan(number)) return static_cast<uint16_t>(infinity | 1 << (format.fraction_bits - 1));
  const double magnitude = std::abs(number);
  if (magnitude >= std::ldexp(1, format.most_exponent + 1)) return static_cast<uint16_t>(sign | infinity);
  const int exponent = magnitude == 0 ? format.least_exponent : std::max(std::ilogb(magnitude), format.least_exponent);
  // In units of the last bit of the fraction. A number that is rounded up to the next power of two
  // gets the bits of that: the carry goes into the exponent.
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent)));
  return static_cast<uint16_t>(sign | (((exponent - format.least_exponent) << format.fraction_bits) + units));
}

}  // namespace

double from_float16(uint16_t bits) { return number_of_bits(bits, float16); }
double from_bfloat16(uint16_t bits) { return number_of_bits(bits, bfloat16); }
uint16_t to_float16(double number) { return bits_of(number, float16); }
uint16_t to_bfloat16(double number) { return bits_of(number, bfloat16); }

}  // namespace onnx_lower
