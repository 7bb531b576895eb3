// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Bitwise operators on integers, below the opset that has them.
//
// A number is taken apart into hexadecimal digits, along a new last dimension, and a table says
// what two digits make. The digits are those of the two's complement, in which rounding down
// tells a negative number's as well: so only the highest digit of the result depends on the sign.
// The digits are computed in float, in which 16 bits are exact and a division by a power of two
// is a product.
//
// Numbers of more bits are first taken apart into words of 16. Some runtimes compute integers as
// float, of 24 bits: the Div of OpenVINO does, its Where did before 2025, and the Mul of MNN does.
// Then the quotient is too large by one at most, and its product tells.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

constexpr int bits_of_word = 16;

class Bitwise {
 public:
  Bitwise(const CallSite& site, int type, int bits)
      : site_(site),
        op_type_(site.node().op_type()),
        type_(type),
        words_(std::max(bits / bits_of_word, 1)),
        digits_(bits / words_ / 4),
        body_("ai.onnx", op_type_, {"A", "B"}, {"C"}, 13) {}

  Lowering lowering() {
    std::vector<double> powers, shares, next_shares;
    for (int digit = 0; digit < digits_; ++digit) {
      powers.push_back(std::pow(16, digit));
      shares.push_back(1 / powers.back());
      next_shares.push_back(shares.back() / 16);
    }
    body_.constant("shares", floats(shares));
    body_.constant("next_shares", floats(next_shares));
    body_.constant("sixteen", 16.0);
    if (words_ > 1) {
      body_.constant("unit", int64_t{1} << bits_of_word);
      body_.constant("zero", 0);
    }
    const std::string first = digits_of("A", site_.rank(0)), second = digits_of("B", site_.rank(1));
    body_("upper_places", "Mul", {first, "sixteen"});
    std::string places = body_("places", "Add", {"upper_places", second});
    // A uint64 is computed as the int64 with the same bits.
    const bool is_signed =
        type_ != onnx::TensorProto::UINT8 && type_ != onnx::TensorProto::UINT16 && type_ != onnx::TensorProto::UINT32;
    if (is_signed) {
      std::vector<double> tables(static_cast<size_t>(words_ * digits_), 0);
      tables.back() = 256;
      places = body_(
          "places_in_tables", "Add",
          {places, body_.constant("tables", floats(tables, words_ == 1 ? Ints{digits_} : Ints{words_, digits_}))});
    }
    body_("rows", "Cast", {places}, {{"to", onnx::TensorProto::INT64}});
    body_.constant("table", floats(results(is_signed)));
    body_("digits", "Gather", {"table", "rows"}, {{"axis", 0}});
    body_("C", "Cast", {number_of(sum("digits", powers))}, {{"to", type_}});
    return body_.function();
  }

 private:
  static onnx::TensorProto floats(const std::vector<double>& values) { return floats(values, {std::ssize(values)}); }
  static onnx::TensorProto floats(const std::vector<double>& values, const Ints& shape) {
    return tensor_of(onnx::TensorProto::FLOAT, shape, values);
  }

  // What two digits make; for signed numbers also what they make in the highest place, from -8
  // to 7.
  std::vector<double> results(bool is_signed) const {
    std::vector<double> table;
    for (const int sign_bit : {16, 8}) {
      if (sign_bit == 8 && !is_signed) break;
      for (int a = 0; a < 16; ++a) {
        for (int b = 0; b < 16; ++b) {
          const int result = combined(op_type_, a, b);
          table.push_back(result < sign_bit ? result : result - 16);
        }
      }
    }
    return table;
  }

  // The value with one more dimension, the last, of one element.
  std::string column(const std::string& value, std::optional<int> rank) {
    if (rank) return body_.unsqueeze(value, {*rank}, "column");
    const std::string shape = body_.made("shape", "Shape", {value});
    const std::string longer = body_.made("shape", "Concat", {shape, body_.ints({1}, "single")}, {{"axis", 0}});
    return body_.made("column", "Reshape", {value, longer});
  }

