// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The function in an operator's own schema, which says what the operator means.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "onnx/defs/function.h"
#include "onnx/defs/schema.h"
#include "rules/native_rule.h"
#include "standard_operators/node_attribute.h"
#include "standard_operators/operator_table.h"
#include "standard_operators/version_change.h"

namespace onnx_lower {

// Puts the node's attributes, or the schema's defaults, in the place of references to attributes.
// Without either, the node that refers to the attribute goes by its own operator's default.
inline void bind_attributes(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, const CallSite& site,
                            const onnx::OpSchema& schema) {
  for (onnx::NodeProto& node : nodes) {
    auto& attributes = *node.mutable_attribute();
    const auto is_unbound = [&](onnx::AttributeProto& attribute) {
      if (attribute.has_g()) bind_attributes(*attribute.mutable_g()->mutable_node(), site, schema);
      if (attribute.ref_attr_name().empty()) return false;
      const std::string name = attribute.name();
      const auto declared = schema.attributes().find(attribute.ref_attr_name());
      if (const onnx::AttributeProto* given = site.attribute(attribute.ref_attr_name())) {
        attribute = *given;
      } else if (declared != schema.attributes().end() && declared->second.default_value.has_type()) {
        attribute = declared->second.default_value;
      } else {
        return true;
      }
      attribute.set_name(name);
      return false;
    };
    attributes.erase(std::remove_if(attributes.begin(), attributes.end(), is_unbound), attributes.end());
  }
}

inline onnx::FunctionProto function_of(const CallSite& site, const onnx::OpSchema& schema) {
  if (schema.HasFunction()) return *schema.GetFunction();
  std::vector<onnx::TypeProto> types(static_cast<size_t>(site.input_count()));
  for (int i = 0; i < site.input_count(); ++i) {
    if (const onnx::TypeProto* type = site.input_type(i)) types[static_cast<size_t>(i)] = *type;
  }
  // ONNX's context-dependent functions would read a zero where an attribute has no value of
  // its own.
  for (const onnx::AttributeProto& attribute : site.node().attribute()) {
    if (is_open(attribute)) decline(open_attribute_reason(attribute.name()));
  }
  onnx::FunctionProto function;
  const onnx::FunctionBodyBuildContextImpl context(site.node(), types);
  const std::vector<int> bodies = schema.context_dependent_function_opset_versions();
  if (!schema.BuildContextDependentFunction(context, function, bodies.back())) return {};
  return function;
}

// The body of the schema's function, with the node's attributes in it.
inline Lowering body_of(const CallSite& site, const onnx::OpSchema& schema) {
  for (const onnx::AttributeProto& attribute : site.node().attribute()) {
    if (schema.attributes().contains(attribute.name())) continue;
    return Declined{fmt::format("attribute '{}' is unknown to version {} of the operator", attribute.name(),
                                schema.since_version())};
  }
  onnx::FunctionProto function = function_of(site, schema);
  if (function.node().empty()) return Declined{"its schema's function body needs input types that are not known"};
  bind_attributes(*function.mutable_node(), site, schema);
  function.clear_attribute();
  function.clear_attribute_proto();
  function.clear_doc_string();
  const auto is_of_ai_onnx = [](const onnx::OperatorSetIdProto& import) { return import.domain().empty(); };
  if (std::ranges::none_of(function.opset_import(), is_of_ai_onnx)) {
    // The schema is of another domain, and does not say which version of ai.onnx its function uses.
    function.add_opset_import()->set_version(newest_opset(""));
  }
  return function;
}

// The version of the node's operator whose schema has a function that says what the node means;
// nullptr when there is none. The newest function is taken, since newer ones are mended: that of
// Celu-12 gives a scalar a dimension.
inline const OperatorVersion* version_with_function(const CallSite& site) {
  const std::string& op_type = site.node().op_type();
  const auto versions = operator_versions("", op_type);
  if (versions.empty()) return nullptr;
  const OperatorVersion& newest = versions.back();
  const OperatorVersion* own = site.version() ? find_operator("", op_type, *site.version()) : nullptr;
  if (newest.has_function && (own == nullptr || version_change(site.node(), *own, newest).is_possible()))
    return &newest;
  return own != nullptr && own->has_function ? own : nullptr;
}

inline Lowering schema_function(const CallSite& site) {
  const OperatorVersion* version = version_with_function(site);
  if (version == nullptr) return Declined{.reason = "its schema has no function body", .is_of_signature = true};
  return body_of(site, schema_of(*version));
}

}  // namespace onnx_lower
