// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rule_check/lint_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "counted.h"
#include "domain.h"
#include "onnx/checker.h"
#include "onnx/shape_inference/implementation.h"
#include "rule_check/lint_types.h"
#include "rules/values/converted_attribute.h"
#include "standard_operators/node_conditions.h"
#include "standard_operators/operator_role.h"
#include "standard_operators/operator_table.h"
#include "standard_operators/schema_problem.h"
#include "standard_operators/version_change.h"
#include "types/captured_values.h"
#include "types/schema_inference.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;
using onnx::TensorProto;

using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;

// The domain given to opaque nodes, which are hidden from onnx's checker and type inference: their
// operator does not exist at this opset, or one of their attributes has no value.
constexpr const char* opaque_domain = "onnx_lower.opaque";

// The metadata key that marks a node with a required attribute whose value is a stand-in: the real
// value is given by the call, and may be anything.
constexpr const char* stand_in_key = "stands for a value";

// Whether the node, or one in its subgraphs, has an attribute with a stand-in. (An
// opaque node has none.)
bool has_stand_in(const NodeProto& node) {
  const auto holds_one = [](const AttributeProto& attribute) {
    return std::ranges::any_of(attribute.g().node(), has_stand_in);
  };
  const bool is_marked = node.metadata_props_size() > 0 && node.metadata_props(0).key() == stand_in_key;
  return (is_marked && !node.attribute().empty()) || std::ranges::any_of(node.attribute(), holds_one);
}

// The type of a Constant whose value is a stand-in. The length of a list is left unknown.
onnx::TypeProto type_of_stand_in(const NodeProto& constant) {
  onnx::TypeProto type;
  auto& tensor = *type.mutable_tensor_type();
  const AttributeProto& attribute = constant.attribute(0);
  const bool is_list = attribute.type() == AttributeProto::INTS || attribute.type() == AttributeProto::FLOATS;
  const bool is_integer = attribute.type() == AttributeProto::INTS || attribute.type() == AttributeProto::INT;
  tensor.set_elem_type(is_integer ? TensorProto::INT64 : TensorProto::FLOAT);
  tensor.mutable_shape();
  if (is_list) tensor.mutable_shape()->add_dim();
  return type;
}

class BodyCheck {
 public:
  BodyCheck(const Form& form, const HasRule& has_rule)
      : form_(form), has_rule_(has_rule), input_types_(input_types_of(form)) {
    for (const auto& import : form.function.opset_import()) opsets_[import.domain()] = import.version();
    for (const Definition& definition : form.definitions)
      defined_types_[definition.name()] =
          definition.type([this](std::string_view name) { return declared_type(name); });
  }

  std::vector<BodyFault> run() {
    NodeList nodes = form_.function.node();
    for (node_ = 0; node_ < nodes.size(); ++node_) {
      complete(nodes[node_]);
      nodes[node_].set_name(fmt::format("#{}", node_));
    }
    completed_ = nodes;
    check_against_schemas(nodes);
    // Type inference would only report again, in other words, what the checker has reported.
    if (faults_.empty()) infer_types(std::move(nodes));
    return std::move(faults_);
  }

  // The body's nodes after run(): each attribute reference has a value, and nodes that onnx does
  // not know are opaque.
  const NodeList& completed() const { return completed_; }

 private:
  void add(int node, std::string message) { faults_.push_back({node, std::move(message)}); }

  const OperatorVersion* standard_operator(const NodeProto& node) const {
    const auto opset = opsets_.find(node.domain());
    if (opset == opsets_.end()) return nullptr;
    const OperatorVersion* found = find_operator(node.domain(), node.op_type(), opset->second);
    return found == nullptr || found->deprecated ? nullptr : found;
  }

  // Whether onnx knows the operator at the body's opset. If not, there must be a rule for it.
  bool is_known(const NodeProto& node) {
    if (standard_operator(node) != nullptr) return true;
    if (has_rule_(node.domain(), node.op_type())) return false;
    const std::string name = operator_name(node.domain(), node.op_type());
    if (!is_standard_domain(node.domain())) {
      add(node_, fmt::format("there is no rule for {}", name));
      return false;
    }
    const auto versions = operator_versions(node.domain(), node.op_type());
    const int64_t opset = opsets_[node.domain()];
    if (versions.empty()) {
      std::string similar;
      for (const std::string_view other : similar_operators(node.domain(), node.op_type()))
        similar += fmt::format("{}{}", similar.empty() ? ": did you mean " : ", ", other);
      add(node_,
          fmt::format("{} is no operator, and there is no rule for it{}{}", name, similar, similar.empty() ? "" : "?"));
    } else if (versions.front().since_version > opset) {
      add(node_, fmt::format("{} exists from opset {} on, the header says {}, and there is no rule for it", name,
                             versions.front().since_version, opset));
    } else {
      add(node_, fmt::format("{} is deprecated at opset {}, and there is no rule for it", name, opset));
    }
    return false;
  }

