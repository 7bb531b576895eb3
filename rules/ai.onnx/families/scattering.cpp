// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ScatterElements and ScatterND with a reduction, where the opset has none: the updates are applied
// one after the other, because several may be for the same element.
//
// ScatterElements takes all updates at one place along the axis at once: no two of them are for the
// same element.
#include <fmt/format.h>

#include <functional>
#include <limits>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_scattering {
namespace {

std::string_view operator_of(const std::string& reduction) {
  if (reduction == "add") return "Add";
  if (reduction == "mul") return "Mul";
  if (reduction == "max") return "Max";
  if (reduction == "min") return "Min";
  decline(fmt::format("it has no reduction, or one that it does not know: '{}'", reduction));
}

// A value of the body of a Loop, with its type where that is known: OpenVINO wants to know
// the rank.
GraphValue typed(const CallSite& site, std::string_view name) {
  const auto type = site.dtype(0), rank = site.rank(0);
  GraphValue value{.name = std::string(name)};
  if (!type || !rank) return value;
  value.element_type = *type;
  for (int axis = 0; axis < *rank; ++axis) value.dims.push_back(fmt::format("d{}", axis));
  return value;
}

template <typename T>
onnx::TensorProto limit_of(std::string_view reduction, onnx::TensorProto::DataType type) {
  const T limit = reduction == "max" ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
  return tensor_of(type, {}, Ints{static_cast<int64_t>(limit)});
}

// The neutral element of the reduction, which leaves every number as it is.
onnx::TensorProto neutral_of(const std::string& reduction, int type) {
  const auto number = [](double value) { return tensor_of(onnx::TensorProto::FLOAT, {}, std::vector<double>{value}); };
  if (reduction == "add") return number(0);
  if (reduction == "mul") return number(1);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (type) {
    case onnx::TensorProto::FLOAT:
    case onnx::TensorProto::DOUBLE:
    case onnx::TensorProto::FLOAT16:
      return number(reduction == "max" ? -infinity : infinity);
    case onnx::TensorProto::INT8:
      return limit_of<int8_t>(reduction, onnx::TensorProto::INT8);
    case onnx::TensorProto::UINT8:
      return limit_of<uint8_t>(reduction, onnx::TensorProto::UINT8);
    case onnx::TensorProto::INT32:
      return limit_of<int32_t>(reduction, onnx::TensorProto::INT32);
    case onnx::TensorProto::UINT32:
      return limit_of<uint32_t>(reduction, onnx::TensorProto::UINT32);
    case onnx::TensorProto::INT64:
      return limit_of<int64_t>(reduction, onnx::TensorProto::INT64);
    default:
      decline(fmt::format("it does not know the {} of elements of this type", reduction));
  }
}

// Adds a Loop, each round of which makes `after` of `before`.
void append_rounds(const CallSite& site, Body& body, const std::string& steps,
                   const std::function<void()>& make_round) {
  const onnx::GraphProto round = body.graph(
      "step", {{"round", onnx::TensorProto::INT64}, {"going", onnx::TensorProto::BOOL}, typed(site, "before")},
      {{"goes_on", onnx::TensorProto::BOOL}, typed(site, "after")}, [&] {
        make_round();
        body("goes_on", "Identity", {"going"});
      });
  body("output", "Loop", {steps, "", "data"}, {{"body", round}});
}

// A round scatters its updates among neutral elements, and reduces all elements with these.
// Gathering the old elements would take a GatherElements, which OpenVINO has for fewer shapes.
Lowering lower_elements(const CallSite& site) {
  const int64_t axis = site.attribute_int("axis", 0);
  if (axis < 0 && site.opset() < 11) site.need_rank(0);
  const int64_t from_start = axis < 0 && site.rank(0) ? axis + *site.rank(0) : axis;
  const std::string reduction = site.attribute_string("reduction", "none");
  const std::string_view op = operator_of(reduction);
  Body body("ai.onnx", "ScatterElements", {"data", "indices", "updates"}, {"output"}, 15);
  const std::string one = body.ints({1}, "one");
  const std::string steps = body.dim("indices", static_cast<int>(from_start));
  body.constant("neutral_number", neutral_of(reduction, site.need_dtype(0)));
  body("neutral", "CastLike", {"neutral_number", "data"});
  body("data_shape", "Shape", {"data"});
  // Each round makes the tensor that it scatters into: OpenVINO scatters into a tensor from outside
  // the Loop without a copy.
  append_rounds(site, body, steps, [&] {
    body("number", "Reshape", {"round", one});
    body("places", "Gather", {"indices", "number"}, {{"axis", from_start}});
    body("news", "Gather", {"updates", "number"}, {{"axis", from_start}});
    body("nothing", "Expand", {"neutral", "data_shape"});
    body("change", "ScatterElements", {"nothing", "places", "news"}, {{"axis", from_start}});
    body("after", op, {"before", "change"});
  });
  return body.function();
}

// Whether the data, and so what becomes of them, have no elements.
bool has_no_elements(const CallSite& site) {
  const int rank = site.rank(0).value_or(0);
  for (int axis = 0; axis < rank; ++axis)
    if (site.dim(0, axis) == 0) return true;
  return false;
}

// Below opset 11 there is no ScatterND: the dimensions that an index names become one, and those of
// a slice another, so that rows are scattered.
Lowering lower_plain_nd(const CallSite& site) {
  const int rank = site.need_rank(0);
  const int depth = static_cast<int>(site.need_dim(1, -1));
  if (depth < 1 || depth > rank) return Declined{"its indices are not of as many dimensions as the data have"};
  Ints indexed, sliced;
  for (int axis = 0; axis < rank; ++axis) (axis < depth ? indexed : sliced).push_back(axis);
  Body body("ai.onnx", "ScatterND", {"data", "indices", "updates"}, {"output"}, 12);
  const std::string one = body.ints({1}, "one"), zero = body.ints({0}, "zero"), any = body.ints({-1}, "any");
  body("shape", "Shape", {"data"});
  body("sizes", "Gather", {"shape", body.ints(indexed, "indexed")}, {{"axis", 0}});
  // How many rows each number of an index counts for, from the last number on.
  std::vector<std::string> strides{one};
  for (int axis = depth - 1; axis > 0; --axis) {
    const std::string size = body.fresh("size"), stride = body.fresh("stride");
    body(size, "Gather", {"shape", body.ints({axis}, "axis")}, {{"axis", 0}});
    body(stride, "Mul", {strides.front(), size});
    strides.insert(strides.begin(), stride);
  }
  body("strides", "Concat", strides, {{"axis", 0}});
  const std::string list = body.reshape("indices", {-1, depth}, "index_list");
  body("is_from_end", "Less", {list, zero});
  body("from_end", "Add", {list, "sizes"});
  body("index", "Where", {"is_from_end", "from_end", list});
  body("rows_of_index", "Mul", {"index", "strides"});
  body("row", "ReduceSum", {"rows_of_index"}, {{"axes", Ints{1}}, {"keepdims", 1}});
  body("row_count", "ReduceProd", {"sizes"}, {{"axes", Ints{0}}, {"keepdims", 1}});
  std::string slice_size = one;
  if (!sliced.empty()) {
    body("slice_shape", "Gather", {"shape", body.ints(sliced, "sliced")}, {{"axis", 0}});
    slice_size = body("slice_size", "ReduceProd", {"slice_shape"}, {{"axes", Ints{0}}, {"keepdims", 1}});
  }
  body("table_shape", "Concat", {"row_count", slice_size}, {{"axis", 0}});
  body("table", "Reshape", {"data", "table_shape"});
  body("update_shape", "Concat", {any, slice_size}, {{"axis", 0}});
  body("update_table", "Reshape", {"updates", "update_shape"});
  body("places_shape", "Shape", {"update_table"});
  body("places", "Expand", {"row", "places_shape"});
  body("scattered", "ScatterElements", {"table", "places", "update_table"}, {{"axis", 0}});
  body("output", "Reshape", {"scattered", "shape"});
  return body.function();
}

Lowering lower_nd(const CallSite& site) {
  const std::string reduction = site.attribute_string("reduction", "none");
  if (has_no_elements(site)) {
    Body body("ai.onnx", "ScatterND", {"data", "indices", "updates"}, {"output"}, 13);
    body("output", "Identity", {"data"});
    return body.function();
  }
  if (reduction == "none") return lower_plain_nd(site);
  const std::string_view op = operator_of(reduction);
  Body body("ai.onnx", "ScatterND", {"data", "indices", "updates"}, {"output"}, 13);
  // Indices and updates become lists: of the index of one element or slice each, and of these.
  const std::string last = body.ints({-1}, "last"), any = body.ints({-1}, "any"), one = body.ints({1}, "one");
  const std::string to_end = body.ints({9223372036854775807}, "to_end");
  const auto rank = site.rank(0);
  const auto depth = site.dim(1, -1);
  if (depth) {
    body.constant("index_list_shape", Ints{-1, *depth});
  } else {
    body("index_shape", "Shape", {"indices"});
    body("depth", "Gather", {"index_shape", last}, {{"axis", 0}});
    body("index_list_shape", "Concat", {any, "depth"}, {{"axis", 0}});
  }
  body("index_list", "Reshape", {"indices", "index_list_shape"});
  body("data_shape", "Shape", {"data"});
  if (rank && depth && *depth < *rank) {
    // This makes the rank of the slices known.
    std::vector<int64_t> sliced;
    for (int64_t axis = *depth; axis < *rank; ++axis) sliced.push_back(axis);
    body("slice_shape", "Gather", {"data_shape", body.ints(sliced, "sliced")}, {{"axis", 0}});
  } else if (!rank || !depth) {
    if (depth) body.constant("depth", Ints{*depth});
    body("slice_shape", "Slice", {"data_shape", "depth", to_end});
  }
  if (rank && depth && *depth >= *rank) {
    body("update_list_shape", "Identity", {any});
  } else {
    body("update_list_shape", "Concat", {any, "slice_shape"}, {{"axis", 0}});
  }
  body("update_list", "Reshape", {"updates", "update_list_shape"});
  const std::string steps = body.dim("index_list", 0);
  append_rounds(site, body, steps, [&] {
    body("number", "Reshape", {"round", one});
    body("place", "Gather", {"index_list", "number"}, {{"axis", 0}});
    body("new", "Gather", {"update_list", "number"}, {{"axis", 0}});
    body("old", "GatherND", {"before", "place"});
    body("both", op, {"old", "new"});
    body("after", "ScatterND", {"before", "place", "both"});
  });
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source, std::string_view attributes,
                              Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Scattering with a reduction, one update after the other.",
          .source = source,
          .attributes = attributes,
          .required_attributes = "reduction",
          .needed_inputs = 3,
          .most_inputs = 3,
          .lower = lower};
}

const NativeRule rules[] = {
    rule_for("ScatterElements", "ONNX ScatterElements-18", "axis, reduction", lower_elements),
    {.domain = "ai.onnx",
     .op_type = "ScatterND",
     .summary = "Scattering with a reduction, one update after the other; without one, of rows.",
     .source = "ONNX ScatterND-11, ScatterND-18",
     .attributes = "reduction",
     .needed_inputs = 3,
     .most_inputs = 3,
     .lower = lower_nd}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_scattering