  // Gives the words of 16 bits along a last dimension, from the lowest to the highest, which has
  // the sign. They are split off one after another, so that no constant exceeds what a runtime
  // makes of an int64.
  std::string words_of(std::string_view input, std::optional<int> rank) {
    std::string rest = column(body_.made("wide", "Cast", {input}, {{"to", onnx::TensorProto::INT64}}), rank);
    std::vector<std::string> words;
    for (int word = 1; word < words_; ++word) {
      const std::string quotient = body_.made("quotient", "Div", {rest, "unit"});
      const std::string product = body_.made("product", "Mul", {quotient, "unit"});
      // The difference is right also where the product exceeds the type and wraps.
      const std::string difference = body_.made("difference", "Sub", {rest, product});
      const std::string is_negative = body_.made("is_negative", "Less", {difference, "zero"});
      const std::string excess = body_.made("excess", "Cast", {is_negative}, {{"to", onnx::TensorProto::INT64}});
      const std::string above = body_.made("above", "Sub", {quotient, excess});
      words.push_back(body_.made("word", "Add", {difference, body_.made("filling", "Mul", {excess, "unit"})}));
      rest = above;
    }
    words.push_back(rest);
    return body_.made("words", "Concat", words, {{"axis", -1}});
  }

  // Gives the hexadecimal digits along a last dimension, from the lowest.
  std::string digits_of(std::string input, std::optional<int> rank) {
    if (words_ > 1) {
      input = words_of(input, rank);
      if (rank) ++*rank;
    }
    const std::string number = body_.made("number", "Cast", {input}, {{"to", onnx::TensorProto::FLOAT}});
    const std::string each = column(number, rank);
    const auto rounded_down = [&](std::string_view shares) {
      return body_.made("whole", "Floor", {body_.made("quotient", "Mul", {each, shares})});
    };
    const std::string from_here = rounded_down("shares"), above = rounded_down("next_shares");
    return body_.made("digits", "Sub", {from_here, body_.made("upper", "Mul", {above, "sixteen"})});
  }

  // The sum of the digits, each times its power. Where it is known which dimension is the last, it
  // is no MatMul, which some processors compute with fewer bits.
  std::string sum(const std::string& digits, const std::vector<double>& powers) {
    const auto first = site_.rank(0), second = site_.rank(1);
    if (!first || !second) {
      // ONNX Runtime multiplies a value without elements by a matrix, but not by a vector.
      const std::string column = body_.constant("powers", floats(powers, {digits_, 1}));
      const std::string sums = body_.made("sums", "MatMul", {digits, column});
      return body_("words", "Gather", {sums, body_.scalar(0, "only")}, {{"axis", -1}});
    }
    const std::string shares = body_("digit_shares", "Mul", {digits, body_.constant("powers", floats(powers))});
    const Ints last = {std::max(*first, *second) + (words_ > 1 ? 1 : 0)};
    return body_("words", "ReduceSum", {shares, body_.ints(last, "last")}, {{"keepdims", 0}});
  }

  // Joins the words by neither a ReduceSum nor a MatMul, which runtimes compute in floating point.
  std::string number_of(const std::string& words) {
    if (words_ == 1) return words;
    const std::string all = body_.made("words", "Cast", {words}, {{"to", onnx::TensorProto::INT64}});
    std::string number;
    for (int word = words_ - 1; word >= 0; --word) {
      const std::string own = body_.made("word", "Gather", {all, body_.scalar(word, "place")}, {{"axis", -1}});
      number = number.empty() ? own : body_.made("number", "Add", {body_.made("units", "Mul", {number, "unit"}), own});
    }
    return number;
  }

  const CallSite& site_;
  std::string op_type_;
  int type_, words_, digits_;  // digits of a word
  Body body_;
};

Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(0);
  const int bits = bits_of_type(type);
  if (bits == 0) return Declined{"its elements are no integers"};
  return Bitwise(site, type, bits).lowering();
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
