// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ScatterElements for runtimes that take no more indices along the axis than the data have
// elements, as where the messages of many edges are added up at few nodes: the updates stand behind
// the data, where no index leads, and what is there is left out again.

#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_scattered_with_room {
namespace {

Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(0);
  const int64_t axis = need_axis(site.attribute_int("axis", 0), rank);
  for (int dim = 0; dim < rank; ++dim) {
    if (dim != axis && site.need_dim(0, dim) != site.need_dim(1, dim))
      return Declined{"its indices are of another size than its data in a dimension that is not scattered along"};
  }
  const int type = site.need_dtype(1);
  Body body("ai.onnx", "ScatterElements", {"data", "indices", "updates"}, {"output"}, site.own_opset());
  const std::string size = body.dim_list("data", static_cast<int>(axis));
  body("wide", "Concat", {"data", "updates"}, {{"axis", axis}});
  // Behind the data, the end is another.
  const std::string zero = body.constant("zero", tensor_of(onnx::TensorProto::INT64, {}, Ints{0}));
  const std::string none = body("none", "Cast", {zero}, {{"to", type}});
  const std::string count = body("count", "Cast", {body.dim("data", static_cast<int>(axis))}, {{"to", type}});
  body("is_from_end", "Less", {"indices", none});
  body("from_start", "Add", {"indices", count});
  body("places", "Where", {"is_from_end", "from_start", "indices"});
  body("scattered", "ScatterElements", {"wide", "places", "updates"}, {{"axis", axis}});
  body.copy_attributes(site, {"reduction"}, "ScatterElements");
  body("output", "Slice", {"scattered", body.ints({0}, "first"), size, body.ints({axis}, "axis")});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "ScatterElements",
                      .summary = "With room behind the data for as many elements as there are indices.",
                      .source = "ONNX ScatterElements-18",
                      .attributes = "axis, reduction",
                      .turn = RuleTurn::preference,
                      .preferred_by = "axis",
                      .inputs = "data, indices, updates",
                      .needed_inputs = 3,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_scattered_with_room
