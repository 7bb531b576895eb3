// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/subgraph_instance.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "legalizer/value_renaming.h"
#include "rules/converted_attribute.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;

class Instantiation final : public ValueRenaming {
 public:
  Instantiation(const OuterNames& outer, const AttributeBinding& binding,
                const std::function<std::string(std::string_view)>& fresh)
      : outer_(outer), binding_(binding), fresh_(fresh) {}

 private:
  void rename(GraphProto& graph) override {
    const size_t mark = shadowed_.size();
    ValueRenaming::rename(graph);
    for (; shadowed_.size() > mark; shadowed_.pop_back())
      names_[shadowed_.back().first] = std::move(shadowed_.back().second);
  }

  void rename(NodeProto& node) override {
    // As outside of graphs, a node that is called after its first output stays so.
    const bool has_outputs_name = node.output_size() > 0 && node.name() == node.output(0);
    ValueRenaming::rename(node);
    if (!node.name().empty()) node.set_name(has_outputs_name ? node.output(0) : fresh_(node.name()));
    // What a reference brings in has the names of the caller.
    auto& attributes = *node.mutable_attribute();
    const auto is_unbound = [this](AttributeProto& attribute) { return !bind(attribute); };
    attributes.erase(std::remove_if(attributes.begin(), attributes.end(), is_unbound), attributes.end());
  }

  void define(std::string& name) override {
    if (name.empty()) return;
    std::string made = fresh_(name);
    std::string& meaning = names_[name];
    shadowed_.emplace_back(name, std::exchange(meaning, made));
    name = std::move(made);
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

  void use(std::string& name) override {
    const auto found = names_.find(name);
    if (found != names_.end() && !found->second.empty()) {
      name = found->second;
    } else if (const std::optional<std::string_view> known = outer_(name)) {
      name = *known;
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
  Instantiation(outer, binding, fresh).rename_graphs(attribute);
}

}  // namespace onnx_lower