  AttributeProto::AttributeType declared_type(std::string_view name) const {
    if (const DeclaredAttribute* declared = form_.attribute(name)) return declared->type;
    for (const BoundAttribute& bound : form_.bound) {
      if (bound.name != name) continue;
      if (bound.kind == BoundAttribute::Kind::dims) return AttributeProto::INTS;
      if (bound.kind == BoundAttribute::Kind::value) return AttributeProto::UNDEFINED;
      return AttributeProto::INT;
    }
    const auto defined = defined_types_.find(name);
    return defined == defined_types_.end() ? AttributeProto::UNDEFINED : defined->second;
  }

  static bool converts(AttributeProto::AttributeType from, AttributeProto::AttributeType to) {
    if (from == AttributeProto::UNDEFINED || to == AttributeProto::UNDEFINED || from == to) return true;
    switch (to) {
      case AttributeProto::FLOAT:
        return from == AttributeProto::INT;
      case AttributeProto::INTS:
        return from == AttributeProto::INT;
      case AttributeProto::FLOATS:
        return from == AttributeProto::FLOAT || from == AttributeProto::INT;
      case AttributeProto::STRINGS:
        return from == AttributeProto::STRING;
      default:
        return false;
    }
  }

  // Gives every attribute reference a value. A node becomes opaque, as do the nodes around it, if
  // one of its references cannot get a value or if onnx does not know its operator.
  bool complete(NodeProto& node) {
    bool opaque = !is_known(node);
    const OperatorVersion* schema = standard_operator(node);
    auto& attributes = *node.mutable_attribute();
    for (int i = 0; i < attributes.size();) {
      AttributeProto& attribute = attributes[i];
      if (attribute.has_g()) {
        for (NodeProto& inner : *attribute.mutable_g()->mutable_node()) opaque |= complete(inner);
      }
      if (attribute.ref_attr_name().empty()) {
        ++i;
        continue;
      }
      const std::string reference = attribute.ref_attr_name();
      const OperatorAttribute* asked = schema == nullptr ? nullptr : schema->attribute(attribute.name());
      const auto wanted =
          asked == nullptr ? AttributeProto::UNDEFINED : static_cast<AttributeProto::AttributeType>(asked->type);
      if (!converts(declared_type(reference), wanted)) {
        add(node_, fmt::format("attribute {} of {} is of type {}, and {} is {}", attribute.name(), node.op_type(),
                               attribute_type_name(wanted), reference, attribute_type_name(declared_type(reference))));
      }
      if (schema != nullptr && asked == nullptr) {
        add(node_, fmt::format("{} has no attribute {} at this opset", node.op_type(), attribute.name()));
      }
      if (auto value =
              value_of(reference, wanted,
                       role_of(node.op_type()) == OperatorRole::constant || (asked != nullptr && asked->required))) {
        value->set_name(attribute.name());
        attribute = *std::move(value);
        if (!is_known_attribute(reference)) node.add_metadata_props()->set_key(stand_in_key);
        ++i;
      } else if (asked != nullptr && !asked->required && role_of(node.op_type()) != OperatorRole::constant) {
        attributes.DeleteSubrange(i, 1);
      } else {
        opaque = true;
        ++i;
      }
    }
    if (opaque) {
      node.set_domain(opaque_domain);
      node.clear_attribute();
    }
    return opaque;
  }

  // Whether the value that value_of() returns is certain: it is a default, or the element type of
  // an input, whose type is chosen by the same means.
  bool is_known_attribute(std::string_view name) const {
    const DeclaredAttribute* declared = form_.attribute(name);
    if (declared != nullptr) return form_.default_of(*declared) != nullptr;
    return std::ranges::any_of(form_.bound, [&](const BoundAttribute& bound) {
      return bound.name == name && bound.kind == BoundAttribute::Kind::dtype;
    });
  }

