// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "check/check_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "check/node_order.h"
#include "counted.h"
#include "domain.h"
#include "error.h"
#include "model_file/attribute_head.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "model_file/tensor_skeleton.h"
#include "standard_operators/operator_role.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// Names that must be distinct. The linear search suffices, as few nodes have more
// than a few attributes.
class DistinctNames {
 public:
  // Returns false when the name was there already.
  bool add(std::string_view name) {
    if (count_ < few_.size()) {
      const auto end = few_.begin() + static_cast<ptrdiff_t>(count_);
      if (std::find(few_.begin(), end, name) != end) return false;
      few_[count_++] = name;
      return true;
    }
    if (many_.empty()) many_.insert(few_.begin(), few_.end());
    return many_.insert(name).second;
  }

 private:
  std::array<std::string_view, 16> few_;
  size_t count_ = 0;
  std::unordered_set<std::string_view> many_;
};

// Whether a declared shape and dimensions agree. A dimension that is a name, is missing, or is
// negative (some exporters write that for an unknown one) agrees with any number.
bool fits(const onnx::TensorShapeProto& shape, const std::vector<int64_t>& dims) {
  return std::ranges::equal(shape.dim(), dims, [](const auto& declared, int64_t size) {
    return !declared.has_dim_value() || declared.dim_value() < 0 || declared.dim_value() == size;
  });
}

// Why a graph input and the initializer that is its default do not agree, to be put behind "graph
// input 'x' "; empty if they agree. `input` is a ValueInfoProto, `initializer` a TensorProto.
std::string fault_of_default(Bytes input, Bytes initializer) {
  onnx::ValueInfoProto declared;
  if (!parse_message(declared, input) || declared.type().value_case() == onnx::TypeProto::VALUE_NOT_SET) return {};
  const TensorFacts tensor = read_tensor_facts(initializer);
  if (!declared.type().has_tensor_type()) return "is no tensor, and has a tensor as initializer";
  const onnx::TypeProto::Tensor& type = declared.type().tensor_type();
  if (type.elem_type() != tensor.data_type) {
    return fmt::format("is {}, and its initializer is {}", element_type_text(type.elem_type()),
                       element_type_text(tensor.data_type));
  }
  if (type.has_shape() && !fits(type.shape(), tensor.dims)) {
    return fmt::format("has the shape [{}], and its initializer has [{}]",
                       fmt::join(dimension_texts(type.shape()), ", "), fmt::join(tensor.dims, ", "));
  }
  return {};
}

// Visits the declarations in a graph that would be written with an undefined element type, as
// exporters write them for outputs of custom operators. `visit` gets the name of the value and what
// piece of the graph the declaration is.
template <typename Visit>
void for_each_undefined(const Graph& graph, const Visit& visit) {
  for (const GraphPiece& piece : graph.pieces) {
    const bool may_be = piece.kind == GraphPiece::Kind::untyped_output ||
                        piece.kind == GraphPiece::Kind::untyped_value_info ||
                        piece.kind == GraphPiece::Kind::incomplete_input;
    if (!may_be || piece.bytes.empty()) continue;
    const Declaration declared = read_declaration(content_of(piece.bytes), 0);
    if (declared.type == DeclaredType::undefined) visit(declared.name, piece.kind);
  }
}

class ModelCheck {
 public:
  // `compared` has the versions with which the nodes were compared in an earlier check.
  ModelCheck(const Model& model, const ComparedVersions& compared) : model_(model), compared_(compared) {}

  void run() {
    if (model_.ir_version > onnx::Version::IR_VERSION) {
      fail(
          fmt::format("its ir_version is {}, and the newest that is known is {}: update onnx-lower, or export the "
                      "model for an older version of ONNX",
                      model_.ir_version, static_cast<int>(onnx::Version::IR_VERSION)));
    }
    check_imports();
    check_functions();
    look_up_operators();
    defined_in_.assign(model_.values().size(), no_scope);
    is_open_.assign(1, false);
    check_graph(model_.graph);
    for (const Function& function : model_.functions) {
      if (!function.dropped) check_function(function);
    }
    // The element types of a custom operator's outputs, and of what is computed from these, are
    // known only when the operator has been lowered.
    if (!undefined_.empty() && !has_custom_nodes_) fail(undefined_);
  }

  ComparedVersions versions() const {
    ComparedVersions versions;
    for (const KnownOperator& known : operators_) versions.push_back(known.version);
    return versions;
  }

