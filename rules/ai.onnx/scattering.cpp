// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ScatterElements and ScatterND with a reduction, where the opset has none: one update after the other, because several may be for the same element.
//
// ScatterElements takes all updates at one place along the axis at once: no two of them are for the same element.
#include <limits>

#include "../com.microsoft/body_text.h"
#include "rules/element_type.h"

namespace onnx_lower {
namespace {

std::string_view operator_of(const std::string& reduction) {
  if (reduction == "add") return "Add";
  if (reduction == "mul") return "Mul";
  if (reduction == "max") return "Max";
  if (reduction == "min") return "Min";
  decline(fmt::format("it has no reduction, or one that it does not know: '{}'", reduction));
}

// A value of the body of a Loop, with its type where that is known: OpenVINO wants to know the rank.
std::string typed(const CallSite& site, std::string_view name) {
  const auto type = site.dtype(0), rank = site.rank(0);
  if (!type || !rank) return std::string(name);
  std::vector<std::string> dims;
  for (int axis = 0; axis < *rank; ++axis) dims.push_back(fmt::format("d{}", axis));
  return fmt::format("{}[{}] {}", element_type_name(*type), fmt::join(dims, ", "), name);
}

template <typename T>
std::string limit_of(std::string_view reduction, std::string_view name) {
  return fmt::format("{} {{{}}}", name,
                     reduction == "max" ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max());
}

// What leaves every number as it is, as a tensor's text.
std::string neutral_of(const std::string& reduction, int type) {
  if (reduction == "add") return "float {0.0}";
  if (reduction == "mul") return "float {1.0}";
  switch (type) {
    case onnx::TensorProto::FLOAT:
    case onnx::TensorProto::DOUBLE:
    case onnx::TensorProto::FLOAT16:
      return reduction == "max" ? "float {-inf}" : "float {inf}";
    case onnx::TensorProto::INT8:
      return limit_of<int8_t>(reduction, "int8");
    case onnx::TensorProto::UINT8:
      return limit_of<uint8_t>(reduction, "uint8");
    case onnx::TensorProto::INT32:
      return limit_of<int32_t>(reduction, "int32");
    case onnx::TensorProto::UINT32:
      return limit_of<uint32_t>(reduction, "uint32");
    case onnx::TensorProto::INT64:
      return limit_of<int64_t>(reduction, "int64");
    default:
      decline(fmt::format("it does not know the {} of elements of this type", reduction));
  }
}

// Not by GatherElements, which OpenVINO has for fewer shapes: the updates are scattered among numbers that leave the others as they are.
Lowering lower_elements(const CallSite& site) {
  const int64_t axis = site.attribute_int("axis", 0);
  if (axis < 0 && site.opset() < 11) site.need_rank(0);
  const int64_t from_start = axis < 0 && site.rank(0) ? axis + *site.rank(0) : axis;
  const std::string reduction = site.attribute_string("reduction", "none");
  const std::string_view op = operator_of(reduction);
  BodyText body("ai.onnx", "ScatterElements", {"data", "indices", "updates"}, {"output"}, 15);
  const std::string one = body.ints({1}, "one");
  const std::string steps = body.dim("indices", static_cast<int>(from_start));
  body.line("neutral_number = Constant <value = {}> ()", neutral_of(reduction, site.need_dtype(0)));
  body.line("neutral = CastLike (neutral_number, data)");
  body.line("data_shape = Shape (data)");
  // A tensor of each round's own: OpenVINO scatters into one from outside without a copy.
  body.line(R"(output = Loop <body = step (int64 round, bool going, {}) => (bool goes_on, {}) {{
    number = Reshape (round, {})
    places = Gather <axis = {}> (indices, number)
    news = Gather <axis = {}> (updates, number)
    nothing = Expand (neutral, data_shape)
    change = ScatterElements <axis = {}> (nothing, places, news)
    after = {} (before, change)
    goes_on = Identity (going)
  }}> ({}, "", data))",
            typed(site, "before"), typed(site, "after"), one, from_start, from_start, from_start, op, steps);
  return body.function();
}

Lowering lower_nd(const CallSite& site) {
  if (site.opset() < 11) return Declined{"below opset 11 there is no ScatterND"};
  const std::string_view op = operator_of(site.attribute_string("reduction", "none"));
  BodyText body("ai.onnx", "ScatterND", {"data", "indices", "updates"}, {"output"}, 13);
  // Both as lists: the indices of one element or slice each, and the elements or slices.
  const std::string last = body.ints({-1}, "last"), any = body.ints({-1}, "any"), one = body.ints({1}, "one");
  const std::string to_end = body.ints({9223372036854775807}, "to_end");
  const auto rank = site.rank(0);
  const auto depth = site.dim(1, -1);
  if (depth) {
    body.line("depth = Constant <value = int64[1] {{{}}}> ()", *depth);
  } else {
    body.line("index_shape = Shape (indices)");
    body.line("depth = Gather <axis = 0> (index_shape, {})", last);
  }
  body.line("index_list_shape = Concat <axis = 0> ({}, depth)", any);
  body.line("index_list = Reshape (indices, index_list_shape)");
  body.line("data_shape = Shape (data)");
  if (rank && depth && *depth < *rank) {
    // So that the rank of the slices is known.
    std::vector<int64_t> sliced;
    for (int64_t axis = *depth; axis < *rank; ++axis) sliced.push_back(axis);
    body.line("slice_shape = Gather <axis = 0> (data_shape, {})", body.ints(sliced, "sliced"));
  } else if (!rank || !depth) {
    body.line("slice_shape = Slice (data_shape, depth, {})", to_end);
  }
  if (rank && depth && *depth >= *rank) {
    body.line("update_list_shape = Identity ({})", any);
  } else {
    body.line("update_list_shape = Concat <axis = 0> ({}, slice_shape)", any);
  }
  body.line("update_list = Reshape (updates, update_list_shape)");
  const std::string steps = body.dim("index_list", 0);
  body.line(R"(output = Loop <body = step (int64 round, bool going, {}) => (bool goes_on, {}) {{
    number = Reshape (round, {})
    place = Gather <axis = 0> (index_list, number)
    new = Gather <axis = 0> (update_list, number)
    old = GatherND (before, place)
    both = {} (old, new)
    after = ScatterND (before, place, both)
    goes_on = Identity (going)
  }}> ({}, "", data))",
            typed(site, "before"), typed(site, "after"), one, op, steps);
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

const NativeRule rules[] = {rule_for("ScatterElements", "ONNX ScatterElements-18", "axis, reduction", lower_elements),
                            rule_for("ScatterND", "ONNX ScatterND-18", "reduction", lower_nd)};
const NativeRule::Registration registrations[] = {NativeRule::Registration(rules[0]),
                                                  NativeRule::Registration(rules[1])};

}  // namespace
}  // namespace onnx_lower
