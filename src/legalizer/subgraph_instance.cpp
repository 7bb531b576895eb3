// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/subgraph_instance.h"

#include <unordered_map>
#include <unordered_set>

#include "rules/converted_attribute.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;

class Instantiation {
 public:
  Instantiation(const OuterNames& outer, const AttributeBinding& binding,
                const std::function<std::string(std::string_view)>& fresh)
      : outer_(outer), binding_(binding), fresh_(fresh) {}

  void attribute(AttributeProto& attribute) {
    for (GraphProto& graph : *attribute.mutable_graphs()) this->graph(graph);
    if (attribute.has_g()) graph(*attribute.mutable_g());
  }

 private:
  void graph(GraphProto& graph) {
    const size_t mark = shadowed_.size();
    const auto define = [&](std::string* name) {
      if (name->empty()) return;
      std::string made = fresh_(*name);
      std::string& meaning = names_[*name];
      shadowed_.emplace_back(*name, std::exchange(meaning, made));
      *name = std::move(made);
    };
    // An initializer may also be an input: one value, one name.
    for (auto& input : *graph.mutable_input()) define(input.mutable_name());
    std::unordered_set<std::string> inputs;
    for (const auto& input : graph.input()) inputs.insert(input.name());
    const auto define_initializer = [&](std::string* name) {
      const auto known = names_.find(*name);
      if (known != names_.end() && inputs.contains(known->second)) {
        *name = known->second;
      } else {
        define(name);
      }
    };
    for (auto& initializer : *graph.mutable_initializer()) define_initializer(initializer.mutable_name());
    for (auto& initializer : *graph.mutable_sparse_initializer())
      define_initializer(initializer.mutable_values()->mutable_name());
    for (NodeProto& node : *graph.mutable_node()) this->node(node, define);
    for (auto& info : *graph.mutable_value_info()) rename(info.mutable_name());
    for (auto& output : *graph.mutable_output()) rename(output.mutable_name());
    for (; shadowed_.size() > mark; shadowed_.pop_back())
      names_[shadowed_.back().first] = std::move(shadowed_.back().second);
  }

  template <typename Define>
  void node(NodeProto& node, Define define) {
    for (std::string& input : *node.mutable_input()) rename(&input);
    auto& attributes = *node.mutable_attribute();
    // Those that stay are moved to the front, each past all that do not.
    int kept = 0;
    for (int index = 0; index < attributes.size(); ++index) {
      const bool is_reference = !attributes[index].ref_attr_name().empty();
      if (!bind(attributes[index])) continue;
      // What a reference brings in has the names of the caller.
      if (!is_reference) attribute(attributes[index]);
      if (kept != index) attributes.SwapElements(kept, index);
      ++kept;
    }
    attributes.DeleteSubrange(kept, attributes.size() - kept);
    // As outside of graphs, a node that is called after its first output stays so.
    const bool has_outputs_name = node.output_size() > 0 && node.name() == node.output(0);
    for (std::string& output : *node.mutable_output()) define(&output);
    if (!node.name().empty()) node.set_name(has_outputs_name ? node.output(0) : fresh_(node.name()));
  }

  bool bind(AttributeProto& attribute) const {
    if (attribute.ref_attr_name().empty()) return true;
    const AttributeProto* value = binding_.find(attribute.ref_attr_name());
    if (value == nullptr) return false;
    const std::string name = attribute.name();
    const auto type = attribute.type();
    attribute = *value;
    if (type != AttributeProto::UNDEFINED && type != attribute.type()) {
      if (std::optional<AttributeProto> fitting = converted(attribute, type)) attribute = std::move(*fitting);
    }
    attribute.set_name(name);
    return true;
  }

  void rename(std::string* name) const {
    const auto found = names_.find(*name);
    if (found != names_.end() && !found->second.empty()) {
      *name = found->second;
    } else if (const std::optional<std::string_view> known = outer_(*name)) {
      *name = *known;
    }
  }

  const OuterNames& outer_;
  const AttributeBinding& binding_;
  const std::function<std::string(std::string_view)>& fresh_;
  std::unordered_map<std::string, std::string> names_;  // what the graphs define, and "" where it is defined no more
  std::vector<std::pair<std::string, std::string>>
      shadowed_;  // names of the graphs being walked, and what they meant before
};

}  // namespace

void instantiate_graphs(AttributeProto& attribute, const OuterNames& outer, const AttributeBinding& binding,
                        const std::function<std::string(std::string_view)>& fresh) {
  Instantiation(outer, binding, fresh).attribute(attribute);
}

}  // namespace onnx_lower
