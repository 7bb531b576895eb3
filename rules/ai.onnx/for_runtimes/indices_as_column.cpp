// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Elements of a list by a list of indices, for runtimes that take no lists of indices which the run
// gives: a column of indices gives a column.

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_indices_as_column {
namespace {

Lowering lower(const CallSite& site) {
  if (site.need_rank(0) != 1 || site.need_rank(1) != 1) return Declined{"they are not two lists", {}, true};
  Body body("ai.onnx", "Gather", {"data", "indices"}, {"output"}, 13);
  const std::string column = body.reshape("indices", {-1, 1}, "column");
  body("elements", "Gather", {"data", column}, {{"axis", 0}});
  body("output", "Reshape", {"elements", body.ints({-1}, "line")});
  return std::move(body).function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Gather",
                      .summary = "With a column of indices in the place of a list.",
                      .source = "ONNX Gather-13",
                      .attributes = "axis",
                      .turn = RuleTurn::last_resort,
                      .makes_it_anew = true,
                      .inputs = "data, indices",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_indices_as_column
