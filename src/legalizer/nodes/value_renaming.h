// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Gives other names to the values that a node, and the graphs that it holds, read and define.
#pragma once

#include <string>
#include <unordered_map>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// Walks through the names in the order in which they are defined: a name that is read was defined
// before, or outside.
class ValueRenaming {
 public:
  virtual ~ValueRenaming() = default;

  virtual void rename(onnx::NodeProto& node) {
    for (std::string& input : *node.mutable_input()) use(input);
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) rename_graphs(attribute);
    for (std::string& output : *node.mutable_output()) define(output);
  }
  void rename_graphs(onnx::AttributeProto& attribute) {
    for (onnx::GraphProto& graph : *attribute.mutable_graphs()) rename(graph);
    if (attribute.has_g()) rename(*attribute.mutable_g());
  }

 protected:
  // These may replace the name of a value that is read, or that is defined.
  virtual void use(std::string& name) = 0;
  virtual void define(std::string& name) = 0;

  virtual void rename(onnx::GraphProto& graph) {
    std::unordered_map<std::string, std::string> inputs;
    for (auto& input : *graph.mutable_input()) {
      std::string& made = inputs[input.name()];
      define(*input.mutable_name());
      made = input.name();
    }
    // An initializer with the name of an input is the input's default, and so the same value.
    const auto define_initializer = [&](std::string& name) {
      const auto input = inputs.find(name);
      input == inputs.end() ? define(name) : void(name = input->second);
    };
    for (auto& initializer : *graph.mutable_initializer()) define_initializer(*initializer.mutable_name());
    for (auto& sparse : *graph.mutable_sparse_initializer())
      define_initializer(*sparse.mutable_values()->mutable_name());
    for (onnx::NodeProto& node : *graph.mutable_node()) rename(node);
    for (auto& info : *graph.mutable_value_info()) use(*info.mutable_name());
    for (auto& output : *graph.mutable_output()) use(*output.mutable_name());
  }
};

}  // namespace onnx_lower
