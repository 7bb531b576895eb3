// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// Far more than anybody takes, and few enough for a body.
constexpr int64_t most_rounds = 64;

Lowering lower(const CallSite& site) {
  const int64_t rounds = site.need_number(1, 1);
  const int64_t dim = site.need_number(2, -1);
  if (rounds < 0 || rounds > most_rounds) return Declined{fmt::format("it takes differences {} times", rounds)};
  const auto type = site.dtype(0);
  if (!type) return Declined{"the type of input 0 is not known"};
  std::string parts;
  for (int input : {3, 0, 4}) {
    if (!site.has_input(input)) continue;
    if (site.dtype(input) != type)
      return Declined{fmt::format("inputs 0 and {} are not known to be of one type", input)};
    parts += fmt::format("{}x{}", parts.empty() ? "" : ", ", input);
  }
  std::string body, value = "x0";
  if (rounds > 0 && parts != "x0") {
    // Concat counts from the end only since 11.
    const auto rank = dim < 0 ? site.rank(0) : 0;
    if (!rank) return Declined{"the rank of input 0 is not known"};
    body += fmt::format("  all = Concat <axis = {}> ({})\n", dim + *rank, parts);
    value = "all";
  }
  body += fmt::format(
      "  axes = Constant <value_ints: ints = [{}]> ()\n  first = Constant <value_ints = [0]> ()\n"
      "  second = Constant <value_ints = [1]> ()\n  last = Constant <value_ints = [-1]> ()\n"
      "  end = Constant <value_ints = [9223372036854775807]> ()\n",
      dim);
  const bool is_bool = *type == onnx::TensorProto::BOOL;
  for (int64_t round = 0; round < rounds; ++round) {
    body += fmt::format(
        "  a{0} = Slice ({1}, second, end, axes)\n  b{0} = Slice ({1}, first, last, axes)\n  d{0} = {2} (a{0}, b{0})\n",
        round, value, is_bool ? "Xor" : "Sub");
    value = fmt::format("d{}", round);
  }
  return function_from_text(fmt::format(
      "<domain: \"aten\", opset_import: [\"\" : 18]> diff (x0, n, dim, x3, x4) => (y) {{\n{}  y = Identity ({})\n}}",
      body, value));
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "diff",
    .summary = "The differences of neighbours along a dimension, taken n times; of booleans, whether they differ.",
    .source = "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
    .most_inputs = 5,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
