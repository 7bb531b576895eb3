// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_TensorScatter {
namespace {

// Each element of the update has its place along the axis: its own number after the write index of
// its batch, which a circular cache counts round.
Lowering lower(const CallSite& site) {
  const int rank = site.rank(1) ? *site.rank(1) : site.need_rank(0);
  int64_t axis = site.attribute_int("axis", -2);
  axis += axis < 0 ? rank : 0;
  if (axis < 1 || axis >= rank)
    return Declined{fmt::format("axis {} is not one of the cache's, after the first", axis)};
  const std::string mode = site.need_choice("mode", "linear", {"linear", "circular"});
  Body body("ai.onnx", "TensorScatter", {"past_cache", "update", "write_indices"}, {"present_cache"}, 16);
  const std::string none = body.scalar(0, "none"), one = body.scalar(1, "one");
  const std::string length = body.dim("update", static_cast<int>(axis));
  body("line", "Range", {none, length, one});
  std::vector<int64_t> line_shape(static_cast<size_t>(rank), 1), batch_shape = line_shape;
  line_shape[static_cast<size_t>(axis)] = -1;
  batch_shape[0] = -1;
  std::string places = body.reshape("line", line_shape, "places");
  if (site.has_input(2)) {
    body("write_index", "Cast", {"write_indices"}, {{"to", 7}});
    const std::string first = body.reshape("write_index", batch_shape, "first");
    body("moved", "Add", {places, first});
    places = "moved";
  }
  if (mode == "circular") {
    const std::string size = body.dim("past_cache", static_cast<int>(axis));
    body("round", "Mod", {places, size});
    places = "round";
  }
  body("update_shape", "Shape", {"update"});
  body("indices", "Expand", {places, "update_shape"});
  body("present_cache", "ScatterElements", {"past_cache", "indices", "update"}, {{"axis", axis}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "TensorScatter",
                      .summary = "An update written into a cache, by ScatterElements.",
                      .source = "ONNX TensorScatter-24",
                      .attributes = "axis, mode",
                      .needed_inputs = 2,
                      .most_inputs = 3,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_TensorScatter
