// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Scales and zero points that are lists of one element. To ONNX Runtime's quantized operators such
// a list and a scalar are the same, also where the scale is one and the zero point the other. To
// the operators of their lowerings they are not: a list goes along an axis, and gives a tensor of
// rank 0 a dimension; and OpenVINO wants scale and zero point alike. So the node is made again with
// scalars, and the other rules see no lists but those along an axis.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain.h"
#include "rules/body.h"

namespace onnx_lower {

// The one element of the input without its dimension: a constant where it is one, which some
// runtimes want of scales.
inline std::string number_of(const CallSite& site, Body& body, int input, const std::string& name) {
  const onnx::TensorProto* known = site.constant(input);
  const bool is_here = known != nullptr && known->dims_size() == 1 && known->dims(0) == 1 &&
                       known->data_location() != onnx::TensorProto::EXTERNAL;
  if (!is_here) return body.reshape(name, {}, "number");
  onnx::TensorProto number = *known;
  number.clear_dims();
  number.clear_name();
  return body.constant(body.fresh("number"), std::move(number));
}

// The same node with numbers in the place of lists, for these inputs, which have one element each;
// one that is known to have more is left to the other rules.
inline Lowering with_numbers(const CallSite& site, std::vector<int> inputs) {
  std::erase_if(inputs, [&](int input) {
    return !site.has_input(input) || site.rank(input) != 1 || site.dim(input, 0).value_or(1) != 1;
  });
  if (inputs.empty()) return Declined{"none of its scales and zero points is a list of one", {}, true};
  const std::string_view domain = normalized_domain(site.node().domain());
  const std::string& op_type = site.node().op_type();
  std::vector<std::string> formal_inputs, formal_outputs, taken, made;
  for (int input = 0; input < site.input_count(); ++input) {
    formal_inputs.push_back(fmt::format("input_{}", input));
    taken.push_back(site.has_input(input) ? formal_inputs.back() : "");
  }
  for (int output = 0; output < site.output_count(); ++output) {
    formal_outputs.push_back(fmt::format("output_{}", output));
    made.push_back(site.has_output(output) ? formal_outputs.back() : "");
  }
  // A standard operator keeps its version.
  constexpr int reshape_opset = 13;
  Body body(domain, op_type, formal_inputs, formal_outputs,
            domain.empty() ? static_cast<int>(site.own_opset()) : reshape_opset);
  for (const int input : inputs) taken[input] = number_of(site, body, input, formal_inputs[input]);
  if (domain.empty()) {
    body.node(made, op_type, taken);
  } else {
    body.import(domain, 1);
    body.node(made, fmt::format("{}.{}", domain, op_type), taken);
  }
  for (const onnx::AttributeProto& attribute : site.node().attribute())
    body.copy_attributes(site, {attribute.name()}, op_type);
  return body.function();
}

// The same for a QuantizeLinear or a DequantizeLinear, whose scale and zero point may also go along
// an axis.
inline Lowering quantization_with_numbers(const CallSite& site) {
  constexpr int scale = 1, zero_point = 2;
  const auto has_one_element = [&](int input) {
    return site.has_input(input) && (site.rank(input) == 0 || (site.rank(input) == 1 && site.dim(input, 0) == 1));
  };
  if (site.rank(0) != 0 && !has_one_element(scale) && !has_one_element(zero_point))
    return Declined{"its scale is not known to be one number", {}, true};
  if (site.attribute_int("block_size", 0) != 0) return Declined{"its scale has a number for each block", {}, true};
  return with_numbers(site, {scale, zero_point});
}

constexpr NativeRule rule_of_numbers(std::string_view domain, std::string_view op_type, std::string_view source,
                                     Lowering (*lower)(const CallSite&)) {
  return {.domain = domain,
          .op_type = op_type,
          .summary = "With numbers for scales and zero points that are lists of one.",
          .source = source,
          .takes_any_attribute = true,
          .turn = RuleTurn::first,
          .lower = lower};
}

}  // namespace onnx_lower
