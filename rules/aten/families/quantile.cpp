// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_quantile {
namespace {

// With n elements in a slice along the dimension, the place of a quantile is r = q (n - 1) among
// the sorted ones:
//
//     y = lerp(sorted[floor(r)], sorted[ceil(r)], r - floor(r))
//
// or another one of or between these two, as the interpolation says. A NaN counts as the greatest
// of all. A slice with a NaN gives NaN, or the quantile of the others where these are left out;
// then each slice has its own n.
class Quantile {
 public:
  Quantile(const CallSite& site, std::string_view op_type, bool leaves_nan_out)
      : interpolation_(site.need_text(4, "linear")),
        rank_(site.need_rank(0)),
        places_rank_(site.need_rank(1)),
        leaves_nan_out_(leaves_nan_out),
        is_flat_(!site.has_input(2)),
        body_("aten", op_type, {"x", "q", "dim", "keepdim", "interpolation"}, {"y"}, 18) {
    if (places_rank_ > 1) decline("input 1 (q) has more than one dimension");
    keeps_ = site.need_number(3, 0) != 0;
    if (rank_ == 0) decline("input 0 (x) has no dimension");
    dim_ = is_flat_ ? 0 : need_axis(site.need_number(2, 0), rank_);
  }

  Lowering lowering() {
    put_dimension_last();
    sort();
    find_places();
    take_found();
    body_("y", "Identity", {in_order_of_output(answers())});
    return body_.function();
  }

 private:
  int sorted_rank() const { return is_flat_ ? 1 : rank_; }

  // Makes `last_`, which is x with the dimension that is asked about behind all others, or all of x
  // as a list.
  void put_dimension_last() {
    last_ = "x";
    if (is_flat_) {
      last_ = body_.reshape("x", {-1}, "flat");
    } else if (dim_ != rank_ - 1) {
      Ints order = numbers_below(rank_);
      order.erase(order.begin() + dim_);
      order.push_back(dim_);
      last_ = body_.transpose("x", order, "turned");
    }
  }

  // Makes `sorted`, of the shape of `last_`, and `nan_count`, slices x 1.
  void sort() {
    end_ = body_.ints({-1}, "last");
    size_ = body_.dim_list(last_, -1);
    body_("nan", "IsNaN", {last_});
    body_("key", "Where",
          {"nan", body_.scalar_like(std::numeric_limits<double>::infinity(), last_, "infinite"), last_});
    body_.node({"sorted", "at"}, "TopK", {"key", size_}, {{"axis", -1}, {"largest", 0}, {"sorted", 1}});
    body_("nan_number", "Cast", {"nan"}, {{"to", 7}});
    body_("nan_count", "ReduceSum", {"nan_number", end_}, {{"keepdims", 1}});
  }

  // Makes `rank`, which is r, and what is around it: slices x places, with as many slices as have
  // an n of their own.
  void find_places() {
    const std::string count = leaves_nan_out_ ? body_.made("count", "Sub", {size_, "nan_count"}) : size_;
    beyond_ = body_.made("greatest", "Sub", {count, body_.ints({1}, "one")});
    const std::string greatest = body_.made("greatest", "Max", {beyond_, body_.ints({0}, "zero")});
    body_("greatest_like", "CastLike", {greatest, last_});
    body_("q_like", "CastLike", {"q", last_});
    const std::string q = body_.reshape("q_like", {-1}, "q_list");
    body_("rank", "Mul", {q, "greatest_like"});
    body_("lower_rank", "Floor", {"rank"});
    body_("upper_rank", "Ceil", {"rank"});
    body_("share", "Sub", {"rank", "lower_rank"});
    none_ = body_.ints({0}, "none");
    // GatherElements wants indices for each slice.
    body_("slices", "Slice", {body_.made("shape", "Shape", {"sorted"}), none_, end_});
    body_("asked", "Concat", {"slices", body_.made("asked", "Shape", {q})}, {{"axis", 0}});
  }

