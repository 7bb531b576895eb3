// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What an operator's own schema says that it means, as a function.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "onnx/defs/function.h"
#include "onnx/defs/schema.h"
#include "rules/native_rule.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// Puts the node's attributes, or the schema's defaults, in the place of references; without either the operator that refers
// to the attribute goes by its own default.
inline void bind_attributes(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, const CallSite& site,
                            const OperatorVersion& version) {
  for (onnx::NodeProto& node : nodes) {
    auto& attributes = *node.mutable_attribute();
    const auto is_unbound = [&](onnx::AttributeProto& attribute) {
      if (attribute.has_g()) bind_attributes(*attribute.mutable_g()->mutable_node(), site, version);
      if (attribute.ref_attr_name().empty()) return false;
      const std::string name = attribute.name();
      const OperatorAttribute* declared = version.attribute(attribute.ref_attr_name());
      if (const onnx::AttributeProto* given = site.attribute(attribute.ref_attr_name())) {
        attribute = *given;
      } else if (declared != nullptr && !declared->default_value.empty()) {
        attribute.ParseFromArray(declared->default_value.data(), static_cast<int>(declared->default_value.size()));
      } else {
        return true;
      }
      attribute.set_name(name);
      return false;
    };
    attributes.erase(std::remove_if(attributes.begin(), attributes.end(), is_unbound), attributes.end());
  }
}

inline onnx::FunctionProto function_of(const CallSite& site, const OperatorVersion& version) {
  const onnx::OpSchema* schema =
      onnx::OpSchemaRegistry::Schema(std::string(version.name), version.since_version, std::string(version.domain));
  if (schema == nullptr) return {};
  if (schema->HasFunction()) return *schema->GetFunction();
  std::vector<onnx::TypeProto> types(static_cast<size_t>(site.input_count()));
  for (int i = 0; i < site.input_count(); ++i) {
    if (const onnx::TypeProto* type = site.input_type(i)) types[static_cast<size_t>(i)] = *type;
  }
  onnx::FunctionProto function;
  const onnx::FunctionBodyBuildContextImpl context(site.node(), types);
  const std::vector<int> bodies = schema->context_dependent_function_opset_versions();
  if (!schema->BuildContextDependentFunction(context, function, bodies.back())) return {};
  return function;
}

inline Lowering schema_function(const CallSite& site) {
  const auto versions = operator_versions("", site.node().op_type());
  if (versions.empty()) return Declined{"ONNX has no such operator"};
  const OperatorVersion& version = versions.back();
  if (!version.has_function) return Declined{.reason = "its schema has no function body", .is_of_signature = true};
  for (const onnx::AttributeProto& attribute : site.node().attribute()) {
    if (version.attribute(attribute.name()) != nullptr) continue;
    return Declined{fmt::format("attribute '{}' is unknown to version {} of the operator", attribute.name(),
                                version.since_version)};
  }
  onnx::FunctionProto function = function_of(site, version);
  if (function.node().empty()) return Declined{"its schema's function body needs input types that are not known"};
  bind_attributes(*function.mutable_node(), site, version);
  function.clear_attribute();
  function.clear_attribute_proto();
  function.clear_doc_string();
  return function;
}

}  // namespace onnx_lower
