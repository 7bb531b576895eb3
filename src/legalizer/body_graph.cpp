#include "legalizer/body_graph.h"

#include <unordered_set>

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;

template <typename Visit>
void for_each_graph(const AttributeProto& attribute, Visit visit) {
  for (const GraphProto& graph : attribute.graphs()) visit(graph);
  if (attribute.has_g()) visit(attribute.g());
}

void collect_captured(const GraphProto& graph, std::unordered_set<std::string> defined, std::unordered_set<std::string>& seen,
                      std::vector<std::string>& captured) {
  const auto use = [&](const std::string& name) {
    if (!name.empty() && !defined.contains(name) && seen.insert(name).second) captured.push_back(name);
  };
  for (const auto& input : graph.input()) defined.insert(input.name());
  for (const auto& initializer : graph.initializer()) defined.insert(initializer.name());
  for (const auto& initializer : graph.sparse_initializer()) defined.insert(initializer.values().name());
  for (const NodeProto& node : graph.node()) {
    for (const std::string& input : node.input()) use(input);
    for (const AttributeProto& attribute : node.attribute()) {
      for_each_graph(attribute, [&](const GraphProto& inner) { collect_captured(inner, defined, seen, captured); });
    }
    for (const std::string& output : node.output()) defined.insert(output);
  }
  for (const auto& output : graph.output()) use(output.name());
}

class Instantiation {
 public:
  Instantiation(const AttributeBinding& binding, const std::function<std::string(std::string_view)>& fresh) : binding_(binding), fresh_(fresh) {}

  void attribute(AttributeProto& attribute, const GraphNames& outer) {
    for (GraphProto& graph : *attribute.mutable_graphs()) this->graph(graph, outer);
    if (attribute.has_g()) graph(*attribute.mutable_g(), outer);
  }

 private:
  void graph(GraphProto& graph, GraphNames names) {
    const auto define = [&](std::string* name) {
      if (name->empty()) return;
      std::string made = fresh_(*name);
      names[*name] = made;
      *name = std::move(made);
    };
    // An initializer may also be an input: one value, one name.
    for (auto& input : *graph.mutable_input()) define(input.mutable_name());
    std::unordered_set<std::string> inputs;
    for (const auto& input : graph.input()) inputs.insert(input.name());
    const auto define_initializer = [&](std::string* name) {
      const auto known = names.find(*name);
      if (known != names.end() && inputs.contains(known->second)) {
        *name = known->second;
      } else {
        define(name);
      }
    };
    for (auto& initializer : *graph.mutable_initializer()) define_initializer(initializer.mutable_name());
    for (auto& initializer : *graph.mutable_sparse_initializer()) define_initializer(initializer.mutable_values()->mutable_name());
    for (NodeProto& node : *graph.mutable_node()) this->node(node, names, define);
    for (auto& info : *graph.mutable_value_info()) rename(info.mutable_name(), names);
    for (auto& output : *graph.mutable_output()) rename(output.mutable_name(), names);
  }

  template <typename Define>
  void node(NodeProto& node, const GraphNames& names, Define define) {
    for (std::string& input : *node.mutable_input()) rename(&input, names);
    auto& attributes = *node.mutable_attribute();
    for (int index = 0; index < attributes.size();) {
      if (!bind(attributes[index])) {
        attributes.DeleteSubrange(index, 1);
        continue;
      }
      attribute(attributes[index], names);
      ++index;
    }
    for (std::string& output : *node.mutable_output()) define(&output);
    if (!node.name().empty()) node.set_name(fresh_(node.name()));
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

  static void rename(std::string* name, const GraphNames& names) {
    const auto found = names.find(*name);
    if (found != names.end()) *name = found->second;
  }

  const AttributeBinding& binding_;
  const std::function<std::string(std::string_view)>& fresh_;
};

}  // namespace

std::vector<std::string> captured_names(const AttributeProto& attribute) {
  std::unordered_set<std::string> seen;
  std::vector<std::string> captured;
  for_each_graph(attribute, [&](const GraphProto& graph) { collect_captured(graph, {}, seen, captured); });
  return captured;
}

void instantiate_graphs(AttributeProto& attribute, const GraphNames& outer, const AttributeBinding& binding,
                        const std::function<std::string(std::string_view)>& fresh) {
  Instantiation(binding, fresh).attribute(attribute, outer);
}

}  // namespace onnx_lower