  // A likely value for the attribute; nothing when there is none. With `must`, any value of the
  // right type is returned if need be.
  std::optional<AttributeProto> value_of(const std::string& name, AttributeProto::AttributeType wanted,
                                         bool must) const {
    if (const DeclaredAttribute* declared = form_.attribute(name)) {
      if (const AttributeProto* value = form_.default_of(*declared)) {
        const bool fits = wanted == AttributeProto::UNDEFINED || wanted == value->type();
        return fits ? *value : converted(*value, wanted).value_or(*value);
      }
    }
    AttributeProto value;
    value.set_type(wanted);
    for (const BoundAttribute& bound : form_.bound) {
      if (bound.name != name || bound.kind != BoundAttribute::Kind::dtype) continue;
      const std::string& input = bound.value_name;
      const auto known = input_types_.find(input);
      value.set_type(AttributeProto::INT);
      value.set_i(known == input_types_.end() ? TensorProto::FLOAT : known->second.tensor_type().elem_type());
      return value;
    }
    if (!must) return std::nullopt;
    switch (wanted) {
      case AttributeProto::FLOAT:
        value.set_f(0.5F);
        return value;
      case AttributeProto::INT:
        value.set_i(1);
        return value;
      case AttributeProto::FLOATS:
        value.add_floats(0.5F);
        return value;
      case AttributeProto::INTS:
        value.add_ints(1);
        return value;
      default:
        return std::nullopt;
    }
  }

  // --- onnx's checker and type inference ---

  // Here the message is ours, as onnx's is not clear. Returns whether the counts are right.
  bool check_counts(int index, const NodeProto& node) {
    const OperatorVersion* schema = standard_operator(node);
    if (schema == nullptr) return true;
    if (node.input_size() < schema->min_inputs || node.input_size() > schema->max_inputs) {
      add(index, fmt::format("{} is given {}, and takes {}", node.op_type(), counted(node.input_size(), "input"),
                             counts_between(schema->min_inputs, schema->max_inputs)));
      return false;
    }
    if (node.output_size() < schema->min_outputs || node.output_size() > schema->max_outputs) {
      add(index, fmt::format("{} is given {}, and makes {}", node.op_type(), counted(node.output_size(), "output"),
                             counts_between(schema->min_outputs, schema->max_outputs)));
      return false;
    }
    return true;
  }

  // Why the node, or one in its subgraphs, cannot be made, for reasons that onnx's
  // checker does not know.
  std::string made_problem(const NodeProto& node) const {
    const OperatorVersion* version = standard_operator(node);
    std::string problem;
    if (version != nullptr) problem = schema_problem(node, *version);
    if (version != nullptr && problem.empty()) problem = condition_problem(node, *version);
    for (const AttributeProto& attribute : node.attribute()) {
      for (const NodeProto& inner : attribute.g().node()) {
        if (problem.empty()) problem = made_problem(inner);
      }
    }
    return problem;
  }

  void check_against_schemas(const NodeList& nodes) {
    onnx::checker::CheckerContext context;
    context.set_ir_version(onnx::IR_VERSION);
    context.set_is_main_graph(false);
    std::unordered_map<std::string, int> imports{{opaque_domain, 1}};
    for (const auto& [domain, version] : opsets_) imports[domain] = static_cast<int>(version);
    context.set_opset_imports(imports);
    onnx::checker::LexicalScopeContext scope;
    for (const std::string& input : form_.function.input()) scope.add(input);
    for (int i = 0; i < nodes.size(); ++i) {
      try {
        if (check_counts(i, nodes[i])) {
          onnx::checker::check_node(nodes[i], context, scope);
          if (std::string problem = made_problem(form_.function.node(i)); !problem.empty()) add(i, std::move(problem));
        }
      } catch (const std::exception& error) {
        add(i, inference_problem(error.what()));
      }
      for (const std::string& output : nodes[i].output()) scope.add(output);
    }
  }