  // Throws a fault with the place of the current graph, unless that is the main graph.
  template <typename Fault = InvalidInput>
  [[noreturn]] void fail(const std::string& problem) const {
    std::string place;
    if (function_ != nullptr) place = fmt::format("{}: ", describe(*function_));
    for (const Node* holder : holders_) place += fmt::format("in a graph of {}: ", describe(*holder));
    throw Fault(fmt::format("{}: {}{}", model_.input().path(), place, problem));
  }

 private:
  // Scopes are numbered as they are entered. A value is visible while the last scope that defined
  // it is open, which is until the scope is left.
  static constexpr uint32_t no_scope = 0;
  // A bit in addition to the number of the scope: an initializer of that name is there.
  static constexpr uint32_t initialized = uint32_t{1} << 31;

  // A definition that is hidden by one in an inner scope until that scope is left.
  struct Shadowed {
    ValueId value;
    uint32_t scope;
  };

  // What is known of an operator at the model's opset.
  struct KnownOperator {
    bool is_standard = false;  // the domain is a standard one
    bool is_constant = false;
    const OperatorVersion* version = nullptr;
    bool is_new = true;  // no earlier check compared its nodes with this version
    size_t required_attributes = 0;
  };

  std::string describe(const Node& node) const {
    const Operator& op = model_.op(node.op);
    if (!node.name.empty()) return fmt::format("node '{}' ({})", node.name, operator_name(op.domain, op.op_type));
    const bool has_output = !node.outputs().empty() && node.outputs()[0] != absent_value;
    return fmt::format("the node ({}) that makes '{}'", operator_name(op.domain, op.op_type),
                       has_output ? model_.value_name(node.outputs()[0]) : "nothing");
  }

  void check_imports() const {
    if (model_.opset_imports.empty()) fail("it imports no operator set, and so says of no operator what it means");
    check_imports_of("it", model_.opset_imports);
  }

  static std::string describe(const Function& function) {
    return fmt::format("function {}", operator_name(function.domain, function.name));
  }

  // Checks that the imported versions exist, and that no domain is imported in two versions:
  // readers do not agree on whether the last or the highest one counts.
  void check_imports_of(const std::string& who, const std::vector<OpsetImport>& imports) const {
    std::unordered_map<std::string_view, int64_t> versions;
    for (const OpsetImport& import : imports) {
      const int64_t newest = newest_opset(import.domain());
      if (newest != 0 && (import.version() < 1 || import.version() > newest)) {
        fail(fmt::format("{} imports version {} of {}, and the newest that is known is {}", who, import.version(),
                         shown_domain(import.domain()), newest));
      }
      const auto [first, is_new] = versions.try_emplace(import.domain(), import.version());
      if (!is_new && first->second != import.version()) {
        fail(fmt::format("{} imports {} twice, in the versions {} and {}", who, shown_domain(import.domain()),
                         first->second, import.version()));
      }
    }
  }

  void check_function(const Function& function) {
    check_imports_of(describe(function), function.opset_imports);
    function_ = &function;
    imported_by_function_.clear();
    for (const OpsetImport& import : function.opset_imports) imported_by_function_.insert(import.domain());
    check_graph(function.body);
    function_ = nullptr;
  }

  // Rejects two different functions for the same operator, since nothing says which of
  // them a node means.
  void check_functions() const {
    std::unordered_map<Operator, const Function*, HashOfOperator> known;
    known.reserve(model_.functions.size());
    for (const Function& function : model_.functions) {
      if (function.dropped) continue;
      const auto [first, is_new] =
          known.try_emplace(Operator{function.domain, function.name, function.overload}, &function);
      if (!is_new && first->second->body.wire != function.body.wire)
        fail(fmt::format("function {} is there twice", operator_name(function.domain, function.name)));
    }
  }

  bool is_visible(ValueId value) const { return is_open_[defined_in_[value] & ~initialized]; }

  void define(ValueId value, uint32_t scope) {
    if (is_visible(value) && (defined_in_[value] & ~initialized) != scope) {
      shadowed_.push_back({value, defined_in_[value]});
    }
    defined_in_[value] = scope;
  }

  void initialize(ValueId value, uint32_t scope) {
    if (value == absent_value) fail("an initializer has no name");
    if (defined_in_[value] == (scope | initialized))
      fail(fmt::format("initializer '{}' is there twice", model_.value_name(value)));
    define(value, scope);
    defined_in_[value] |= initialized;
  }

