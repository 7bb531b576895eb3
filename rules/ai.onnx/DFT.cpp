// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The Fourier transform along one axis as a product with a matrix of cosines. With a = 0 for the
// real and a = 1 for the imaginary part of the element at t, and b likewise for the result at k,
//
//     y[k, b] = sum(x[t, a] * cos(2 pi * (-t k / n + (a - b) / 4)))
//
// The inverse has +t k / n there, and divides the sum by n. A one-sided inverse has a real result:
// its input is one side of the spectrum, and the sum goes over both.
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

// Makes the list 0, 1, 2 … of `count` numbers.
std::string append_line(Body& body, const Count& count, std::string_view name) {
  if (count.known) return body.constant(name, numbers_below(*count.known));
  return body(name, "Range", {body.scalar(0, "zero"), count.value, body.scalar(1, "one")});
}

// n is the number of the signal's elements, of which only the first `used_` are other than zero.
class Transform {
 public:
  explicit Transform(const CallSite& site)
      : site_(site),
        type_(site.need_dtype(0)),
        rank_(site.need_rank(0)),
        parts_(site.need_dim(0, -1)),
        axis_(site.attribute_int("axis", 1)),
        is_inverse_(site.attribute_int("inverse", 0) != 0),
        is_onesided_(site.attribute_int("onesided", 0) != 0),
        is_real_result_(is_inverse_ && is_onesided_),
        result_parts_(is_real_result_ ? 1 : 2),
        precision_(type_ == onnx::TensorProto::DOUBLE ? onnx::TensorProto::DOUBLE : onnx::TensorProto::FLOAT),
        body_("ai.onnx", "DFT", {"input", "dft_length"}, {"output"}, 18) {
    if (parts_ != 1 && parts_ != 2) decline("its last dimension is neither 1 nor 2");
    if (axis_ < 0) axis_ += rank_;
    if (axis_ < 0 || axis_ >= rank_ - 1) decline("its axis is none of those that can be transformed");
    if (is_real_result_ && parts_ != 2) decline("one side of a spectrum has imaginary parts");
  }

  Lowering lowering() {
    const Ints perm = axis_behind_others();
    const bool is_in_place = axis_ == rank_ - 2;
    signal_ = is_in_place ? "input" : body_.transpose("input", perm, "turned");
    find_length();
    find_results();
    std::string shares = shares_of_elements();
    if (is_real_result_) shares = shares_of_both_sides(shares);
    if (precision_ != type_) shares = body_("typed_shares", "Cast", {shares}, {{"to", type_}});
    const std::string matrix = as_matrix(shares);

    // The axis and the parts of its elements become one dimension, the last, and two again.
    Ints together(static_cast<std::size_t>(rank_ - 2), 0), apart = together;
    together.push_back(used_.known ? *used_.known * parts_ : -1);
    apart.insert(apart.end(), {results_.known.value_or(-1), result_parts_});
    const std::string flat = body_.reshape(signal_, together, "flat");
    body_("transformed", "MatMul", {flat, matrix});
    const std::string shape = body_.ints(apart, "apart");
    if (is_in_place) {
      body_("output", "Reshape", {"transformed", shape});
    } else {
      body_("in_parts", "Reshape", {"transformed", shape});
      body_("output", "Transpose", {"in_parts"}, {{"perm", inverse_of(perm)}});
    }
    return body_.function();
  }

 private:
  // Gives the permutation after which the axis stands behind all others but the parts of
  // its elements.
  Ints axis_behind_others() const {
    Ints perm;
    for (int64_t other = 0; other < rank_ - 1; ++other) {
      if (other != axis_) perm.push_back(other);
    }
    perm.push_back(axis_);
    perm.push_back(rank_ - 1);
    return perm;
  }
  static Ints inverse_of(const Ints& perm) {
    Ints back(perm.size());
    for (std::size_t place = 0; place < perm.size(); ++place)
      back[static_cast<std::size_t>(perm[place])] = static_cast<int64_t>(place);
    return back;
  }

  std::string number(double value, std::string_view stem) {
    return body_.constant(body_.fresh(stem), tensor_of(precision_, {}, std::vector<double>{value}));
  }

  // Finds `length_`, which is n, and `used_`, to which `signal_` is cut.
  void find_length() {
    used_.known = site_.dim(0, static_cast<int>(axis_));
    if (site_.has_input(1)) {
      const auto given = site_.constant_ints(1);
      if (given && given->size() == 1) length_.known = given->front();
      if (length_.known && *length_.known < 1) decline("its length is not positive");
      if (!length_.known) length_.value = body_("given_length", "Reshape", {"dft_length", body_.ints({}, "no_axes")});
      if (is_real_result_) {
        check_side();
      } else if (!used_.known || !length_.known || *used_.known > *length_.known) {
        cut();
      }
    }
    if (!used_.known) used_.value = body_.dim(signal_, rank_ - 2);
    if (!site_.has_input(1)) find_length_of_input();
  }

  // Declines where the definition leaves some of the given frequencies out, or adds zeros: ONNX
  // Runtime takes all that are given.
  void check_side() const {
    if (!used_.known || !length_.known) decline("how many of its frequencies count is not known");
    if (*used_.known != *length_.known / 2 + 1)
      decline(fmt::format("{} frequencies are not one side of those of a signal of length {}", *used_.known,
                          *length_.known));
  }