  void infer_types(NodeList nodes) {
    onnx::ModelProto model;
    model.set_ir_version(onnx::IR_VERSION);
    opsets_[opaque_domain] = 1;
    for (const auto& [domain, version] : opsets_) {
      auto* import = model.add_opset_import();
      import->set_domain(domain);
      import->set_version(version);
    }
    GraphProto& graph = *model.mutable_graph();
    graph.set_name(form_.function.name());
    for (const std::string& input : form_.function.input()) {
      onnx::ValueInfoProto* info = graph.add_input();
      info->set_name(input);
      if (const auto type = input_types_.find(input); type != input_types_.end()) *info->mutable_type() = type->second;
    }
    for (NodeProto& node : nodes) {
      const bool is_open = has_stand_in(node);
      if (is_open && role_of(node.op_type()) == OperatorRole::constant) {
        onnx::ValueInfoProto* info = graph.add_input();
        info->set_name(node.output(0));
        *info->mutable_type() = type_of_stand_in(node);
        continue;
      }
      if (is_open) {
        node.set_domain(opaque_domain);
        node.clear_attribute();
      }
      *graph.add_node() = std::move(node);
    }
    try {
      onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                         onnx::ShapeInferenceOptions(true, 1, true));
    } catch (const std::exception& error) {
      add_inference_errors(error.what());
    }
  }

  // Parses "[ShapeInferenceError] Inference error(s): (op_type:Add, node name: #3): …", which has
  // one entry for each node.
  void add_inference_errors(std::string_view text) {
    constexpr std::string_view mark = "(op_type:";
    std::size_t begin = text.find(mark);
    if (begin == std::string_view::npos) add(-1, inference_problem(text));
    while (begin != std::string_view::npos) {
      const std::size_t next = text.find(mark, begin + 1);
      const std::string_view entry = text.substr(begin, next == std::string_view::npos ? next : next - begin);
      begin = next;
      const std::size_t number = entry.find('#');
      const std::size_t message = entry.find("): ");
      int node = -1;
      if (number != std::string_view::npos)
        std::from_chars(entry.data() + number + 1, entry.data() + entry.size(), node);
      const std::string reason =
          inference_problem(message == std::string_view::npos ? entry : entry.substr(message + 3));
      // An entry for a node in a subgraph precedes that of the outermost node which holds it.
      if (node < 0 && begin != std::string_view::npos) continue;
      add(node, fmt::format("type inference: {}", reason));
    }
  }

  const Form& form_;
  const HasRule& has_rule_;
  const std::map<std::string, onnx::TypeProto> input_types_;
  std::map<std::string, int64_t, std::less<>> opsets_;
  // The types of the form's definitions.
  std::map<std::string, AttributeProto::AttributeType, std::less<>> defined_types_;
  std::vector<BodyFault> faults_;
  NodeList completed_;
  int node_ = 0;
};

// The facts of a node of which only the model's opset is known.
class OpsetFacts : public ConditionFacts {
 public:
  explicit OpsetFacts(int64_t opset) : opset_(opset) {}
  bool is_given(std::string_view) const override { return true; }
  std::optional<bool> is_constant(std::string_view) const override { return true; }
  bool is_present(std::string_view) const override { return true; }
  int64_t opset() const override { return opset_; }

 private:
  int64_t opset_;
};

// The body as it reads in a model of another opset. A node that does not mean the same at that
// opset needs another rule, and is opaque here. `versions` gets the versions of the outermost
// nodes' operators at that opset.
Form body_at(const Form& form, const NodeList& completed, int64_t header, int64_t opset,
             std::vector<const OperatorVersion*>& versions) {
  Form other = form;
  *other.function.mutable_node() = completed;
  for (auto& import : *other.function.mutable_opset_import()) {
    if (import.domain().empty()) import.set_version(opset);
  }
  for (NodeProto& node : *other.function.mutable_node()) {
    const OperatorVersion* own = find_operator(node.domain(), node.op_type(), header);
    const OperatorVersion* there = find_operator(node.domain(), node.op_type(), opset);
    if (there != nullptr && there->deprecated) there = nullptr;
    versions.push_back(there);
    if (!node.domain().empty() || own == nullptr || own == there) continue;
    const VersionChange change = there == nullptr
                                     ? VersionChange{.reason = "absent", .dropped = {}, .added = {}, .left_out = {}}
                                     : version_change(node, *own, *there);
    if (change.is_possible()) {
      apply(change, node);
    } else {
      node.set_domain(opaque_domain);
      node.clear_attribute();
    }
  }
  return other;
}

}  // namespace

std::vector<BodyFault> body_faults(const Form& form, const HasRule& has_rule) {
  BodyCheck check(form, has_rule);
  std::vector<BodyFault> faults = check.run();
  const auto& imports = form.function.opset_import();
  const auto header =
      std::find_if(imports.begin(), imports.end(), [](const auto& import) { return import.domain().empty(); });
  // Nodes in subgraphs may read differently at other opsets, too, which is not checked here: bodies
  // with subgraphs are skipped.
  if (!faults.empty() || header == imports.end() || std::ranges::any_of(check.completed(), has_body)) return faults;
  // Older models are rare, and had few operators for integers. An opset at which all nodes have the
  // same versions as at one that was checked tells nothing new.
  constexpr int64_t oldest = 9;
  std::set<std::vector<const OperatorVersion*>> seen;
  for (int64_t opset = newest_opset(""); opset >= oldest; --opset) {
    if (form.where && form.where->evaluate(OpsetFacts(opset)).truth == ConditionResult::Truth::no) continue;
    std::vector<const OperatorVersion*> versions;
    const Form other = body_at(form, check.completed(), header->version(), opset, versions);
    if (!seen.insert(std::move(versions)).second) continue;
    const HasRule any_rule = [](std::string_view, std::string_view) { return true; };
    faults = BodyCheck(other, any_rule).run();
    for (BodyFault& fault : faults) fault.message = fmt::format("in a model of opset {}: {}", opset, fault.message);
    if (!faults.empty()) return faults;
  }
  return faults;
}

}  // namespace onnx_lower
