// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "rules/element_type.h"
#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// In each step, every element takes in the one that stands as far before it as elements were taken in so far: after log2(n) steps each has all before it.
// A Scan over the elements would say it more plainly, but OpenVINO gives nothing for a Scan.
struct Running {
  std::string operation;
  bool has_places = false;  // of the largest or smallest
  bool has_nan = false;
  bool is_reversed = false;  // takes in the elements behind, not those before
  int64_t axis = 0;

  // What an element becomes that takes in an earlier one: `<to>` from `<earlier>` and `<own>`, and so for their places, which have `_place` behind their names.
  std::string combined(const std::string& earlier, const std::string& own, const std::string& to) const {
    if (operation == "sum") return fmt::format("{} = Add ({}, {})\n", to, earlier, own);
    if (operation == "product") return fmt::format("{} = Mul ({}, {})\n", to, earlier, own);
    if (operation == "logsumexp") {
      // max + log(1 + exp(min - max)), exact also where 1 + exp(...) rounds; the difference of equal infinities is 0.
      return fmt::format(R"({2}_larger = Greater ({0}, {1})
        {2}_max = Where ({2}_larger, {0}, {1})
        {2}_difference = Sub ({0}, {1})
        {2}_sum = Add ({0}, {1})
        {2}_difference_is_nan = IsNaN ({2}_difference)
        {2}_sum_is_nan = IsNaN ({2}_sum)
        {2}_sum_is_number = Not ({2}_sum_is_nan)
        {2}_is_same = And ({2}_difference_is_nan, {2}_sum_is_number)
        {2}_distance = Abs ({2}_difference)
        {2}_fall = Neg ({2}_distance)
        {2}_exponent = Where ({2}_is_same, zero, {2}_fall)
        {2}_power = Exp ({2}_exponent)
        {2}_total = Add ({2}_power, one)
        {2}_log = Log ({2}_total)
        {2}_rounded = Sub ({2}_total, one)
        {2}_error = Div ({2}_power, {2}_rounded)
        {2}_exact_log = Mul ({2}_log, {2}_error)
        {2}_is_some = Cast <to = 9> ({2}_rounded)
        {2}_more = Where ({2}_is_some, {2}_exact_log, {2}_power)
        {2} = Add ({2}_max, {2}_more)
        )",
                         earlier, own, to);
    }
    // The last of equal ones; a NaN stays.
    std::string lines = fmt::format("{}_is_worse = Less ({}, {})\n", to, operation == "maximum" ? own : earlier,
                                    operation == "maximum" ? earlier : own);
    if (has_nan) {
      lines += fmt::format(R"({2}_own_nan = IsNaN ({1})
        {2}_earlier_nan = IsNaN ({0})
        {2}_is_kept = Or ({2}_is_worse, {2}_earlier_nan)
        {2}_is_new = Not ({2}_is_kept)
        {2}_is_taken = Or ({2}_is_new, {2}_own_nan)
        )",
                           earlier, own, to);
    } else {
      lines += fmt::format("{0}_is_taken = Not ({0}_is_worse)\n", to);
    }
    lines += fmt::format("{2} = Where ({2}_is_taken, {1}, {0})\n", earlier, own, to);
    lines += fmt::format("{2}_place = Where ({2}_is_taken, {1}_place, {0}_place)\n", earlier, own, to);
    return lines;
  }

  // One step from the value `from` to the value `to`: elements from `shift` on take in those before `rest`, or the other way round.
  std::string step(const std::string& from, const std::string& shift, const std::string& rest,
                   const std::string& to) const {
    const std::string late = to + (is_reversed ? "_earlier" : "_own");
    const std::string early = to + (is_reversed ? "_own" : "_earlier");
    std::string lines;
    for (const char* what : {"", "_place"}) {
      if (*what != '\0' && !has_places) continue;
      lines += fmt::format("{}{} = Slice ({}{}, {}, to_end, axes)\n", late, what, from, what, shift);
      lines += fmt::format("{}{} = Slice ({}{}, none, {}, axes)\n", early, what, from, what, rest);
      lines += fmt::format("{}_kept{} = Slice ({}{}, {}, {}, axes)\n", to, what, from, what,
                           is_reversed ? rest : "none", is_reversed ? "to_end" : shift);
    }
    lines += combined(to + "_earlier", to + "_own", to + "_taken");
    for (const char* what : {"", "_place"}) {
      if (*what != '\0' && !has_places) continue;
      lines += fmt::format("{}{} = Concat <axis = {}> ({})\n", to, what, axis,
                           is_reversed ? fmt::format("{0}_taken{1}, {0}_kept{1}", to, what)
                                       : fmt::format("{0}_kept{1}, {0}_taken{1}", to, what));
    }
    return lines;
  }
};

std::string list(const std::string& name, int64_t value) {
  return fmt::format("{} = Constant <value = int64[1] {{{}}}> ()\n", name, value);
}

