// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/text/constant_like.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;

using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;

bool any_constant_like(const NodeList& nodes) {
  return std::ranges::any_of(nodes, [](const NodeProto& node) {
    return is_constant_like(node) || std::ranges::any_of(node.attribute(), [](const AttributeProto& attribute) {
             return attribute.has_g() && any_constant_like(attribute.g().node());
           });
  });
}

class WriteOut {
 public:
  WriteOut(const NodeList& nodes, std::span<const DeclaredAttribute> declared) : declared_(declared) {
    collect_names(nodes);
  }

  std::vector<int> run(NodeList& nodes) {
    NodeList written;
    std::vector<int> origins;
    for (int index = 0; index < nodes.size(); ++index) {
      NodeProto& node = nodes[index];
      for (AttributeProto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) run(*attribute.mutable_g()->mutable_node());
      }
      if (is_complete_constant_like(node)) {
        *written.Add() = constant_of(node);
        origins.push_back(index);
      }
      *written.Add() = std::move(node);
      origins.push_back(index);
    }
    nodes.Swap(&written);
    return origins;
  }

 private:
  void collect_names(const NodeList& nodes) {
    for (const NodeProto& node : nodes) {
      names_.insert(node.input().begin(), node.input().end());
      names_.insert(node.output().begin(), node.output().end());
      for (const AttributeProto& attribute : node.attribute()) collect_names(attribute.g().node());
    }
  }

  // Turns the node into a CastLike, and returns the Constant that it casts.
  NodeProto constant_of(NodeProto& node) {
    NodeProto constant;
    constant.set_op_type("Constant");
    std::string name = node.output(0) + '_';
    while (!names_.insert(name).second) name += '_';
    constant.add_output(name);
    AttributeProto& value = *constant.add_attribute();
    value.Swap(node.mutable_attribute(0));
    AttributeProto::AttributeType type = value.type();
    for (const DeclaredAttribute& attribute : declared_) {
      if (attribute.name == value.ref_attr_name()) type = attribute.type;
    }
    value.set_name(constant_attribute(type));
    value.set_type(type);
    node.clear_attribute();
    node.clear_domain();
    node.set_op_type("CastLike");
    node.add_input(node.input(0));
    node.set_input(0, name);
    return constant;
  }

  std::span<const DeclaredAttribute> declared_;
  std::unordered_set<std::string> names_;
};

}  // namespace

std::string constant_attribute(AttributeProto::AttributeType type) {
  switch (type) {
    case AttributeProto::FLOAT:
    case AttributeProto::INT:
    case AttributeProto::STRING:
    case AttributeProto::FLOATS:
    case AttributeProto::INTS:
    case AttributeProto::STRINGS:
      return fmt::format("value_{}", attribute_type_name(type));
    default:
      return "value";
  }
}

bool is_constant_like(const NodeProto& node) {
  return node.domain() == "onnx_lower" && node.op_type() == "ConstantLike";
}

bool is_complete_constant_like(const NodeProto& node) {
  return is_constant_like(node) && node.input_size() == 1 && node.output_size() == 1 && node.attribute_size() == 1 &&
         node.attribute(0).name() == "value";
}

std::vector<int> write_out_constants_like(onnx::FunctionProto& function, std::span<const DeclaredAttribute> declared) {
  // Most functions have no such node.
  if (!any_constant_like(function.node())) {
    std::vector<int> origins(static_cast<size_t>(function.node_size()));
    std::iota(origins.begin(), origins.end(), 0);
    return origins;
  }
  return WriteOut(function.node(), declared).run(*function.mutable_node());
}

}  // namespace onnx_lower
