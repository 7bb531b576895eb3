// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

std::string reversed(std::string_view output, std::string_view input, const std::vector<int64_t>& axes) {
  std::string ones, ends, list;
  for (const int64_t axis : axes) {
    const std::string_view comma = list.empty() ? "" : ", ";
    ones += fmt::format("{}-1", comma);
    ends += fmt::format("{}-9223372036854775807", comma);
    list += fmt::format("{}{}", comma, axis);
  }
  return fmt::format(
      "last = Constant <value_ints: ints = [{0}]> ()  end = Constant <value_ints: ints = [{1}]> ()  axes = Constant "
      "<value_ints = "
      "[{2}]> ()  "
      "{3} = Slice ({4}, last, end, axes, last)",
      ones, ends, list, output, input);
}

// The order of the dimensions depends on the rank.
Lowering lower(const CallSite& site) {
  const auto turns = site.constant_ints(1);
  const auto dims = site.constant_ints(2);
  const int rank = site.need_rank(0);
  if (!turns || turns->size() != 1) return Declined{"input 1, the number of turns, is not a constant number"};
  if (!dims || dims->size() != 2) return Declined{"input 2, the plane, is not a constant of two dimensions"};
  int64_t plane[2];
  for (int k = 0; k < 2; ++k) {
    plane[k] = (*dims)[k] < 0 ? (*dims)[k] + rank : (*dims)[k];
    if (plane[k] < 0 || plane[k] >= rank) return Declined{fmt::format("input 0 has no dimension {}", (*dims)[k])};
  }
  std::vector<int64_t> order(rank);
  for (int k = 0; k < rank; ++k) order[k] = k;
  std::swap(order[plane[0]], order[plane[1]]);

  std::string body;
  switch ((turns->front() % 4 + 4) % 4) {
    case 0:
      body = "y = Identity (x)";
      break;
    case 1:
      body = reversed("r", "x", {plane[1]});
      break;
    case 2:
      body = reversed("y", "x", {plane[0], plane[1]});
      break;
    default:
      body = reversed("r", "x", {plane[0]});
      break;
  }
  if (turns->front() % 2 != 0) body += fmt::format("  y = Transpose <perm: ints = [{}]> (r)", fmt::join(order, ", "));
  return function_from_text(
      fmt::format(R"(<domain: "aten", opset_import: ["" : 13]> rot90 (x, k, dims) => (y) {{ {} }})", body));
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "rot90",
    .summary = "x turned k times by 90 degrees in the plane of two dimensions, from the first to the second.",
    .source = "aten::rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