// The number of each element along the axis, in x's shape.
std::string places(int64_t axis, int rank) {
  std::vector<int64_t> others;
  for (int other = 0; other < rank; ++other) {
    if (other != axis) others.push_back(other);
  }
  std::string lines = fmt::format(R"(x_shape = Shape (x)
    axis_number = Constant <value = int64 {{{}}}> ()
    length = Gather <axis = 0> (x_shape, axis_number)
    no_number = Constant <value = int64 {{0}}> ()
    one_number = Constant <value = int64 {{1}}> ()
    numbers = Range (no_number, length, one_number)
    )",
                                  axis);
  std::string column = "numbers";
  if (!others.empty()) {
    lines +=
        fmt::format("other_axes = Constant <value = int64[{}] {{{}}}> ()\n", others.size(), fmt::join(others, ", "));
    lines += "number_column = Unsqueeze (numbers, other_axes)\n";
    column = "number_column";
  }
  return lines + fmt::format("x_place = Expand ({}, x_shape)\n", column);
}

Lowering lower(const CallSite& site) {
  Running running;
  running.operation = site.attribute_string("operation", "");
  if (running.operation != "sum" && running.operation != "product" && running.operation != "maximum" &&
      running.operation != "minimum" && running.operation != "logsumexp") {
    return Declined{"it does not know the operation " + running.operation};
  }
  running.is_reversed = site.attribute_int("reverse", 0) != 0;
  const auto type = site.dtype(0);
  const auto rank = site.rank(0);
  const auto dim = site.constant_ints(1);
  if (!type) return Declined{"the type of x is not known"};
  if (!dim || dim->size() != 1) return Declined{"dim is not a constant number"};
  running.has_places = running.operation == "maximum" || running.operation == "minimum";
  if (!rank && (running.has_places || dim->front() < 0)) return Declined{"the rank of x is not known"};
  running.axis = dim->front() < 0 ? dim->front() + *rank : dim->front();
  if (running.axis < 0 || (rank && running.axis >= *rank)) return Declined{"dim is not one of x"};
  running.has_nan = *type == onnx::TensorProto::FLOAT || *type == onnx::TensorProto::DOUBLE ||
                    *type == onnx::TensorProto::FLOAT16 || *type == onnx::TensorProto::BFLOAT16;

  std::string body = list("none", 0) + list("to_end", std::numeric_limits<int64_t>::max()) + list("axes", running.axis);
  if (running.operation == "logsumexp") {
    body += R"(zero_number = Constant <value = float {0.0}> ()
      zero = CastLike (zero_number, x)
      one_float = Constant <value = float {1.0}> ()
      one = CastLike (one_float, x)
      )";
  }
  if (running.has_places) body += places(running.axis, *rank);
  const auto size = site.dim(0, static_cast<int>(running.axis));
  if (size && *size < 2) {
    body += "y = Identity (x)\n";
    if (running.has_places) body += "y_place = Identity (x_place)\n";
  } else if (size) {
    std::string last = "x";
    for (int64_t shift = 1; shift < *size; shift *= 2) {
      const std::string shift_name = fmt::format("shift_{}", shift);
      const std::string rest_name = fmt::format("rest_{}", shift);
      const std::string next = 2 * shift < *size ? fmt::format("after_{}", shift) : "y";
      body += list(shift_name, shift) + list(rest_name, -shift) + running.step(last, shift_name, rest_name, next);
      last = next;
    }
  } else {
    // OpenVINO wants to know the ranks of what a Loop hands on.
    std::vector<std::string> dims;
    for (int axis = 0; axis < rank.value_or(0); ++axis) dims.push_back(fmt::format("d{}", axis));
    const std::string shape = fmt::format("[{}]", fmt::join(dims, ", "));
    const auto typed = [&](const std::string& name) {
      if (!rank) return name;
      std::string both = fmt::format("{}{} {}", element_type_name(*type), shape, name);
      if (running.has_places) both += fmt::format(", int64{} {}_place", shape, name);
      return both;
    };
    const auto untyped = [&](const std::string& name) {
      return running.has_places ? fmt::format("{0}, {0}_place", name) : name;
    };
    body += list("first_shift", 1) + list("twice", 2);
    body += fmt::format(R"(shape = Shape (x)
      count = Gather <axis = 0> (shape, axes)
      rank_0 = Constant <value = int64[0] {{}}> ()
      is_more = Less (first_shift, count)
      goes = Reshape (is_more, rank_0)
      last_shift, {} = Loop <body = take_in (int64 round, bool going, int64[1] shift, {})
          => (bool goes_on, int64[1] next_shift, {}) {{
        rest = Sub (count, shift)
        {}
        next_shift = Mul (shift, twice)
        is_more_yet = Less (next_shift, count)
        goes_on = Reshape (is_more_yet, rank_0)
      }}> ("", goes, first_shift, {})
      )",
                        untyped("y"), typed("before"), typed("after"), running.step("before", "shift", "rest", "after"),
                        untyped("x"));
  }
  return function_from_text(
      fmt::format(R"(<domain: "aten", opset_import: ["" : 18]> running (x, dim) => (y{}) {{ {} }})",
                  site.output_count() > 1 ? ", y_place" : "", body));
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "running",
    .summary = "Of all elements up to each one along a dimension: sum, product, maximum, minimum or logsumexp.",
    .source = "what ONNX's CumSum and aten::cumprod, cummax, cummin and logcumsumexp share",
    .attributes = "operation, reverse",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