  // A longer signal is cut off; a shorter one counts as if zeros followed.
  void cut() {
    const std::string end =
        length_.known ? body_.ints({*length_.known}, "end") : body_.unsqueeze(length_.value, {0}, "end");
    signal_ = body_("cut", "Slice", {signal_, body_.ints({0}, "start"), end, body_.ints({rank_ - 2}, "along")});
    used_.known = used_.known ? length_.known : std::nullopt;
  }

  void find_length_of_input() {
    length_ = used_;
    if (is_real_result_ && used_.known) {
      if (*used_.known < 2) decline("one frequency makes up no signal");
      length_.known = 2 * (*used_.known - 1);
    } else if (is_real_result_) {
      body_("intervals", "Sub", {used_.value, body_.scalar(1, "first")});
      length_.value = body_("length", "Mul", {"intervals", body_.scalar(2, "two")});
    }
  }

  // Finds `results_`, the number of results: n, or as many as one side of the spectrum has.
  void find_results() {
    results_ = length_;
    if (is_onesided_ && !is_real_result_ && length_.known) {
      results_.known = *length_.known / 2 + 1;
    } else if (is_onesided_ && !is_real_result_) {
      body_("half_length", "Div", {length_.value, body_.scalar(2, "two")});
      results_.value = body_("frequencies", "Add", {"half_length", body_.scalar(1, "next")});
    }
  }

  // Gives the cosines: (elements that are used) x (parts) x (results) x (parts of a result).
  std::string shares_of_elements() {
    if (length_.known) length_.value = body_.scalar(*length_.known, "length");
    column_ = body_.unsqueeze(append_line(body_, used_, "elements"), {1, 2, 3}, "column");
    const std::string row = body_.unsqueeze(append_line(body_, results_, "places"), {1}, "row");
    // The angles are counted in quarters of the n-th part of a turn, so that only the last step is
    // rounded: cos(m / 4n turns) = sin((|m - 2n| - n) / 4n turns).
    body_("products", "Mul", {column_, row});
    body_("remainders", "Mod", {"products", length_.value});
    body_("angles", "Mul", {"remainders", body_.scalar(is_inverse_ ? 4 : -4, "quarters_of_each")});
    Ints shifts;
    for (int64_t a = 0; a < parts_; ++a) {
      for (int64_t b = 0; b < result_parts_; ++b) shifts.push_back(a - b);
    }
    body_.constant("shifts", tensor_of(onnx::TensorProto::INT64, {parts_, 1, result_parts_}, shifts));
    body_("quarter_turns", "Mul", {"shifts", length_.value});
    body_("moved_angles", "Add", {"angles", "quarter_turns"});
    body_("half_turn", "Mul", {length_.value, body_.scalar(2, "two_quarters")});
    body_("whole_turn", "Mul", {length_.value, body_.scalar(4, "four_quarters")});
    body_("within_a_turn", "Mod", {"moved_angles", "whole_turn"});
    body_("from_half", "Sub", {"within_a_turn", "half_turn"});
    body_("distance_from_half", "Abs", {"from_half"});
    body_("from_zero", "Sub", {"distance_from_half", length_.value});
    body_("rising", "Cast", {"from_zero"}, {{"to", precision_}});
    body_("length_number", "Cast", {length_.value}, {{"to", precision_}});
    body_("part_of_quarter", "Div", {"rising", "length_number"});
    body_("radians", "Mul", {"part_of_quarter", number(std::numbers::pi / 2, "quarter")});
    const std::string shares = body_("shares", "Sin", {"radians"});
    return is_inverse_ ? body_("mean_shares", "Div", {shares, "length_number"}) : shares;
  }

  // The other side of the spectrum doubles all shares but those of the first frequency, and of the
  // one in the middle.
  std::string shares_of_both_sides(const std::string& shares) {
    body_("is_first", "Equal", {column_, body_.scalar(0, "first_frequency")});
    body_("twice", "Add", {column_, column_});
    body_("is_middle", "Equal", {"twice", length_.value});
    body_("is_single", "Or", {"is_first", "is_middle"});
    body_("times", "Where", {"is_single", number(1, "once"), number(2, "on_both_sides")});
    return body_("shares_of_both_sides", "Mul", {shares, "times"});
  }

  // Gives the shares as (elements that are used * parts) x (results * parts of a result).
  std::string as_matrix(const std::string& shares) {
    if (results_.known) {
      const int64_t rows = used_.known ? *used_.known * parts_ : -1;
      return body_.reshape(shares, {rows, *results_.known * result_parts_}, "matrix");
    }
    body_("columns", "Mul",
          {body_.unsqueeze(results_.value, {0}, "result_count"), body_.ints({result_parts_}, "parts")});
    body_("matrix_shape", "Concat", {body_.ints({-1}, "rows"), "columns"}, {{"axis", 0}});
    return body_("matrix", "Reshape", {shares, "matrix_shape"});
  }

  const CallSite& site_;
  const int type_, rank_;
  const int64_t parts_;  // of an element: 1 if it is real, 2 if it is complex
  int64_t axis_;
  const bool is_inverse_, is_onesided_, is_real_result_;
  const int64_t result_parts_;
  const onnx::TensorProto::DataType precision_;
  Body body_;
  std::string signal_;
  Count used_, length_, results_;
  std::string column_;  // 0, 1, 2 … for the elements that are used, (used) x 1 x 1 x 1
};

Lowering lower(const CallSite& site) {
  if (site.version() >= 20) return Declined{"what its axis is, another form says"};
  return Transform(site).lowering();
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
