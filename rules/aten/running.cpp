// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_running {
namespace {

// y[i] = combined(x[0], x[1], …, x[i]). In each step, every element takes in the one that stands as
// far before it as elements were taken in so far: after log2(n) steps each has all before it.
// A Scan over the elements would say it more plainly, but OpenVINO gives nothing for a Scan.
struct Running {
  std::string operation;
  bool has_places = false;  // the second output: where the largest or smallest is
  bool has_nan = false;
  bool is_reversed = false;  // takes in the elements behind, not those before
  int64_t axis = 0;

  // Makes `to`, which an element becomes by taking in an earlier one, of `earlier` and `own`; their
  // places, which have `_place` behind their names, likewise.
  void append_combined(Body& body, const std::string& earlier, const std::string& own, const std::string& to) const {
    if (operation == "sum" || operation == "product") {
      body(to, operation == "sum" ? "Add" : "Mul", {earlier, own});
    } else if (operation == "logsumexp") {
      // max + log(1 + exp(min - max)), exact also where 1 + exp(...) rounds; the difference of
      // equal infinities is 0.
      body(to + "_larger", "Greater", {earlier, own});
      body(to + "_max", "Where", {to + "_larger", earlier, own});
      body(to + "_difference", "Sub", {earlier, own});
      body(to + "_sum", "Add", {earlier, own});
      body(to + "_difference_is_nan", "IsNaN", {to + "_difference"});
      body(to + "_sum_is_nan", "IsNaN", {to + "_sum"});
      body(to + "_sum_is_number", "Not", {to + "_sum_is_nan"});
      body(to + "_is_same", "And", {to + "_difference_is_nan", to + "_sum_is_number"});
      body(to + "_distance", "Abs", {to + "_difference"});
      body(to + "_fall", "Neg", {to + "_distance"});
      body(to + "_exponent", "Where", {to + "_is_same", "zero", to + "_fall"});
      body(to + "_power", "Exp", {to + "_exponent"});
      body(to + "_total", "Add", {to + "_power", "one"});
      body(to + "_log", "Log", {to + "_total"});
      body(to + "_rounded", "Sub", {to + "_total", "one"});
      body(to + "_error", "Div", {to + "_power", to + "_rounded"});
      body(to + "_exact_log", "Mul", {to + "_log", to + "_error"});
      body(to + "_is_some", "Cast", {to + "_rounded"}, {{"to", 9}});
      body(to + "_more", "Where", {to + "_is_some", to + "_exact_log", to + "_power"});
      body(to, "Add", {to + "_max", to + "_more"});
    } else {
      // Of equal elements the last one is taken, and a NaN stays.
      const bool is_maximum = operation == "maximum";
      body(to + "_is_worse", "Less", {is_maximum ? own : earlier, is_maximum ? earlier : own});
      if (has_nan) {
        body(to + "_own_nan", "IsNaN", {own});
        body(to + "_earlier_nan", "IsNaN", {earlier});
        body(to + "_is_kept", "Or", {to + "_is_worse", to + "_earlier_nan"});
        body(to + "_is_new", "Not", {to + "_is_kept"});
        body(to + "_is_taken", "Or", {to + "_is_new", to + "_own_nan"});
      } else {
        body(to + "_is_taken", "Not", {to + "_is_worse"});
      }
      body(to, "Where", {to + "_is_taken", own, earlier});
      body(to + "_place", "Where", {to + "_is_taken", own + "_place", earlier + "_place"});
    }
  }

  // The suffixes of the names of what is computed: none for the values, and `_place` for their
  // places if these are asked for.
  std::vector<std::string> parts() const {
    return has_places ? std::vector<std::string>{"", "_place"} : std::vector<std::string>{""};
  }
  std::vector<std::string> all_of(const std::string& name) const {
    std::vector<std::string> names;
    for (const std::string& part : parts()) names.push_back(name + part);
    return names;
  }