  // Gives the sorted elements at the places, slices x places.
  std::string elements_at(const std::string& place, std::string_view name) {
    const std::string index = body_.made("index", "Cast", {place}, {{"to", 7}});
    const std::string of_each = body_.made("index", "Expand", {index, "asked"});
    return body_(name, "GatherElements", {"sorted", of_each}, {{"axis", -1}});
  }

  // Makes `found`, slices x places.
  void take_found() {
    if (interpolation_ == "lower") {
      elements_at("lower_rank", "found");
    } else if (interpolation_ == "higher") {
      elements_at("upper_rank", "found");
    } else if (interpolation_ == "nearest") {
      elements_at(body_.made("nearest", "Round", {"rank"}), "found");
    } else if (interpolation_ == "linear" || interpolation_ == "midpoint") {
      body_.import("aten", 1);
      const std::string share = interpolation_ == "linear" ? "share" : body_.scalar_like(0.5, last_, "half");
      elements_at("lower_rank", "below");
      elements_at("upper_rank", "above");
      body_("found", "aten.lerp", {"below", "above", share});
    } else {
      decline(fmt::format("its interpolation is '{}'", interpolation_));
    }
  }

  // Gives what is found, and NaN for slices without a number, or with a NaN.
  std::string answers() {
    body_("no_answer", leaves_nan_out_ ? "Less" : "Greater", {leaves_nan_out_ ? beyond_ : "nan_count", none_});
    const std::string not_a_number = body_.scalar_like(std::numeric_limits<double>::quiet_NaN(), last_, "not_a_number");
    return body_.made("answer", "Where", {"no_answer", not_a_number, "found"});
  }

  // The dimension of the places comes first, or goes where q is a single number; the dimension that
  // was reduced stays, with size 1, where keepdim says so.
  std::string in_order_of_output(std::string answers) {
    if (places_rank_ == 0) {
      answers = body_.made("one", "Squeeze", {answers, end_});
    } else if (sorted_rank() > 1) {
      Ints order = numbers_below(sorted_rank());
      order.pop_back();
      order.insert(order.begin(), sorted_rank() - 1);
      answers = body_.transpose(answers, order, "first");
    }
    if (!keeps_) return answers;
    Ints kept = is_flat_ ? numbers_below(rank_) : Ints{dim_};
    for (int64_t& axis : kept) axis += places_rank_;
    return body_.unsqueeze(answers, kept, "kept");
  }

  const std::string interpolation_;
  const int rank_, places_rank_;
  const bool leaves_nan_out_, is_flat_;  // flat: of all elements
  bool keeps_ = false;
  int64_t dim_ = 0;
  Body body_;
  std::string last_, size_;
  std::string end_, none_;  // -1 and 0, as lists
  std::string beyond_;      // n - 1, also where that is below 0
};

Lowering lower(const CallSite& site) { return Quantile(site, "quantile", false).lowering(); }
Lowering lower_of_numbers(const CallSite& site) { return Quantile(site, "nanquantile", true).lowering(); }

constexpr std::string_view inputs = "x, q, dim, keepdim, interpolation";

const std::array<NativeRule, 2> rules{
    NativeRule{.domain = "aten",
               .op_type = "quantile",
               .summary = "The quantiles along a dimension, or of all elements.",
               .source = "aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
                         "interpolation='linear') -> Tensor, and quantile.scalar",
               .inputs = inputs,
               .needed_inputs = 2,
               .most_inputs = 5,
               .lower = lower},
    NativeRule{.domain = "aten",
               .op_type = "nanquantile",
               .summary = "The quantiles, along a dimension or of all elements, of what is not NaN.",
               .source = "aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
                         "interpolation='linear') -> Tensor, and nanquantile.scalar",
               .inputs = inputs,
               .needed_inputs = 2,
               .most_inputs = 5,
               .lower = lower_of_numbers}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_quantile
