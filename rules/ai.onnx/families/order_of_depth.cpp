// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// DepthToSpace and SpaceToDepth whose channels are in the order column, row, depth ("CRD"), at
// opsets that have them in the order depth, column, row only:
//
//     DepthToSpace(X, "CRD") = DepthToSpace(Gather(X, order, axis = 1))
//     SpaceToDepth(X, "CRD") = Gather(SpaceToDepth(X), order, axis = 1)
#include <optional>
#include <string>
#include <utility>

#include "rules/body.h"
#include "schema_function.h"

namespace onnx_lower::native_rules::ai_onnx_order_of_depth {
namespace {

// Of the numbers 0, 1, 2 … as a matrix with these dimensions, in rows: its columns one behind
// another.
Ints column_by_column(int64_t rows, int64_t columns) {
  Ints order = numbers_below(rows * columns);
  for (int64_t& number : order) number = number % rows * columns + number / rows;
  return order;
}

Lowering lower(const CallSite& site) {
  const bool is_to_space = site.node().op_type() == "DepthToSpace";
  constexpr int64_t first_with_mode_of_depth_to_space = 11, first_with_mode_of_space_to_depth = 28;
  const bool has_mode =
      site.opset() >= (is_to_space ? first_with_mode_of_depth_to_space : first_with_mode_of_space_to_depth);
  const int64_t size = site.attribute_int("blocksize", 0);
  const std::optional<int64_t> channels = site.dim(0, 1);
  // The order of so many channels is written into the model, and no product of these overflows.
  constexpr int64_t largest_size = 1024, most_channels = 1 << 20;
  const bool is_small = channels && size > 0 && size <= largest_size &&
                        *channels <= (is_to_space ? most_channels : most_channels / (size * size));
  const bool is_known = is_small && (!is_to_space || *channels % (size * size) == 0);
  if (has_mode || site.attribute_string("mode", "DCR") != "CRD" || !is_known) return schema_function(site);
  constexpr int opset = 9;
  Body body("ai.onnx", site.node().op_type(), {"input"}, {"output"}, opset);
  if (is_to_space) {
    const std::string order = body.ints(column_by_column(*channels / (size * size), size * size), "order");
    const std::string reordered = body.made("reordered", "Gather", {"input", order}, {{"axis", 1}});
    body("output", "DepthToSpace", {reordered}, {{"blocksize", size}});
  } else {
    const std::string order = body.ints(column_by_column(size * size, *channels), "order");
    const std::string blocks = body.made("blocks", "SpaceToDepth", {"input"}, {{"blocksize", size}});
    body("output", "Gather", {blocks, order}, {{"axis", 1}});
  }
  return body.function();
}

const NativeRule rules[] = {
    {.domain = "ai.onnx",
     .op_type = "DepthToSpace",
     .summary = "Below opset 11 the channels are in one order only; else the function body in its schema.",
     .source = "ONNX DepthToSpace-1, DepthToSpace-13",
     .takes_any_attribute = true,
     .lower = lower},
    {.domain = "ai.onnx",
     .op_type = "SpaceToDepth",
     .summary = "Below opset 28 the channels are in one order only; else the function body in its schema.",
     .source = "ONNX SpaceToDepth-1, SpaceToDepth-28",
     .takes_any_attribute = true,
     .lower = lower},
};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_order_of_depth
