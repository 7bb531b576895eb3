// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <array>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_quantile {
namespace {

// The dimension comes to stand last and is sorted; a NaN counts as the greatest of all. Of n
// numbers the one at the place q (n - 1) is asked for, or between two places, and what is between
// two elements is what aten::lerp finds. A slice with a NaN gives NaN, or the quantile of the
// others where these are left out; then each slice has its own n.
Lowering quantile(const CallSite& site, std::string_view op_type, bool leaves_nan_out) {
  const std::string interpolation = site.need_text(4, "linear");
  const int rank = site.need_rank(0), places_rank = site.need_rank(1);
  if (places_rank > 1) return Declined{"input 1 (q) has more than one dimension"};
  const bool is_flat = !site.has_input(2);
  const bool keeps = site.need_number(3, 0) != 0;
  if (rank == 0) return Declined{"input 0 (x) has no dimension"};
  const int64_t dim = is_flat ? 0 : need_axis(site.need_number(2, 0), rank);

  Body body("aten", op_type, {"x", "q", "dim", "keepdim", "interpolation"}, {"y"}, 18);
  std::string last = "x";
  if (is_flat) {
    last = body.reshape("x", {-1}, "flat");
  } else if (dim != rank - 1) {
    Ints order = numbers_below(rank);
    order.erase(order.begin() + dim);
    order.push_back(dim);
    last = body.transpose("x", order, "turned");
  }
  const int sorted_rank = is_flat ? 1 : rank;
  const std::string end = body.ints({-1}, "last");
  const std::string size = body.dim_list(last, -1);
  body("nan", "IsNaN", {last});
  body("key", "Where", {"nan", body.scalar_like(std::numeric_limits<double>::infinity(), last, "infinite"), last});
  body.node({"sorted", "at"}, "TopK", {"key", size}, {{"axis", -1}, {"largest", 0}, {"sorted", 1}});
  body("nan_number", "Cast", {"nan"}, {{"to", 7}});
  body("nan_count", "ReduceSum", {"nan_number", end}, {{"keepdims", 1}});
  // Slices x places, as many slices as have an n of their own.
  const std::string count = leaves_nan_out ? body.made("count", "Sub", {size, "nan_count"}) : size;
  const std::string beyond = body.made("greatest", "Sub", {count, body.ints({1}, "one")});
  const std::string greatest = body.made("greatest", "Max", {beyond, body.ints({0}, "zero")});
  body("greatest_like", "CastLike", {greatest, last});
  body("q_like", "CastLike", {"q", last});
  const std::string q = body.reshape("q_like", {-1}, "q_list");
  body("rank", "Mul", {q, "greatest_like"});
  body("lower_rank", "Floor", {"rank"});
  body("upper_rank", "Ceil", {"rank"});
  body("share", "Sub", {"rank", "lower_rank"});
  const std::string none = body.ints({0}, "none");
  // GatherElements wants indices for each slice.
  body("slices", "Slice", {body.made("shape", "Shape", {"sorted"}), none, end});
  body("asked", "Concat", {"slices", body.made("asked", "Shape", {q})}, {{"axis", 0}});
  const auto element_at = [&](const std::string& place, const char* name) {
    const std::string index = body.made("index", "Cast", {place}, {{"to", 7}});
    const std::string of_each = body.made("index", "Expand", {index, "asked"});
    return body(name, "GatherElements", {"sorted", of_each}, {{"axis", -1}});
  };
  if (interpolation == "lower") {
    element_at("lower_rank", "found");
  } else if (interpolation == "higher") {
    element_at("upper_rank", "found");
  } else if (interpolation == "nearest") {
    element_at(body.made("nearest", "Round", {"rank"}), "found");
  } else if (interpolation == "linear" || interpolation == "midpoint") {
    body.import("aten", 1);
    const std::string share = interpolation == "linear" ? "share" : body.scalar_like(0.5, last, "half");
    element_at("lower_rank", "below");
    element_at("upper_rank", "above");
    body("found", "aten.lerp", {"below", "above", share});
  } else {
    return Declined{fmt::format("its interpolation is '{}'", interpolation)};
  }
  // Slices without a number, or with a NaN.
  body("no_answer", leaves_nan_out ? "Less" : "Greater", {leaves_nan_out ? beyond : "nan_count", none});
  const std::string not_a_number = body.scalar_like(std::numeric_limits<double>::quiet_NaN(), last, "not_a_number");
  std::string answer = body.made("answer", "Where", {"no_answer", not_a_number, "found"});
  // The answers' dimension comes first, or goes where there is one q; the one that was asked about
  // is kept with the size 1.
  if (places_rank == 0) {
    answer = body.made("one", "Squeeze", {answer, end});
  } else if (sorted_rank > 1) {
    Ints order = numbers_below(sorted_rank);
    order.pop_back();
    order.insert(order.begin(), sorted_rank - 1);
    answer = body.transpose(answer, order, "first");
  }
  if (keeps) {
    Ints kept = is_flat ? numbers_below(rank) : Ints{dim};
    for (int64_t& axis : kept) axis += places_rank;
    answer = body.unsqueeze(answer, kept, "kept");
  }
  body("y", "Identity", {answer});
  return body.function();
}

Lowering lower(const CallSite& site) { return quantile(site, "quantile", false); }
Lowering lower_of_numbers(const CallSite& site) { return quantile(site, "nanquantile", true); }

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
