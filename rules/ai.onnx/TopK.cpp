// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_TopK {
namespace {

// From opset 10 on K is an input.
Lowering with_input(const CallSite& site) {
  if (site.attribute("largest") != nullptr || site.attribute("sorted") != nullptr)
    return Declined{"attributes 'largest' and 'sorted' came with 11, when K was no attribute any more"};
  Body body("ai.onnx", "TopK", {"X"}, {"Values", "Indices"}, 10);
  body.constant("count", Ints{site.attribute_int("k", 0)});
  body.node({"Values", "Indices"}, "TopK", {"X", "count"}, {{"axis", site.attribute_int("axis", -1)}});
  return body.function();
}

// For K = 0 the results are empty slices of the input; as an attribute, K is at least 1.
Lowering nothing(int64_t axis) {
  Body body("ai.onnx", "TopK", {"X", "K"}, {"Values", "Indices"}, 10);
  const std::string zero = body.ints({0}, "zero");
  body("Values", "Slice", {"X", zero, zero, body.ints({axis}, "axis")});
  body("Indices", "Cast", {"Values"}, {{"to", onnx::TensorProto::INT64}});
  return body.function();
}

// Below opset 11 TopK gives only the greatest elements, of floating-point types. Below opset 10 K
// is an attribute of at least 1: where it is not known, or is 0, all elements are sorted, and the
// first K of them are taken.
Lowering lower_newer(const CallSite& site) {
  const int64_t axis = site.attribute_int("axis", -1);
  const bool has_attribute = site.opset() < 10;
  const auto count = site.constant_ints(1);
  if (count == Ints{0} || site.dim(0, static_cast<int>(axis)) == 0) return nothing(axis);
  const int type = site.need_dtype(0);
  bool is_integer = false;
  switch (type) {
    case onnx::TensorProto::FLOAT:
    case onnx::TensorProto::DOUBLE:
    case onnx::TensorProto::FLOAT16:
      break;
    case onnx::TensorProto::INT8:
    case onnx::TensorProto::INT16:
    case onnx::TensorProto::INT32:
    case onnx::TensorProto::UINT8:
    case onnx::TensorProto::UINT16:
    case onnx::TensorProto::UINT32:
      is_integer = true;
      break;
    default:
      return Declined{"below opset 11 its input must be of a type that double holds without loss"};
  }
  const bool is_smallest = site.attribute_int("largest", 1) != 1;
  const bool takes_first = has_attribute && !(count && count->size() == 1 && count->front() > 0);
  const int64_t known_count = takes_first     ? site.need_dim(0, static_cast<int>(axis))
                              : has_attribute ? count->front()
                                              : 0;
  if (takes_first && known_count == 0)
    return Declined{"below opset 10 it takes at least one element, and there is none"};
  Body body("ai.onnx", "TopK", {"X", "K"}, {"Values", "Indices"}, has_attribute ? 9 : 10);
  std::string from = "X";
  if (is_integer) {
    body("number", "Cast", {"X"}, {{"to", 11}});
    from = "number";
  }
  if (is_smallest) {
    body("negative", "Neg", {from});
    from = "negative";
  }
  const std::string values = takes_first ? "all_values" : "Values", places = takes_first ? "all_places" : "Indices";
  const std::string to = is_integer ? "found" : values;
  const std::string greatest = is_smallest ? "greatest" : to;
  if (has_attribute) {
    body.node({greatest, places}, "TopK", {from}, {{"k", known_count}, {"axis", axis}});
  } else {
    body.node({greatest, "Indices"}, "TopK", {from, "K"}, {{"axis", axis}});
  }
  if (is_smallest) body(to, "Neg", {"greatest"});
  if (is_integer) body(values, "Cast", {"found"}, {{"to", type}});
  if (takes_first) {
    body("ones", "ConstantOfShape", {"K"}, {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{1})}});
    body("numbers", "NonZero", {"ones"});
    body("first", "Squeeze", {"numbers"}, {{"axes", Ints{0}}});
    body("Values", "Gather", {values, "first"}, {{"axis", axis}});
    body("Indices", "Gather", {places, "first"}, {{"axis", axis}});
  }
  return body.function();
}

Lowering lower(const CallSite& site) { return site.attribute("k") != nullptr ? with_input(site) : lower_newer(site); }

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "TopK",
    .summary = "K is an attribute below 10 and an input from 10 on; the smallest elements and integers are of 11.",
    .source = "ONNX TopK-1, TopK-10, TopK-11",
    .attributes = "axis, k, largest, sorted",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_TopK
