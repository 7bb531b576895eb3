// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ScatterElements for runtimes that have ScatterND only: each element is placed by its index along
// the axis, and by where it stands in the updates along all others. And Compress by a constant,
// which gathers what it keeps.

#include <optional>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_scattered_to_places {
namespace {

Lowering scattered(const CallSite& site) {
  const int rank = site.need_rank(0);
  const int64_t axis = need_axis(site.attribute_int("axis", 0), rank);
  if (rank == 0) return Declined{"its data have no dimensions"};
  Ints sizes;
  for (int dim = 0; dim < rank; ++dim) sizes.push_back(site.need_dim(1, dim));
  Body body("ai.onnx", "ScatterElements", {"data", "indices", "updates"}, {"output"}, site.own_opset());
  std::vector<std::string> coordinates;
  body("places", "Cast", {"indices"}, {{"to", onnx::TensorProto::INT64}});
  for (int dim = 0; dim < rank; ++dim) {
    std::string along = "places";
    if (dim != axis) {
      Ints shape(static_cast<size_t>(rank), 1);
      shape[static_cast<size_t>(dim)] = sizes[static_cast<size_t>(dim)];
      const std::string numbers =
          body.constant(body.fresh("numbers"),
                        tensor_of(onnx::TensorProto::INT64, shape, numbers_below(sizes[static_cast<size_t>(dim)])));
      along = body.made("along", "Expand", {numbers, body.ints(sizes, "sizes")});
    }
    coordinates.push_back(body.unsqueeze(along, {rank}));
  }
  const std::string all = body.made("coordinates", "Concat", coordinates, {{"axis", rank}});
  body("output", "ScatterND", {"data", all, "updates"});
  body.copy_attributes(site, {"reduction"}, "ScatterND");
  return body.function();
}

// Without the condition's elements the run finds where they are not zero.
std::string places_kept(const CallSite& site, Body& body) {
  const std::optional<Ints> condition = site.constant_ints(1);
  if (!condition) return body.reshape(body.made("places", "NonZero", {"condition"}), {-1}, "kept");
  Ints kept;
  for (size_t place = 0; place < condition->size(); ++place) {
    if ((*condition)[place] != 0) kept.push_back(static_cast<int64_t>(place));
  }
  return body.ints(kept, "kept");
}

Lowering compressed(const CallSite& site) {
  Body body("ai.onnx", "Compress", {"input", "condition"}, {"output"}, 13);
  std::string value = "input";
  int64_t axis = 0;
  if (site.attribute("axis") != nullptr) {
    axis = site.attribute_int("axis", 0);
  } else {
    value = body.reshape(value, {-1}, "flat");
  }
  body("output", "Gather", {value, places_kept(site, body)}, {{"axis", axis}});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view attributes, std::string_view summary,
                              std::string_view source, int inputs, Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = summary,
          .source = source,
          .attributes = attributes,
          .turn = RuleTurn::last_resort,
          .needed_inputs = inputs,
          .most_inputs = inputs,
          .lower = lower};
}

const NativeRule rules[] = {
    rule_for("ScatterElements", "axis, reduction", "Scattered by all coordinates.", "ONNX ScatterElements-18", 3,
             scattered),
    rule_for("Compress", "axis", "What the condition keeps is gathered.", "ONNX Compress-11", 2, compressed)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_scattered_to_places
