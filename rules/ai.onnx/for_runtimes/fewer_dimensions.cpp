// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Sums, products and their like for a runtime that takes them of few dimensions only. Neighbouring
// axes become one where both operands have all of them, or one operand has none: [2,3,4,2,5] times
// [1,1,4,1,5] is [6,4,2,5] times [1,4,1,5], in other words.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_fewer_dimensions {
namespace {

constexpr int fewest_dimensions = 5;

int64_t product(int64_t one, int64_t other) {
  if (one > std::numeric_limits<int64_t>::max() / other) decline("A or B is larger than any tensor can be");
  return one * other;
}

// The sizes of an operand along all `rank` axes: along those that it lacks they are 1.
Ints sizes_of(const CallSite& site, int input, int rank) {
  const int own = site.need_rank(input);
  Ints sizes(static_cast<size_t>(rank - own), 1);
  for (int axis = 0; axis < own; ++axis) sizes.push_back(site.need_dim(input, axis));
  // To a Reshape, 0 means the size that its input has there.
  if (std::ranges::find(sizes, 0) != sizes.end()) decline("A or B has no elements");
  return sizes;
}

// How the operands are broadcast along an axis.
enum class Kind { same, first_stretched, second_stretched };

struct Operands {
  Ints first, second;
};

Operands joined(const Operands& given) {
  Operands made;
  Kind last = Kind::same;
  for (size_t axis = 0; axis < given.first.size(); ++axis) {
    const int64_t one = given.first[axis], other = given.second[axis];
    if (one == 1 && other == 1) continue;
    const Kind kind = one == other ? Kind::same : one == 1 ? Kind::first_stretched : Kind::second_stretched;
    if (made.first.empty() || kind != last) {
      made.first.push_back(one);
      made.second.push_back(other);
    } else {
      made.first.back() = product(made.first.back(), one);
      made.second.back() = product(made.second.back(), other);
    }
    last = kind;
  }
  if (made.first.empty()) made = {{1}, {1}};
  return made;
}

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  const int rank = std::max(site.need_rank(0), site.need_rank(1));
  // A runtime that refuses fewer dimensions has another reason.
  if (rank < fewest_dimensions)
    return Declined{fmt::format("A and B have less than {} dimensions", fewest_dimensions), {}, true};
  const Operands given{sizes_of(site, 0, rank), sizes_of(site, 1, rank)};
  const Operands made = joined(given);
  if (made.first.size() >= given.first.size()) decline("no two neighbouring axes of A and B can become one");
  Ints result;
  for (size_t axis = 0; axis < given.first.size(); ++axis)
    result.push_back(std::max(given.first[axis], given.second[axis]));
  Body body("ai.onnx", op_type, {"A", "B"}, {"C"}, 14);
  const std::string first = body.reshape("A", made.first), second = body.reshape("B", made.second);
  const std::string joined_result = body.made("joined", op_type, {first, second});
  body("C", "Reshape", {joined_result, body.ints(result, "shape")});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Of fewer dimensions, where neighbouring ones can be taken for one.",
          .source = source,
          .turn = RuleTurn::last_resort,
          .inputs = "A, B",
          .needed_inputs = 2,
          .most_inputs = 2,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("Add", "ONNX Add-14"), rule_for("Div", "ONNX Div-14"),
                            rule_for("Mul", "ONNX Mul-14"), rule_for("Sub", "ONNX Sub-14")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_fewer_dimensions
