// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The functions of their schemas take the attribute 'periodic' as a number to reckon with, and the
// size to a Range, which wants a scalar of it. The operators' kernels take any number but 0 for
// yes, and a size of one element however many dimensions it has.
#include <string>
#include <variant>

#include "rules/body.h"
#include "schema_function.h"

namespace onnx_lower::native_rules::ai_onnx_windows_of_signals {
namespace {

Lowering lower(const CallSite& site) {
  Lowering lowering = schema_function(site);
  auto* function = std::get_if<onnx::FunctionProto>(&lowering);
  if (function == nullptr) return lowering;
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
  // Not a Squeeze, of which nobody knows the rank where a dimension is not known.
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
  *nodes.Add() =
      node_of("Constant", {}, {"no_dimensions"}, {{"value", tensor_of(onnx::TensorProto::INT64, {0}, Ints{})}});
  *nodes.Add() = node_of("Reshape", {size, "no_dimensions"}, {scalar});
  nodes.MergeFrom(function->node());
  function->mutable_node()->Swap(&nodes);
  return lowering;
}

NativeRule rule_for(const char* op_type, const char* source) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "The function body in the operator's own schema, for a size of any shape.",
          .source = source,
          .takes_any_attribute = true,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("BlackmanWindow", "ONNX BlackmanWindow-17"),
                            rule_for("HammingWindow", "ONNX HammingWindow-17"),
                            rule_for("HannWindow", "ONNX HannWindow-17")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_windows_of_signals
