// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_diff {
namespace {

// More differences than models take, and few enough for the nodes of one body.
constexpr int64_t most_rounds = 64;

// y[i] = x[i + 1] - x[i], n times, where x stands between prepend and append.
Lowering lower(const CallSite& site) {
  const int64_t rounds = site.need_number(1, 1);
  const int64_t dim = site.need_number(2, -1);
  if (rounds < 0 || rounds > most_rounds) return Declined{fmt::format("it takes differences {} times", rounds)};
  const int type = site.need_dtype(0);
  std::vector<std::string> parts;
  for (int input : {3, 0, 4}) {
    if (!site.has_input(input)) continue;
    if (site.dtype(input) != type)
      return Declined{fmt::format("inputs 0 and {} are not known to be of one type", input)};
    parts.push_back(fmt::format("x{}", input));
  }
  Body body("aten", "diff", {"x0", "n", "dim", "x3", "x4"}, {"y"}, 18);
  std::string value = "x0";
  if (rounds > 0 && parts != std::vector<std::string>{"x0"}) {
    // Concat takes a negative axis from opset 11 on only.
    const int rank = dim < 0 ? site.need_rank(0) : 0;
    body("all", "Concat", parts, {{"axis", dim + rank}});
    value = "all";
  }
  body.constant("axes", Ints{dim});
  body.constant("first", Ints{0});
  body.constant("second", Ints{1});
  body.constant("last", Ints{-1});
  body.constant("end", Ints{9223372036854775807});
  const bool is_bool = type == onnx::TensorProto::BOOL;
  for (int64_t round = 0; round < rounds; ++round) {
    const std::string n = fmt::to_string(round);
    body("a" + n, "Slice", {value, "second", "end", "axes"});
    body("b" + n, "Slice", {value, "first", "last", "axes"});
    body("d" + n, is_bool ? "Xor" : "Sub", {"a" + n, "b" + n});
    value = "d" + n;
  }
  body("y", "Identity", {value});
  return body.function();
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "diff",
    .summary = "The differences of neighbours along a dimension, taken n times; of booleans, whether they differ.",
    .source = "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
    .inputs = "x, n, dim, prepend, append",
    .most_inputs = 5,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_diff
