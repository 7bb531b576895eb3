// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// Gathers from the flat data: an element's place is the sum of its coordinates, each times the size of what lies below it.
Lowering lower(const CallSite& site) {
  const auto rank = site.rank(0) ? site.rank(0) : site.rank(1);
  if (!rank || *rank == 0) return Declined{"the rank of its input is not known"};
  int64_t axis = site.attribute_int("axis", 0);
  if (axis < 0) axis += *rank;
  if (axis < 0 || axis >= *rank) return Declined{fmt::format("axis {} is out of range", axis)};

  std::string body = R"(data_shape = Shape (data)
    wide = Cast <to = 7> (indices)
    index_shape = Shape (wide)
    zero = Constant <value = int64 {0}> ()
    one = Constant <value = int64 {1}> ()
    flat_shape = Constant <value = int64[1] {-1}> ()
    flat = Reshape (data, flat_shape)
)";
  for (int i = 0; i < *rank; ++i) {
    body += fmt::format(
        "place{0} = Constant <value = int64 {{{0}}}> () size{0} = Gather <axis = 0> (data_shape, place{0})\n", i);
  }
  body += fmt::format(R"(is_negative = Less (wide, zero)
      from_end = Add (wide, size{})
      along = Where (is_negative, from_end, wide)
)",
                      axis);
  std::string below = "one";
  std::string sum;
  for (int i = *rank - 1; i >= 0; --i) {
    std::string coordinate = "along";
    if (i != axis) {
      std::vector<int> others;
      for (int k = 0; k < *rank; ++k) {
        if (k != i) others.push_back(k);
      }
      body += fmt::format(
          "count{0} = Gather <axis = 0> (index_shape, place{0}) line{0} = Range (zero, count{0}, one)\n", i);
      coordinate = fmt::format("line{}", i);
      if (!others.empty()) {
        body += fmt::format("coordinate{0} = Unsqueeze <axes: ints = [{1}]> (line{0})\n", i, fmt::join(others, ", "));
        coordinate = fmt::format("coordinate{}", i);
      }
    }
    body += fmt::format("part{0} = Mul ({1}, {2})\n", i, coordinate, below);
    if (!sum.empty()) body += fmt::format("sum{0} = Add ({1}, part{0})\n", i, sum);
    sum = fmt::format("{}{}", sum.empty() ? "part" : "sum", i);
    if (i > 0) body += fmt::format("below{0} = Mul ({1}, size{0})\n", i, below);
    below = fmt::format("below{}", i);
  }
  body += fmt::format("output = Gather <axis = 0> (flat, {})", sum);
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 11]> GatherElements (data, indices) => (output) {{ {} }})", body));
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "GatherElements",
                      .summary = "Elements by index along an axis, gathered from the flat input.",
                      .source = "ONNX GatherElements-11",
                      .attributes = "axis",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
