// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// HannWindow, HammingWindow and BlackmanWindow. The functions of their schemas compute with the
// attribute `periodic`, and give the size to a Range, which wants a scalar. The operators' kernels
// take any `periodic` but 0 for true, and a size of one element with any number of dimensions.
#include <map>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include "onnx/defs/tensor_proto_util.h"
#include "rules/body.h"
#include "schema_function.h"

namespace onnx_lower::native_rules::ai_onnx_windows_of_signals {
namespace {

using Numbers = std::map<std::string, double>;

// Makes the function compute in double: the schemas' functions compute a window of double in float.
void compute_in_double(onnx::FunctionProto& function, const Numbers& weights) {
  for (onnx::NodeProto& node : *function.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.name() == "to" && attribute.i() == onnx::TensorProto::FLOAT)
        attribute.set_i(onnx::TensorProto::DOUBLE);
      if (attribute.name() != "value") continue;
      const auto weight = weights.find(node.output(0));
      const double number = weight != weights.end()   ? weight->second
                            : node.output(0) == "Tau" ? 2 * std::numbers::pi
                                                      : onnx::ParseData<float>(&attribute.t()).front();
      *attribute.mutable_t() = tensor_of(onnx::TensorProto::DOUBLE, {}, std::vector<double>{number});
    }
  }
}

Lowering lowered(const CallSite& site, const Numbers& weights) {
  Lowering lowering = schema_function(site);
  auto* function = std::get_if<onnx::FunctionProto>(&lowering);
  if (function == nullptr) return lowering;
  if (site.attribute_int("output_datatype", onnx::TensorProto::FLOAT) == onnx::TensorProto::DOUBLE)
    compute_in_double(*function, weights);
  const bool is_periodic = site.attribute_int("periodic", 1) != 0;
  const bool is_scalar = site.rank(0) == 0;
  const std::string size = function->input(0);
  const std::string scalar = "size_of_no_dimensions";
  for (onnx::NodeProto& node : *function->mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute())
      if (attribute.name() == "value_int") attribute.set_i(is_periodic ? 1 : 0);
    if (is_scalar) continue;
    for (std::string& input : *node.mutable_input())
      if (input == size) input = scalar;
  }
  if (is_scalar) return lowering;
  // A Reshape, since the rank of a Squeeze's result is not known where a dimension is not.
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
  *nodes.Add() =
      node_of("Constant", {}, {"no_dimensions"}, {{"value", tensor_of(onnx::TensorProto::INT64, {0}, Ints{})}});
  *nodes.Add() = node_of("Reshape", {size, "no_dimensions"}, {scalar});
  nodes.MergeFrom(function->node());
  function->mutable_node()->Swap(&nodes);
  return lowering;
}

Lowering blackman(const CallSite& site) { return lowered(site, {{"A0", 0.42}, {"A1", 0.5}, {"A2", 0.08}}); }
Lowering hamming(const CallSite& site) { return lowered(site, {{"A0", 25.0 / 46}, {"A1", 21.0 / 46}}); }
Lowering hann(const CallSite& site) { return lowered(site, {{"A0", 0.5}, {"A1", 0.5}}); }

NativeRule rule_for(const char* op_type, const char* source, Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "The function body in the operator's own schema, for a size of any shape.",
          .source = source,
          .takes_any_attribute = true,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("BlackmanWindow", "ONNX BlackmanWindow-17", blackman),
                            rule_for("HammingWindow", "ONNX HammingWindow-17", hamming),
                            rule_for("HannWindow", "ONNX HannWindow-17", hann)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_windows_of_signals
