#include "check/check_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "domain.h"
#include "error.h"
#include "model_file/attribute_head.h"
#include "model_file/onnx_fields.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

class ModelChecker::Implementation {
 public:
  explicit Implementation(const Model& model) : model_(model) {}

  void check() {
    if (model_.ir_version > onnx::Version::IR_VERSION) {
      fail(fmt::format("its ir_version is {}, and the newest that is known is {}", model_.ir_version,
                       static_cast<int>(onnx::Version::IR_VERSION)));
    }
    for (const OpsetImport& import : model_.opset_imports) check_import(import);
    check_functions();
    look_up_operators();
    defined_in_.assign(model_.values().size(), no_scope);
    is_open_.assign(1, false);
    check_graph(model_.graph);
    for (const Function& function : model_.functions) {
      if (!function.dropped) check_graph(function.body);
    }
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InvalidInput(fmt::format("{}: {}", model_.input().path(), problem));
  }

 private:
  // Scopes are numbered as they are entered. A value is visible when the scope that defined it last is open: is not left again.
  static constexpr uint32_t no_scope = 0;
  // Beside the number of the scope: an initializer of that name is there.
  static constexpr uint32_t initialized = uint32_t{1} << 31;

  // A definition that one further inside took the place of, and that counts again after it.
  struct Shadowed {
    ValueId value;
    uint32_t scope;
  };

  // What is known of an operator at the model's opset.
  struct KnownOperator {
    const OperatorVersion* version = nullptr;
    bool is_new = true;  // since the last check
    size_t required_attributes = 0;
  };

  std::string describe(const Node& node) const {
    const Operator& op = model_.op(node.op);
    if (!node.name.empty()) return fmt::format("node '{}' ({})", node.name, operator_name(op.domain, op.op_type));
    const bool has_output = !node.outputs().empty() && node.outputs()[0] != absent_value;
    return fmt::format("the node ({}) that makes '{}'", operator_name(op.domain, op.op_type),
                       has_output ? model_.value_name(node.outputs()[0]) : "nothing");
  }

  void check_import(const OpsetImport& import) const {
    if (!is_standard_domain(import.domain)) return;
    const int64_t newest = newest_opset(import.domain);
    if (import.version < 1 || import.version > newest) {
      fail(fmt::format("it imports version {} of {}, and the newest that is known is {}", import.version,
                       import.domain.empty() ? "ai.onnx" : import.domain, newest));
    }
  }

