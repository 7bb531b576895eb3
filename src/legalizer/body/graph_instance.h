// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The subgraphs of a rule's body, as they stand in the nodes that are made of the body.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "legalizer/body/attribute_binding.h"
#include "legalizer/nodes/value_renaming.h"
#include "onnx/onnx_pb.h"
#include "rules/values/converted_attribute.h"

namespace onnx_lower {

// From a name of the function's own graph to the name in the model, which is "" for a formal input
// that the call leaves out; nullopt if the function's graph has no such name.
using OuterName = std::function<std::optional<std::string_view>(const std::string& name)>;
using FreshName = std::function<std::string(std::string_view name)>;

// Turns the subgraphs in a body, in place, into an instance of them. What they define gets a fresh
// name, and what they capture gets the name that it has outside. References to attributes get their
// values; those without a value are dropped.
class GraphInstance final : public ValueRenaming {
 public:
  GraphInstance(const OuterName& outer, const AttributeBinding& binding, const FreshName& fresh)
      : outer_(outer), binding_(binding), fresh_(fresh) {}

 private:
  void rename(onnx::GraphProto& graph) override {
    const size_t mark = shadowed_.size();
    ValueRenaming::rename(graph);
    for (; shadowed_.size() > mark; shadowed_.pop_back())
      names_[shadowed_.back().first] = std::move(shadowed_.back().second);
  }

  void rename(onnx::NodeProto& node) override {
    // As outside of subgraphs, a node that is called after its first output stays so.
    const bool has_outputs_name = node.output_size() > 0 && node.name() == node.output(0);
    ValueRenaming::rename(node);
    if (!node.name().empty()) node.set_name(has_outputs_name ? node.output(0) : fresh_(node.name()));
    // After the renaming, as a graph that is the value of a reference has the names of the caller.
    auto& attributes = *node.mutable_attribute();
    const auto is_unbound = [this](onnx::AttributeProto& attribute) { return !bind(attribute); };
    attributes.erase(std::remove_if(attributes.begin(), attributes.end(), is_unbound), attributes.end());
  }

  void define(std::string& name) override {
    if (name.empty()) return;
    std::string made = fresh_(name);
    std::string& meaning = names_[name];
    shadowed_.emplace_back(name, std::exchange(meaning, made));
    name = std::move(made);
  }

  bool bind(onnx::AttributeProto& attribute) const {
    if (attribute.ref_attr_name().empty()) return true;
    const onnx::AttributeProto* value = binding_.find(attribute.ref_attr_name());
    if (value == nullptr) return false;
    const std::string name = attribute.name();
    const auto type = attribute.type();
    attribute = *value;
    if (type != onnx::AttributeProto::UNDEFINED && type != attribute.type()) {
      if (std::optional<onnx::AttributeProto> fitting = converted(attribute, type)) attribute = std::move(*fitting);
    }
    attribute.set_name(name);
    return true;
  }

  void use(std::string& name) override {
    const auto found = names_.find(name);
    if (found != names_.end() && !found->second.empty()) {
      name = found->second;
    } else if (const std::optional<std::string_view> known = outer_(name)) {
      name = *known;
    }
  }

  const OuterName& outer_;
  const AttributeBinding& binding_;
  const FreshName& fresh_;
  // From the names that the graphs define to their fresh ones; "" behind the end of the graph.
  std::unordered_map<std::string, std::string> names_;
  // Names that the graphs being walked define, and what the names meant before.
  std::vector<std::pair<std::string, std::string>> shadowed_;
};

}  // namespace onnx_lower
