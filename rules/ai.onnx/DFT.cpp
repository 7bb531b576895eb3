// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The Fourier transform of one axis as a product with a matrix of cosines. Of an element's real (a
// = 0) or imaginary part (a = 1) at t, the real (b = 0) or imaginary part (b = 1) of the result at
// k gets the cosine of t k / n turns, backwards unless the transform is the inverse, and (a - b) /
// 4 turns.
// Of the inverse of one side, whose result is real, the elements are those of both sides.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_DFT {
namespace {

// A number of elements: known, or the name of an int64 of rank 0.
struct Count {
  std::optional<int64_t> known;
  std::string value;
};

// 0, 1, 2 …
std::string append_line(Body& body, const Count& count, std::string_view name) {
  if (count.known) return body.constant(name, numbers_below(*count.known));
  return body(name, "Range", {body.scalar(0, "zero"), count.value, body.scalar(1, "one")});
}

Lowering lower(const CallSite& site) {
  if (site.version() >= 20) return Declined{"what its axis is, another form says"};
  const int type = site.need_dtype(0);
  const int rank = site.need_rank(0);
  const int64_t parts = site.need_dim(0, -1);
  if (parts != 1 && parts != 2) return Declined{"its last dimension is neither 1 nor 2"};
  int64_t axis = site.attribute_int("axis", 1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank - 1) return Declined{"its axis is none of those that can be transformed"};
  const bool is_inverse = site.attribute_int("inverse", 0) != 0, is_onesided = site.attribute_int("onesided", 0) != 0;
  const bool is_real_result = is_inverse && is_onesided;
  if (is_real_result && parts != 2) return Declined{"one side of a spectrum has imaginary parts"};

  Body body("ai.onnx", "DFT", {"input", "dft_length"}, {"output"}, 18);
  // The axis and the parts of its elements become one dimension, the last.
  Ints perm, back(static_cast<std::size_t>(rank));
  for (int64_t other = 0; other < rank - 1; ++other) {
    if (other != axis) perm.push_back(other);
  }
  perm.push_back(axis);
  perm.push_back(rank - 1);
  for (std::size_t place = 0; place < perm.size(); ++place)
    back[static_cast<std::size_t>(perm[place])] = static_cast<int64_t>(place);
  const bool is_in_place = axis == rank - 2;
  std::string signal = is_in_place ? "input" : body.transpose("input", perm, "turned");

  const std::optional<int64_t> known_input = site.dim(0, static_cast<int>(axis));
  Count length, used, results;
  used.known = known_input;
  if (site.has_input(1)) {
    const auto given = site.constant_ints(1);
    if (given && given->size() == 1) length.known = given->front();
    if (length.known && *length.known < 1) return Declined{"its length is not positive"};
    if (!length.known) length.value = body("given_length", "Reshape", {"dft_length", body.ints({}, "no_axes")});
    if (is_real_result) {
      // Where the definition would leave some out, or add zeros, ONNX Runtime takes all that there
      // are.
      if (!known_input || !length.known) return Declined{"how many of its frequencies count is not known"};
      if (*known_input != *length.known / 2 + 1)
        return Declined{fmt::format("{} frequencies are not one side of those of a signal of length {}", *known_input,
                                    *length.known)};
    } else if (!known_input || !length.known || *known_input > *length.known) {
      // What is longer is cut off; what is shorter counts as if zeros followed.
      const std::string end =
          length.known ? body.ints({*length.known}, "end") : body.unsqueeze(length.value, {0}, "end");
      signal = body("cut", "Slice", {signal, body.ints({0}, "start"), end, body.ints({rank - 2}, "along")});
      used.known = known_input ? length.known : std::nullopt;
    }
  }
  if (!used.known) used.value = body.dim(signal, rank - 2);
  if (!site.has_input(1)) {
    length = used;
    if (is_real_result && used.known) {
      if (*used.known < 2) return Declined{"one frequency makes up no signal"};
      length.known = 2 * (*used.known - 1);
    } else if (is_real_result) {
      body("intervals", "Sub", {used.value, body.scalar(1, "first")});
      length.value = body("length", "Mul", {"intervals", body.scalar(2, "two")});
    }
  }
  results = length;
  if (is_onesided && !is_real_result && length.known) {
    results.known = *length.known / 2 + 1;
  } else if (is_onesided && !is_real_result) {
    body("half_length", "Div", {length.value, body.scalar(2, "two")});
    results.value = body("frequencies", "Add", {"half_length", body.scalar(1, "next")});
  }

  const auto precision = type == onnx::TensorProto::DOUBLE ? onnx::TensorProto::DOUBLE : onnx::TensorProto::FLOAT;
  const auto number = [&](double value, std::string_view stem) {
    return body.constant(body.fresh(stem), tensor_of(precision, {}, std::vector<double>{value}));
  };
  if (length.known) length.value = body.scalar(*length.known, "length");
  const std::string column = body.unsqueeze(append_line(body, used, "elements"), {1, 2, 3}, "column");
  const std::string row = body.unsqueeze(append_line(body, results, "places"), {1}, "row");
  // In quarters of the n-th part of a turn, of which only the last is left to be rounded: cos(m /
  // 4n turns) = sin((|m - 2n| - n) / 4n turns).
  body("products", "Mul", {column, row});
  body("remainders", "Mod", {"products", length.value});
  body("angles", "Mul", {"remainders", body.scalar(is_inverse ? 4 : -4, "quarters_of_each")});
  const int64_t result_parts = is_real_result ? 1 : 2;
  Ints shifts;
  for (int64_t a = 0; a < parts; ++a) {
    for (int64_t b = 0; b < result_parts; ++b) shifts.push_back(a - b);
  }
  body.constant("shifts", tensor_of(onnx::TensorProto::INT64, {parts, 1, result_parts}, shifts));
  body("quarter_turns", "Mul", {"shifts", length.value});
  body("moved_angles", "Add", {"angles", "quarter_turns"});
  body("half_turn", "Mul", {length.value, body.scalar(2, "two_quarters")});
  body("whole_turn", "Mul", {length.value, body.scalar(4, "four_quarters")});
  body("within_a_turn", "Mod", {"moved_angles", "whole_turn"});
  body("from_half", "Sub", {"within_a_turn", "half_turn"});
  body("distance_from_half", "Abs", {"from_half"});
  body("from_zero", "Sub", {"distance_from_half", length.value});
  body("rising", "Cast", {"from_zero"}, {{"to", precision}});
  body("length_number", "Cast", {length.value}, {{"to", precision}});
  body("part_of_quarter", "Div", {"rising", "length_number"});
  body("radians", "Mul", {"part_of_quarter", number(std::numbers::pi / 2, "quarter")});
  std::string shares = body("shares", "Sin", {"radians"});
  if (is_inverse) shares = body("mean_shares", "Div", {shares, "length_number"});
  if (is_real_result) {
    // The other side of the spectrum is the same but for the first frequency, and for the one in
    // the middle.
    body("is_first", "Equal", {column, body.scalar(0, "first_frequency")});
    body("twice", "Add", {column, column});
    body("is_middle", "Equal", {"twice", length.value});
    body("is_single", "Or", {"is_first", "is_middle"});
    body("times", "Where", {"is_single", number(1, "once"), number(2, "on_both_sides")});
    shares = body("shares_of_both_sides", "Mul", {shares, "times"});
  }
  if (precision != type) shares = body("typed_shares", "Cast", {shares}, {{"to", type}});

  // (t, a) x (k, b)
  Ints together(static_cast<std::size_t>(rank - 2), 0), apart = together;
  together.push_back(used.known ? *used.known * parts : -1);
  apart.insert(apart.end(), {results.known.value_or(-1), result_parts});
  std::string matrix;
  if (results.known) {
    matrix = body.reshape(shares, {used.known ? *used.known * parts : -1, *results.known * result_parts}, "matrix");
  } else {
    body("columns", "Mul", {body.unsqueeze(results.value, {0}, "result_count"), body.ints({result_parts}, "parts")});
    body("matrix_shape", "Concat", {body.ints({-1}, "rows"), "columns"}, {{"axis", 0}});
    matrix = body("matrix", "Reshape", {shares, "matrix_shape"});
  }
  const std::string flat = body.reshape(signal, together, "flat");
  body("transformed", "MatMul", {flat, matrix});
  const std::string shape = body.ints(apart, "apart");
  if (is_in_place) {
    body("output", "Reshape", {"transformed", shape});
  } else {
    body("in_parts", "Reshape", {"transformed", shape});
    body("output", "Transpose", {"in_parts"}, {{"perm", back}});
  }
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "DFT",
                      .summary = "The Fourier transform of one axis, as a product with a matrix of cosines.",
                      .source = "ONNX DFT-17",
                      .attributes = "axis, inverse, onesided",
                      .inputs = "input, dft_length",
                      .needed_inputs = 1,
                      .most_inputs = 3,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_DFT