  // Which of two functions a node means, nothing says, unless they are the same.
  void check_functions() const {
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, const Function*> known;
    for (const Function& function : model_.functions) {
      if (function.dropped) continue;
      const auto [first, is_new] = known.try_emplace({function.domain, function.name, function.overload}, &function);
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
    const bool was_inside_function = inside_function_;
    inside_function_ |= graph.is_function;
    for (const ValueInfo& input : graph.inputs) {
      if (defined_in_[input.value] == scope)
        fail(fmt::format("graph input '{}' is declared twice", model_.value_name(input.value)));
      define(input.value, scope);
    }
    // An initializer may also be a graph input: then it is the input's default.
    for (const TensorSkeleton& initializer : graph.initializers) initialize(initializer.value, scope);
    for (const ValueId initializer : graph.sparse_initializers) initialize(initializer, scope);
    for (const GraphPiece& piece : graph.pieces) {
      for (const Node* node : piece.nodes) check_node(graph, *node, scope);
    }
    for (const ValueInfo& output : graph.outputs) {
      if ((defined_in_[output.value] & ~initialized) != scope)
        fail(fmt::format("graph output '{}' is made by no node", model_.value_name(output.value)));
    }
    is_open_[scope] = false;
    for (; shadowed_.size() > mark; shadowed_.pop_back()) defined_in_[shadowed_.back().value] = shadowed_.back().scope;
    inside_function_ = was_inside_function;
  }

  void check_node(const Graph& graph, const Node& node, uint32_t scope) {
    for (const ValueId input : node.inputs()) {
      if (input != absent_value && !is_visible(input)) fail_undefined(graph, node, input);
    }
    if (node.bodies) {
      for (const Graph& body : node.bodies->graphs) check_graph(body);
    }
    for (const ValueId output : node.outputs()) {
      if (output == absent_value) continue;
      // Not even a value around the graph may be defined anew by one of its nodes.
      if (is_visible(output)) {
        fail(fmt::format("{} makes '{}', which is defined before it", describe(node), model_.value_name(output)));
      }
      defined_in_[output] = scope;
    }
    check_against_schema(node);
  }

  [[noreturn]] void fail_undefined(const Graph& graph, const Node& node, ValueId input) const {
    for (const GraphPiece& piece : graph.pieces) {
      for (const Node* other : piece.nodes) {
        for (const ValueId output : other->outputs()) {
          if (output == input) {
            fail(fmt::format("{} uses '{}' before {} makes it: the nodes are not in order, or form a cycle",
                             describe(node), model_.value_name(input), describe(*other)));
          }
        }
      }
    }
    fail(fmt::format("{} uses '{}', which nothing makes", describe(node), model_.value_name(input)));
  }

  void look_up_operators() {
    operators_.resize(model_.operator_count());
    for (OperatorId id = 0; id < operators_.size(); ++id) {
      const Operator& op = model_.op(id);
      const OperatorVersion* version =
          is_standard_domain(op.domain) ? find_operator(op.domain, op.op_type, model_.opset(op.domain)) : nullptr;
      if (version != nullptr && (version->deprecated || is_function(op))) version = nullptr;
      KnownOperator& known = operators_[id];
      known.is_new = known.version != version;
      known.version = version;
      if (version == nullptr || !known.is_new) continue;
      known.required_attributes =
          static_cast<size_t>(std::count_if(version->attributes.begin(), version->attributes.end(),
                                            [](const auto& declared) { return declared.required; }));
    }
  }

  // Whether the bytes are the input's own; what is made here lies elsewhere.
  bool is_as_read(const Node& node) const {
    const Bytes input = model_.input().bytes();
    return !std::less<>()(node.wire.data(), input.data()) &&
           std::less<>()(node.wire.data(), input.data() + input.size());
  }

  // A function may import other versions than the model, and its attributes may be references: its nodes are checked when they are lowered.
  void check_against_schema(const Node& node) const {
    if (inside_function_ || node.opsets != own_opsets) return;
    const KnownOperator& known = operators_[node.op];
    const OperatorVersion* schema = known.version;
    if (schema == nullptr || (!known.is_new && is_as_read(node))) return;
    const auto inputs = static_cast<int>(node.inputs().size());
    const auto outputs = static_cast<int>(node.outputs().size());
    if (inputs < schema->min_inputs || inputs > schema->max_inputs) {
      fail(fmt::format("{} has {} inputs, and the operator takes {}", describe(node), inputs,
                       range(schema->min_inputs, schema->max_inputs)));
    }
    if (outputs < schema->min_outputs || outputs > schema->max_outputs) {
      fail(fmt::format("{} has {} outputs, and the operator makes {}", describe(node), outputs,
                       range(schema->min_outputs, schema->max_outputs)));
    }
    for (int index = 0; index < inputs; ++index) {
      const OperatorParameter* parameter = schema->input(index);
      if (node.inputs()[static_cast<size_t>(index)] == absent_value && parameter != nullptr &&
          parameter->kind == ParameterKind::single) {
        fail(fmt::format("{} lacks its input '{}'", describe(node), parameter->name));
      }
    }
    check_attributes(node, known);
  }

  bool is_function(const Operator& op) const {
    for (const Function& function : model_.functions) {
      if (function.name == op.op_type && function.domain == op.domain) return true;
    }
    return false;
  }

  static std::string range(int least, int most) {
    if (least == most) return std::to_string(least);
    return most == INT32_MAX ? fmt::format("at least {}", least) : fmt::format("{} to {}", least, most);
  }

  void check_attributes(const Node& node, const KnownOperator& known) const {
    const OperatorVersion& schema = *known.version;
    size_t required = known.required_attributes;
    if (!node.has_attributes && required == 0) return;
    WireField field;
    for (WireReader reader(node.wire); reader.next(field);) {
      if (field.number != field::Node::attribute) continue;
      const auto [name, type] = read_attribute_head(field.content);
      const OperatorAttribute* declared = schema.attribute(name);
      if (declared == nullptr) {
        // Names of this form are private marks that every reader ignores.
        if (name.starts_with("__")) continue;
        fail(fmt::format("{} has the attribute '{}', which the operator does not have at opset {}", describe(node),
                         name, model_.opset(schema.domain)));
      }
      // torch 2.2 writes what an ATen operator takes as a string in this way; the legalizer makes a tensor of it.
      const bool is_text_of_torch =
          type == onnx::AttributeProto::STRING && name == "value" && schema.domain.empty() && schema.name == "Constant";
      if (type != onnx::AttributeProto::UNDEFINED && type != declared->type && !is_text_of_torch) {
        fail(fmt::format("{}: attribute '{}' is {}, and the operator wants {}", describe(node), name, type_name(type),
                         type_name(declared->type)));
      }
      required -= declared->required;
    }
    if (required != 0) fail(fmt::format("{} lacks a required attribute", describe(node)));
  }

  static std::string type_name(int64_t type) {
    return onnx::AttributeProto::AttributeType_IsValid(static_cast<int>(type))
               ? onnx::AttributeProto::AttributeType_Name(static_cast<onnx::AttributeProto::AttributeType>(type))
               : fmt::format("of the unknown type {}", type);
  }

  const Model& model_;
  std::vector<uint32_t> defined_in_;  // by ValueId: the scope that defined it last, perhaps with `initialized`
  std::vector<bool> is_open_;         // by scope
  std::vector<Shadowed> shadowed_;
  std::vector<KnownOperator> operators_;  // by OperatorId
  bool inside_function_ = false;
};

ModelChecker::ModelChecker(const Model& model) : implementation_(std::make_unique<Implementation>(model)) {}
ModelChecker::~ModelChecker() = default;

void ModelChecker::check() {
  try {
    implementation_->check();
  } catch (const MalformedMessage& problem) {
    implementation_->fail(fmt::format("is not a valid ONNX model: {}", problem.what()));
  }
}

void check_model(const Model& model) { ModelChecker(model).check(); }

}  // namespace onnx_lower