  void check_graph(const Graph& graph) {
    const auto scope = static_cast<uint32_t>(is_open_.size());
    is_open_.push_back(true);
    const size_t mark = shadowed_.size();
    check_inputs(graph, scope);
    for_each_own_node(graph, [&](const Node& node) { check_node(graph, node, scope); });
    for (const ValueInfo& output : graph.outputs) {
      if ((defined_in_[output.value] & ~initialized) != scope)
        fail(fmt::format("graph output '{}' is made by no node", model_.value_name(output.value)));
    }
    check_declared_types(graph, scope);
    is_open_[scope] = false;
    for (; shadowed_.size() > mark; shadowed_.pop_back()) defined_in_[shadowed_.back().value] = shadowed_.back().scope;
  }

  // Checks graph inputs and initializers. An initializer with the name of an input
  // is the input's default.
  void check_inputs(const Graph& graph, uint32_t scope) {
    for (const ValueInfo& input : graph.inputs) {
      if (input.value == absent_value) fail(graph.is_function ? "an input has no name" : "a graph input has no name");
      if (defined_in_[input.value] == scope)
        fail(fmt::format("graph input '{}' is declared twice", model_.value_name(input.value)));
      define(input.value, scope);
    }
    std::unordered_map<ValueId, const ValueInfo*> inputs;  // filled when it is first needed
    for (const TensorSkeleton& initializer : graph.initializers) {
      if (defined_in_[initializer.value] == scope) {
        if (inputs.empty()) {
          for (const ValueInfo& input : graph.inputs) inputs.emplace(input.value, &input);
        }
        const std::string fault = fault_of_default(inputs.at(initializer.value)->wire, initializer.wire);
        if (!fault.empty()) fail(fmt::format("graph input '{}' {}", model_.value_name(initializer.value), fault));
      }
      initialize(initializer.value, scope);
    }
    for (const ValueId initializer : graph.sparse_initializers) initialize(initializer, scope);
    if (&graph != &model_.graph) return;
    for (const ValueInfo& input : graph.inputs) {
      const bool has_default = (defined_in_[input.value] & initialized) != 0;
      if (input.type == DeclaredType::none && !has_default)
        fail(fmt::format("graph input '{}' does not say of what type it is", model_.value_name(input.value)));
      if (input.type == DeclaredType::undefined)
        fail(fmt::format("the type of graph input '{}' leaves an element type undefined",
                         model_.value_name(input.value)));
    }
  }

  void check_declared_types(const Graph& graph, uint32_t scope) {
    const auto is_wrong = [](const ValueInfo& declared) { return declared.type == DeclaredType::wrong; };
    const auto complain = [&](const char* what, const ValueInfo& declared) {
      fail(fmt::format("the type of {} '{}' {}", what, model_.value_name(declared.value),
                       fault_of_declared_type(declared.wire)));
    };
    for (const ValueInfo& input : graph.inputs) {
      if (is_wrong(input)) complain("graph input", input);
    }
    for (const ValueInfo& output : graph.outputs) {
      if (is_wrong(output)) complain("graph output", output);
    }
    // Readers use the value_info of values that nodes make and take. For graph inputs, outputs and
    // initializers, other declarations count.
    std::optional<std::unordered_set<ValueId>> declared_otherwise;  // filled when first needed
    const auto counts = [&](ValueId value) {
      if (!is_visible(value) || defined_in_[value] == (scope | initialized)) return false;
      if (!declared_otherwise) {
        declared_otherwise.emplace();
        for (const ValueInfo& input : graph.inputs) declared_otherwise->insert(input.value);
        for (const ValueInfo& output : graph.outputs) declared_otherwise->insert(output.value);
      }
      return !declared_otherwise->contains(value);
    };
    for (const ValueInfo& info : graph.value_infos) {
      if (is_wrong(info) && counts(info.value)) complain("value", info);
    }
    if (!undefined_.empty()) return;
    for_each_undefined(graph, [&](std::string_view name, GraphPiece::Kind kind) {
      const std::optional<ValueId> value = model_.values().find(name);
      if (value && (kind != GraphPiece::Kind::untyped_value_info || counts(*value)))
        undefined_ = fmt::format("the type that is declared of '{}' leaves an element type undefined", name);
    });
  }