  // One step from the value `from` to the value `to`: elements from `shift` on take in those before
  // `rest`, or the other way round.
  void append_step(Body& body, const std::string& from, const std::string& shift, const std::string& rest,
                   const std::string& to) const {
    const std::string late = to + (is_reversed ? "_earlier" : "_own");
    const std::string early = to + (is_reversed ? "_own" : "_earlier");
    for (const std::string& what : parts()) {
      body(late + what, "Slice", {from + what, shift, "to_end", "axes"});
      body(early + what, "Slice", {from + what, "none", rest, "axes"});
      body(to + "_kept" + what, "Slice",
           {from + what, is_reversed ? rest : "none", is_reversed ? "to_end" : shift, "axes"});
    }
    append_combined(body, to + "_earlier", to + "_own", to + "_taken");
    for (const std::string& what : parts()) {
      const std::string kept = to + "_kept" + what, taken = to + "_taken" + what;
      body(to + what, "Concat", is_reversed ? Values{taken, kept} : Values{kept, taken}, {{"axis", axis}});
    }
  }
};

// Makes `x_place`, the index of each element along the axis, in the shape of x.
void append_places(Body& body, int64_t axis, int rank) {
  Ints others;
  for (int other = 0; other < rank; ++other) {
    if (other != axis) others.push_back(other);
  }
  body("x_shape", "Shape", {"x"});
  body.constant("axis_number", axis);
  body("length", "Gather", {"x_shape", "axis_number"}, {{"axis", 0}});
  body.constant("no_number", 0);
  body.constant("one_number", 1);
  std::string column = body("numbers", "Range", {"no_number", "length", "one_number"});
  if (!others.empty()) {
    body.constant("other_axes", others);
    column = body("number_column", "Unsqueeze", {"numbers", "other_axes"});
  }
  body("x_place", "Expand", {column, "x_shape"});
}

bool has_nan(int type) {
  return type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::DOUBLE || type == onnx::TensorProto::FLOAT16 ||
         type == onnx::TensorProto::BFLOAT16;
}

Running read(const CallSite& site) {
  Running running;
  running.operation = site.need_choice("operation", "", {"sum", "product", "maximum", "minimum", "logsumexp"});
  running.is_reversed = site.attribute_int("reverse", 0) != 0;
  running.has_nan = has_nan(site.need_dtype(0));
  const auto rank = site.rank(0);
  const int64_t dim = site.need_number(1, 0);
  running.has_places = running.operation == "maximum" || running.operation == "minimum";
  if (running.has_places || dim < 0) site.need_rank(0);
  running.axis = dim < 0 ? dim + *rank : dim;
  if (running.axis < 0 || (rank && running.axis >= *rank)) decline("dim is not one of x");
  return running;
}

// Makes the steps one by one, as many as a known size takes.
void append_steps(Body& body, const Running& running, int64_t size) {
  std::string last = "x";
  for (int64_t shift = 1; shift < size; shift *= 2) {
    const std::string shift_name = body.constant(fmt::format("shift_{}", shift), Ints{shift});
    const std::string rest_name = body.constant(fmt::format("rest_{}", shift), Ints{-shift});
    const std::string next = 2 * shift < size ? fmt::format("after_{}", shift) : "y";
    running.append_step(body, last, shift_name, rest_name, next);
    last = next;
  }
}

// Makes the steps as a Loop, whose body makes `after` of `before` with the elements `shift` apart.
void append_loop(Body& body, const Running& running, const CallSite& site) {
  const auto rank = site.rank(0);
  // OpenVINO wants to know the ranks of what a Loop hands on.
  std::vector<std::string> dims;
  for (int axis = 0; axis < rank.value_or(0); ++axis) dims.push_back(fmt::format("d{}", axis));
  const auto with_running = [&](std::vector<GraphValue> values, const std::string& name) {
    for (const std::string& what : running.parts()) {
      const int type_of_part = what.empty() ? site.need_dtype(0) : onnx::TensorProto::INT64;
      values.push_back({name + what, rank ? type_of_part : onnx::TensorProto::UNDEFINED, dims});
    }
    return values;
  };
  body.constant("first_shift", Ints{1});
  body.constant("twice", Ints{2});
  body("shape", "Shape", {"x"});
  std::string sizes = "shape";
  if (!rank && running.axis == 0) {
    // A scalar has one element along its only dimension, which it does not have.
    body("padded_shape", "Concat", {"shape", "first_shift"}, {{"axis", 0}});
    sizes = "padded_shape";
  }
  body("count", "Gather", {sizes, "axes"}, {{"axis", 0}});
  body.constant("rank_0", Ints{});
  body("is_more", "Less", {"first_shift", "count"});
  body("goes", "Reshape", {"is_more", "rank_0"});
  const onnx::GraphProto round = body.graph(
      "take_in",
      with_running({{"round", onnx::TensorProto::INT64},
                    {"going", onnx::TensorProto::BOOL},
                    {"shift", onnx::TensorProto::INT64, {"1"}}},
                   "before"),
      with_running({{"goes_on", onnx::TensorProto::BOOL}, {"next_shift", onnx::TensorProto::INT64, {"1"}}}, "after"),
      [&] {
        body("rest", "Sub", {"count", "shift"});
        running.append_step(body, "before", "shift", "rest", "after");
        body("next_shift", "Mul", {"shift", "twice"});
        body("is_more_yet", "Less", {"next_shift", "count"});
        body("goes_on", "Reshape", {"is_more_yet", "rank_0"});
      });
  std::vector<std::string> outputs = {"last_shift"}, inputs = {"", "goes", "first_shift"};
  std::ranges::copy(running.all_of("y"), std::back_inserter(outputs));
  std::ranges::copy(running.all_of("x"), std::back_inserter(inputs));
  body.node(outputs, "Loop", inputs, {{"body", round}});
}

Lowering lower(const CallSite& site) {
  const Running running = read(site);
  Body body("aten", "running", {"x", "dim"}, site.output_count() > 1 ? Values{"y", "y_place"} : Values{"y"}, 18);
  body.constant("none", Ints{0});
  body.constant("to_end", Ints{std::numeric_limits<int64_t>::max()});
  body.constant("axes", Ints{running.axis});
  if (running.operation == "logsumexp") {
    body.constant("zero_number", 0.0);
    body("zero", "CastLike", {"zero_number", "x"});
    body.constant("one_float", 1.0);
    body("one", "CastLike", {"one_float", "x"});
  }
  if (running.has_places) append_places(body, running.axis, site.need_rank(0));
  const auto size = site.dim(0, static_cast<int>(running.axis));
  if (!size) {
    append_loop(body, running, site);
  } else if (*size < 2) {
    for (const std::string& what : running.parts()) body("y" + what, "Identity", {"x" + what});
  } else {
    append_steps(body, running, *size);
  }
  return body.function();
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "running",
    .summary = "Of all elements up to each one along a dimension: sum, product, maximum, minimum or logsumexp.",
    .source = "what ONNX's CumSum and aten::cumprod, cummax, cummin and logcumsumexp share",
    .attributes = "operation, reverse",
    .inputs = "x, dim",
    .needed_inputs = 2,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_running
