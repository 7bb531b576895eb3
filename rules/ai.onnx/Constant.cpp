// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Constant {
namespace {

// A number, a string or a list of them as a tensor; nothing for another kind of value.
std::optional<onnx::TensorProto> tensor_of(const onnx::AttributeProto& value) {
  onnx::TensorProto tensor;
  int64_t count = -1;  // of a list
  if (value.name() == "value_float") {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_float_data(value.f());
  } else if (value.name() == "value_int") {
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_int64_data(value.i());
  } else if (value.name() == "value_string" ||
             (value.name() == "value" && value.type() == onnx::AttributeProto::STRING)) {
    tensor.set_data_type(onnx::TensorProto::STRING);
    tensor.add_string_data(value.s());
  } else if (value.name() == "value_floats") {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    *tensor.mutable_float_data() = value.floats();
    count = value.floats_size();
  } else if (value.name() == "value_ints") {
    tensor.set_data_type(onnx::TensorProto::INT64);
    *tensor.mutable_int64_data() = value.ints();
    count = value.ints_size();
  } else if (value.name() == "value_strings") {
    tensor.set_data_type(onnx::TensorProto::STRING);
    *tensor.mutable_string_data() = value.strings();
    count = value.strings_size();
  } else {
    return std::nullopt;
  }
  if (count >= 0) tensor.add_dims(count);
  return tensor;
}

Lowering lower(const CallSite& site) {
  if (site.node().attribute_size() != 1) return Declined{"it does not have exactly one attribute"};
  const onnx::AttributeProto& value = site.node().attribute(0);
  std::optional<onnx::TensorProto> tensor = tensor_of(value);
  if (!tensor) return Declined{fmt::format("attribute '{}' has no tensor that says the same", value.name())};

  Body body("ai.onnx", "Constant", {}, {"output"}, 9);
  body.constant("output", *std::move(tensor));
  return body.function();
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "Constant",
    .summary = "Numbers, strings and lists of them as a tensor, which is all that Constant knows below 12.",
    .source = "ONNX Constant-9, Constant-12; and torch 2.2's Constant <value: string>, which is in no version",
    .takes_any_attribute = true,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Constant