  void check_node(const Graph& graph, const Node& node, uint32_t scope) {
    for (const ValueId input : node.inputs()) {
      if (input != absent_value && !is_visible(input)) fail_undefined(graph, node, input);
    }
    if (node.bodies) check_bodies(node);
    for (const ValueId output : node.outputs()) {
      if (output == absent_value) continue;
      // A node must not even define a value that is visible from the graphs around its own.
      if (is_visible(output)) {
        fail(fmt::format("{} makes '{}', which is defined before it", describe(node), model_.value_name(output)));
      }
      defined_in_[output] = scope;
    }
    check_against_schema(node);
  }

  void check_bodies(const Node& node) {
    const bool has_schema = operators_[node.op].version != nullptr;
    for (const Graph& body : node.bodies->graphs) {
      if (has_schema && body.name.empty()) fail(fmt::format("a graph of {} has no name", describe(node)));
    }
    holders_.push_back(&node);
    for (const Graph& body : node.bodies->graphs) check_graph(body);
    holders_.pop_back();
  }

  [[noreturn]] void fail_undefined(const Graph& graph, const Node& node, ValueId input) const {
    for_each_own_node(graph, [&](const Node& other) {
      for (const ValueId output : other.outputs()) {
        if (output == input) {
          fail<UndefinedValue>(
              fmt::format("{} uses '{}' before {} makes it: the nodes are not in order, or form a cycle",
                          describe(node), model_.value_name(input), describe(other)));
        }
      }
    });
    fail<UndefinedValue>(fmt::format("{} uses '{}', which nothing makes", describe(node), model_.value_name(input)));
  }

  void look_up_operators() {
    std::unordered_set<Operator, HashOfOperator> functions;
    functions.reserve(model_.functions.size());
    for (const Function& function : model_.functions) functions.insert({function.domain, function.name, {}});
    // If a function imports a domain several times, it imports the same version each time, so that
    // any of these imports will do.
    std::unordered_map<std::string_view, int64_t> opsets;
    for (const OpsetImport& import : model_.opset_imports) opsets.emplace(import.domain(), import.version());
    operators_.resize(model_.operator_count());
    for (OperatorId id = 0; id < operators_.size(); ++id) {
      const Operator& op = model_.op(id);
      KnownOperator& known = operators_[id];
      known.is_standard = is_standard_domain(op.domain);
      const auto opset = opsets.find(op.domain);
      const bool is_imported = known.is_standard && opset != opsets.end();
      const OperatorVersion* version = is_imported ? find_operator(op.domain, op.op_type, opset->second) : nullptr;
      if (version != nullptr && (version->deprecated || functions.contains({op.domain, op.op_type, {}})))
        version = nullptr;
      known.is_new = id >= compared_.size() || compared_[id] != version;
      known.version = version;
      if (version == nullptr) continue;
      known.is_constant = version->domain.empty() && role_of(version->name) == OperatorRole::constant;
      known.required_attributes =
          static_cast<size_t>(std::count_if(version->attributes.begin(), version->attributes.end(),
                                            [](const auto& declared) { return declared.required; }));
    }
  }

  // Whether the node's bytes are part of the input: those of nodes that are
  // made here are elsewhere.
  bool is_as_read(const Node& node) const {
    const Bytes input = model_.input().bytes();
    return !std::less<>()(node.wire.data(), input.data()) &&
           std::less<>()(node.wire.data(), input.data() + input.size());
  }

  // Nodes of a function are checked when they are lowered, since a function may import other
  // versions than the model, and its attributes may be references.
  void check_in_function(const Node& node) const {
    const std::string_view domain = model_.op(node.op).domain;
    if (!operators_[node.op].is_standard || imported_by_function_.contains(domain)) return;
    fail(fmt::format("{} is of an operator set that the function does not import", describe(node)));
  }

