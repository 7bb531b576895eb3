#include "check/check_model.h"

#include <fmt/format.h>

#include "error.h"
#include "model_file/onnx_fields.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

// Which scope defines a value now. Scopes are numbered as they are entered; leaving one restores what its names meant before.
class Checker {
 public:
  explicit Checker(const Model& model)
      : model_(model),
        defined_in_(model.values().size(), no_scope),
        initialized_in_(model.values().size(), no_scope),
        operators_(model.operator_count()) {}

  void check() {
    if (model_.ir_version > onnx::Version::IR_VERSION) {
      fail(fmt::format("its ir_version is {}, and the newest that is known is {}", model_.ir_version,
                       static_cast<int>(onnx::Version::IR_VERSION)));
    }
    for (const OpsetImport& import : model_.opset_imports) check_import(import);
    check_graph(model_.graph);
    for (const Function& function : model_.functions) {
      if (!function.dropped) check_graph(function.body);
    }
  }

 private:
  static constexpr uint32_t no_scope = 0;

  struct Definition {
    ValueId value;
    uint32_t before;
  };

  // What is known of an operator at the model's opset; looked up once.
  struct KnownOperator {
    bool looked_up = false;
    const OperatorVersion* version = nullptr;
  };

  [[noreturn]] void fail(const std::string& problem) const {
    throw InvalidInput(fmt::format("{}: {}", model_.input().path(), problem));
  }

  std::string describe(const Node& node) const {
    const Operator& op = model_.op(node.op);
    if (!node.name.empty()) return fmt::format("node '{}' ({})", node.name, operator_name(op.domain, op.op_type));
    const bool has_output = !node.outputs.empty() && node.outputs[0] != absent_value;
    return fmt::format("the node ({}) that makes '{}'", operator_name(op.domain, op.op_type),
                       has_output ? model_.value_name(node.outputs[0]) : "nothing");
  }

  void check_import(const OpsetImport& import) const {
    if (!is_standard_domain(import.domain)) return;
    const int64_t newest = newest_opset(import.domain);
    if (import.version < 1 || import.version > newest) {
      fail(fmt::format("it imports version {} of {}, and the newest that is known is {}", import.version,
                       import.domain.empty() ? "ai.onnx" : import.domain, newest));
    }
  }

  void define(ValueId value, uint32_t scope) {
    log_.push_back({value, defined_in_[value]});
    defined_in_[value] = scope;
  }

  void initialize(ValueId value, uint32_t scope) {
    if (value == absent_value) fail("an initializer has no name");
    if (initialized_in_[value] == scope) fail(fmt::format("initializer '{}' is there twice", model_.value_name(value)));
    initialized_in_[value] = scope;
    define(value, scope);
  }

  void check_graph(const Graph& graph) {
    const uint32_t scope = ++scopes_;
    const size_t mark = log_.size();
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
      for (const Node& node : piece.nodes) check_node(graph, node, scope);
    }
    for (const ValueInfo& output : graph.outputs) {
      if (defined_in_[output.value] != scope)
        fail(fmt::format("graph output '{}' is made by no node", model_.value_name(output.value)));
    }
    while (log_.size() > mark) {
      defined_in_[log_.back().value] = log_.back().before;
      log_.pop_back();
    }
    inside_function_ = was_inside_function;
  }

  void check_node(const Graph& graph, const Node& node, uint32_t scope) {
    for (const ValueId input : node.inputs) {
      if (input != absent_value && defined_in_[input] == no_scope) fail_undefined(graph, node, input);
    }
    if (node.bodies) {
      for (const Graph& body : node.bodies->graphs) check_graph(body);
    }
    for (const ValueId output : node.outputs) {
      if (output == absent_value) continue;
      // Not even a value around the graph may be defined anew by one of its nodes.
      if (defined_in_[output] != no_scope) {
        fail(fmt::format("{} makes '{}', which is defined before it", describe(node), model_.value_name(output)));
      }
      define(output, scope);
    }
    check_against_schema(node);
  }

  [[noreturn]] void fail_undefined(const Graph& graph, const Node& node, ValueId input) const {
    for (const GraphPiece& piece : graph.pieces) {
      for (const Node& other : piece.nodes) {
        for (const ValueId output : other.outputs) {
          if (output == input) {
            fail(fmt::format("{} uses '{}' before {} makes it: the nodes are not in order, or form a cycle",
                             describe(node), model_.value_name(input), describe(other)));
          }
        }
      }
    }
    fail(fmt::format("{} uses '{}', which nothing makes", describe(node), model_.value_name(input)));
  }

  const OperatorVersion* known(const Node& node) {
    KnownOperator& known = operators_[node.op];
    if (!known.looked_up) {
      const Operator& op = model_.op(node.op);
      known.looked_up = true;
      if (is_standard_domain(op.domain)) known.version = find_operator(op.domain, op.op_type, model_.opset(op.domain));
      if (known.version != nullptr && (known.version->deprecated || is_function(op))) known.version = nullptr;
    }
    return known.version;
  }

  // A function may import other versions than the model, and its attributes may be references: its nodes are checked when they are lowered.
  void check_against_schema(const Node& node) {
    if (inside_function_ || node.opsets != model_opsets) return;
    const OperatorVersion* schema = known(node);
    if (schema == nullptr) return;
    const auto inputs = static_cast<int>(node.inputs.size());
    const auto outputs = static_cast<int>(node.outputs.size());
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
      if (node.inputs[static_cast<size_t>(index)] == absent_value && parameter != nullptr &&
          parameter->kind == ParameterKind::single) {
        fail(fmt::format("{} lacks its input '{}'", describe(node), parameter->name));
      }
    }
    check_attributes(node, *schema);
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

  void check_attributes(const Node& node, const OperatorVersion& schema) const {
    size_t required = 0;
    for (const OperatorAttribute& attribute : schema.attributes) required += attribute.required;
    WireField field;
    for (WireReader reader(node.wire); reader.next(field);) {
      if (field.number != field::Node::attribute) continue;
      std::string_view name;
      int64_t type = onnx::AttributeProto::UNDEFINED;
      WireField part;
      for (WireReader attribute(field.content); attribute.next(part);) {
        if (part.number == field::Attribute::name) name = part.bytes("the name of an attribute");
        if (part.number == field::Attribute::type) type = part.integer("the type of an attribute");
      }
      const OperatorAttribute* declared = schema.attribute(name);
      if (declared == nullptr) {
        // Names of this form are private marks that every reader ignores.
        if (name.starts_with("__")) continue;
        fail(fmt::format("{} has the attribute '{}', which the operator does not have at opset {}", describe(node),
                         name, model_.opset(schema.domain)));
      }
      if (type != onnx::AttributeProto::UNDEFINED && type != declared->type) {
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
  std::vector<uint32_t> defined_in_;
  std::vector<uint32_t> initialized_in_;
  std::vector<Definition> log_;
  std::vector<KnownOperator> operators_;
  uint32_t scopes_ = no_scope;
  bool inside_function_ = false;
};

}  // namespace

void check_model(const Model& model) {
  try {
    Checker(model).check();
  } catch (const MalformedMessage& problem) {
    throw InvalidInput(fmt::format("{}: is not a valid ONNX model: {}", model.input().path(), problem.what()));
  }
}

}  // namespace onnx_lower
