// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// The dimensions that the indices name become one, and each index one number.
Lowering lower(const CallSite& site) {
  if (site.attribute_int("batch_dims", 0) != 0) return Declined{"batch_dims is not 0"};
  const auto rank = site.rank(0);
  const auto depth = site.dim(1, -1);
  if (!rank || !depth) return Declined{"the rank of its input or the last dimension of its indices is not known"};
  if (*depth < 1 || *depth > *rank)
    return Declined{fmt::format("its indices have {} numbers and its input {} dimensions", *depth, *rank)};

  std::string body = R"(data_shape = Shape (data)
    zero = Constant <value = int64 {0}> ()
    rest = Constant <value = int64[1] {-1}> ()
    below = Constant <value = int64 {1}> ()
)";
  std::string below = "below";
  std::string sum;
  for (int64_t i = *depth - 1; i >= 0; --i) {
    body += fmt::format(R"(place{0} = Constant <value = int64 {{{0}}}> ()
        size{0} = Gather <axis = 0> (data_shape, place{0})
        given{0} = Gather <axis = -1> (indices, place{0})
        is_negative{0} = Less (given{0}, zero)
        from_end{0} = Add (given{0}, size{0})
        index{0} = Where (is_negative{0}, from_end{0}, given{0})
        part{0} = Mul (index{0}, {1})
        below{0} = Mul ({1}, size{0})
)",
                        i, below);
    if (!sum.empty()) body += fmt::format("sum{0} = Add ({1}, part{0})\n", i, sum);
    sum = fmt::format("{}{}", sum.empty() ? "part" : "sum", i);
    below = fmt::format("below{}", i);
  }
  std::string shape = "rest";
  if (*depth < *rank) {
    body += fmt::format(R"(others = Slice <starts: ints = [{}], ends: ints = [{}], axes = [0]> (data_shape)
        rows_shape = Concat <axis = 0> (rest, others)
)",
                        *depth, *rank);
    shape = "rows_shape";
  }
  body += fmt::format("rows = Reshape (data, {}) output = Gather <axis = 0> (rows, {})", shape, sum);
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 9]> GatherND (data, indices) => (output) {{ {} }})", body));
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "GatherND",
                      .summary = "Parts by index in the first dimensions, which are made one.",
                      .source = "ONNX GatherND-11",
                      .attributes = "batch_dims",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