  void check_against_schema(const Node& node) {
    if (function_ != nullptr) return check_in_function(node);
    if (node.opsets != own_opsets) return;
    const KnownOperator& known = operators_[node.op];
    const OperatorVersion* schema = known.version;
    has_custom_nodes_ |= schema == nullptr;
    if (schema == nullptr || (!known.is_new && is_as_read(node))) return;
    const auto inputs = static_cast<int>(node.inputs().size());
    const auto outputs = static_cast<int>(node.outputs().size());
    if (inputs < schema->min_inputs || inputs > schema->max_inputs) {
      fail(fmt::format("{} has {} inputs, and the operator takes {}", describe(node), inputs,
                       counts_between(schema->min_inputs, schema->max_inputs)));
    }
    if (outputs < schema->min_outputs || outputs > schema->max_outputs) {
      fail(fmt::format("{} has {} outputs, and the operator makes {}", describe(node), outputs,
                       counts_between(schema->min_outputs, schema->max_outputs)));
    }
    for (int index = 0; index < inputs; ++index) {
      const OperatorParameter* parameter = schema->input(index);
      if (node.inputs()[static_cast<size_t>(index)] == absent_value && parameter != nullptr &&
          parameter->kind == ParameterKind::single) {
        fail(fmt::format("{} lacks its input '{}'", describe(node), parameter->name));
      }
    }
    for (int index = 0; index < outputs; ++index) {
      if (node.outputs()[static_cast<size_t>(index)] != absent_value) continue;
      const OperatorParameter* parameter = schema->output(index);
      if (parameter != nullptr && parameter->kind == ParameterKind::single)
        fail(fmt::format("{} gives its output '{}' no name", describe(node), parameter->name));
    }
    check_attributes(node, known);
  }

  void check_attributes(const Node& node, const KnownOperator& known) const {
    const OperatorVersion& schema = *known.version;
    size_t required = known.required_attributes;
    if (!node.has_attributes && known.is_constant) fail(fmt::format("{} has no value", describe(node)));
    if (!node.has_attributes && required == 0) return;
    DistinctNames names;
    WireField field;
    for (WireReader reader(node.wire); reader.next(field);) {
      if (field.tag != delimited_tag(field::Node::attribute)) continue;
      const AttributeHead head = read_attribute_head(field.content);
      if (!names.add(head.name)) fail(fmt::format("{} has the attribute '{}' twice", describe(node), head.name));
      check_attribute(node, head);
      const OperatorAttribute* declared = schema.attribute(head.name);
      if (declared == nullptr) {
        // Such names are private marks that every reader ignores.
        if (head.name.starts_with("__")) continue;
        fail(fmt::format("{} has the attribute '{}', which the operator does not have at opset {}", describe(node),
                         head.name, model_.opset(schema.domain)));
      }
      // torch 2.2 writes string arguments of ATen operators in this way; the legalizer turns them
      // into a tensor.
      const bool is_text_of_torch =
          head.type == onnx::AttributeProto::STRING && head.name == "value" && known.is_constant;
      if (head.type != declared->type && !is_text_of_torch) {
        fail(fmt::format("{}: attribute '{}' is {}, and the operator wants {}", describe(node), head.name,
                         attribute_type_text(head.type), attribute_type_text(declared->type)));
      }
      // A zero and an empty list may be left out.
      if (head.values == 0 && holds_a_message(head.type)) {
        fail(fmt::format("{}: attribute '{}' says that it is {}, and holds none", describe(node), head.name,
                         attribute_type_text(head.type)));
      }
      required -= declared->required;
    }
    if (required != 0) fail(fmt::format("{} lacks a required attribute", describe(node)));
  }

  // Checks what holds for attributes of all operators.
  void check_attribute(const Node& node, const AttributeHead& head) const {
    if (head.type == onnx::AttributeProto::UNDEFINED) {
      fail(fmt::format("{}: attribute '{}' does not say of what type it is", describe(node), head.name));
    }
    if ((head.values & ~(1U << value_field(head.type))) != 0) {
      fail(fmt::format("{}: attribute '{}' says that it is {}, and holds something else", describe(node), head.name,
                       attribute_type_text(head.type)));
    }
  }

  const Model& model_;
  const ComparedVersions& compared_;
  // By ValueId: the last scope that defined the value, perhaps with the bit `initialized`.
  std::vector<uint32_t> defined_in_;
  std::vector<bool> is_open_;  // by scope
  std::vector<Shadowed> shadowed_;
  std::vector<KnownOperator> operators_;  // by OperatorId
  std::vector<const Node*> holders_;      // around the current graph, outermost first
  const Function* function_ = nullptr;    // the function that holds the current graph
  std::unordered_set<std::string_view> imported_by_function_;
  bool has_custom_nodes_ = false;
  // A fault about an element type that is undefined, which counts if the model
  // has no custom operators.
  std::string undefined_;
};

}  // namespace

ComparedVersions check_model(const Model& model, const ComparedVersions& compared) {
  ModelCheck check(model, compared);
  try {
    check.run();
  } catch (const MalformedMessage& problem) {
    check.fail(fmt::format("is not a valid ONNX model: {}", problem.what()));
  }
  return check.versions();
}

}  // namespace onnx_lower
