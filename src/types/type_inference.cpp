#include "types/type_inference.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "domain.h"
#include "standard_operators/operator_role.h"
#include "types/captured_values.h"
#include "types/constants.h"
#include "types/schema_inference.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

using onnx::NodeProto;
using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;

struct Value {
  const ValueScope* scope;
  ValueId id;
  bool read = false;                   // what the scope says of it is below
  Detail inferred = Detail::nothing;   // as far as its producer can tell, no more will be known of this
  bool in_progress = false;
  bool contradicted = false;           // what is declared is not what was inferred
  const TypeProto* declared = nullptr; // of a value that a node makes
  TypeProto type = {};
  std::optional<TensorShapeProto> elements = {};
  std::optional<TensorProto> own_constant = {};  // of a Constant node without a tensor of its own
};

const TensorProto* constant_of(const Value& value) {
  return value.own_constant ? &*value.own_constant : value.scope->constant(value.id);
}

struct ScopeMemory {
  std::deque<Value> own;
  // Also values of enclosing scopes, so that deep nesting does not make each look-up walk all of them.
  std::unordered_map<ValueId, Value*> visible;
};

OperatorRole role(const NodeView& node) {
  return normalized_domain(node.message->domain()).empty() ? role_of(node.message->op_type()) : OperatorRole::none;
}

bool has_batches(const NodeView& scan) {
  return scan.meaning.version != nullptr && scan.meaning.version->since_version < 9;
}

void read_declaration(Value& value) {
  if (value.read) return;
  value.read = true;
  const NodeView producer = value.scope->producer(value.id);
  if (producer.message != nullptr) value.own_constant = tensor_of_constant_node(*producer.message);
  if (const TensorProto* constant = constant_of(value)) {
    value.type = type_of_tensor(*constant);
    drop_negative_dimensions(value.type);
    value.elements = elements_of(*constant);
    value.inferred = Detail::elements;
    return;
  }
  const TypeProto* declared = value.scope->declared_type(value.id);
  if (declared == nullptr) return;
  if (producer.message != nullptr) {
    value.declared = declared;
  } else {
    value.type = *declared;
    drop_negative_dimensions(value.type);
  }
}

// Whether a type of this detail leaves a question open.
bool says(const Value& value, Detail detail) {
  switch (detail) {
    case Detail::nothing:
      return true;
    case Detail::element_type:
      return has_element_type(value.type);
    case Detail::shape:
      return has_element_type(value.type) && has_shape(value.type);
    case Detail::dimensions:
      return has_element_type(value.type) && has_dimensions(value.type);
    case Detail::elements:
      return has_element_type(value.type) && has_dimensions(value.type) && !may_hold_a_shape(value.type);
  }
  return true;
}

bool knows(const Value& value, Detail detail) {
  if (value.inferred >= detail) return true;
  // What is declared of a value that a node makes is no answer before the node has been asked.
  if (value.declared != nullptr && detail != Detail::element_type) return false;
  return says(value, detail);
}

// What inference leaves open, the declaration fills.
void complete_from_declaration(Value& value) {
  if (value.declared == nullptr) return;
  TypeProto declared = *value.declared;
  drop_negative_dimensions(declared);
  // Exporters invent dimension names for outputs of custom nodes; those of graph inputs mean something.
  drop_dimension_names(declared);
  value.contradicted |= contradict(value.type, declared);
  fill_from(value.type, declared);
}

// The input of the node around a body that becomes one of the body's inputs, or -1.
int holder_input_of(const NodeView& holder, int body_input) {
  if (body_input < 0) return -1;
  int input = -1;
  switch (role(holder)) {
    case OperatorRole::loop:
      input = body_input < 2 ? -1 : body_input;
      break;
    case OperatorRole::scan:
      input = has_batches(holder) ? body_input + 1 : body_input;
      break;
    case OperatorRole::sequence_map:
      input = body_input;
      break;
    default:
      break;
  }
  return input < static_cast<int>(holder.inputs.size()) ? input : -1;
}

void make_scan_body_input(TypeProto& type, const NodeView& scan, int body_input) {
  int64_t scan_inputs = 0;
  const onnx::AttributeProto* axes = nullptr;
  for (const auto& attribute : scan.message->attribute()) {
    if (attribute.name() == "num_scan_inputs") scan_inputs = attribute.i();
    if (attribute.name() == "scan_input_axes") axes = &attribute;
  }
  const int64_t body_inputs = scan.message->input_size() - (has_batches(scan) ? 1 : 0);
  const int64_t scan_input = body_input - (body_inputs - scan_inputs);
  if (has_batches(scan)) drop_dimension(type, 0);
  if (scan_input < 0) return;  // carried from one iteration to the next
  drop_dimension(type,
                 axes != nullptr && scan_input < axes->ints_size() ? axes->ints(static_cast<int>(scan_input)) : 0);
}

// The type of a body's input, from that of the input of the node around it.
TypeProto body_input_type(const NodeView& holder, int body_input, const TypeProto& outside) {
  TypeProto type = outside;
  switch (role(holder)) {
    case OperatorRole::loop:
      drop_shape(type);  // the body may give it another in each iteration
      break;
    case OperatorRole::scan:
      make_scan_body_input(type, holder, body_input);
      break;
    default:
      if (type.has_sequence_type()) type = TypeProto(outside.sequence_type().elem_type());
      break;
  }
  return type;
}

}  // namespace

class TypeInference::Memory {
 public:
  Value* find(const ValueScope& scope, ValueId id) {
    if (id == absent_value) return nullptr;
    for (const ValueScope* visible = &scope; visible != nullptr; visible = visible->enclosing()) {
      ScopeMemory& memory = scopes_[visible];
      if (const auto found = memory.visible.find(id); found != memory.visible.end()) {
        if (visible != &scope) scopes_[&scope].visible.emplace(id, found->second);
        return found->second;
      }
      if (!visible->defines(id)) continue;
      Value& value = memory.own.emplace_back(Value{.scope = visible, .id = id});
      memory.visible.emplace(id, &value);
      if (visible != &scope) scopes_[&scope].visible.emplace(id, &value);
      return &value;
    }
    return nullptr;
  }

  // Depth first with a stack of its own: a chain of nodes can be longer than the thread's stack bears.
  void learn(Value& wanted, Detail detail) {
    std::vector<Visit> stack;
    begin(stack, wanted, detail);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.next < visit.sources.size()) {
        Value* source = visit.sources[visit.next++];
        if (source != nullptr) begin(stack, *source, visit.detail_of_sources);
        continue;
      }
      infer(visit);
      visit.value->in_progress = false;
      stack.pop_back();
    }
  }

  void forget(const ValueScope& scope, ValueId id) {
    const auto memory = scopes_.find(&scope);
    if (memory == scopes_.end()) return;
    const auto found = memory->second.visible.find(id);
    if (found == memory->second.visible.end()) return;
    Value& value = *found->second;
    value = Value{.scope = value.scope, .id = value.id};
  }

  void forget(const ValueScope& scope) { scopes_.erase(&scope); }

  std::vector<ValueId> contradicted(const ValueScope& scope) const {
    std::vector<ValueId> values;
    const auto memory = scopes_.find(&scope);
    if (memory == scopes_.end()) return values;
    for (const Value& value : memory->second.own) {
      if (value.contradicted) values.push_back(value.id);
    }
    std::ranges::sort(values);
    return values;
  }

 private:
  struct Visit {
    Value* value;
    Detail detail;
    Detail detail_of_sources;
    NodeView node = {};   // whose output, or whose body's input, the value is
    int body_input = -1;  // -1: an output
    // The node's inputs in order, then what its bodies capture; for a body's input the one value it comes from.
    std::vector<Value*> sources = {};
    std::vector<std::string_view> captured = {};
    size_t next = 0;
  };

  void begin(std::vector<Visit>& stack, Value& value, Detail detail) {
    read_declaration(value);
    if (value.in_progress) return;  // the graph has a cycle, and the value stays unknown
    if (!has_element_type(value.type)) learn_element_type(value);
    if (knows(value, detail)) return;
    Visit visit{.value = &value, .detail = detail, .detail_of_sources = detail};
    const ValueScope& scope = *value.scope;
    visit.node = scope.producer(value.id);
    if (visit.node.message != nullptr) {
      if (detail == Detail::dimensions) visit.detail = visit.detail_of_sources = Detail::elements;  // one run tells both
      for (const ValueId input : visit.node.inputs) visit.sources.push_back(find(scope, input));
      if (has_body(*visit.node.message)) {
        visit.captured = captured_values(*visit.node.message);
        for (const std::string_view name : visit.captured) visit.sources.push_back(find(scope, scope.value_of(name)));
      }
    } else if (scope.enclosing() != nullptr) {
      visit.node = scope.holder();
      visit.body_input = scope.graph_input_index(value.id);
      const int input = visit.node.message == nullptr ? -1 : holder_input_of(visit.node, visit.body_input);
      if (input >= 0)
        visit.sources.push_back(find(*scope.enclosing(), visit.node.inputs[static_cast<size_t>(input)]));
      if (visit.node.message != nullptr && role(visit.node) == OperatorRole::loop)
        visit.detail_of_sources = Detail::element_type;
    }
    value.in_progress = true;
    stack.push_back(std::move(visit));
  }

  // What is known without inference.
  static void learn_element_type(Value& value) {
    const int element_type = value.scope->element_type(value.id);
    if (element_type == 0) return;
    TypeProto known = tensor_type(element_type);
    drop_shape(known);
    fill_from(value.type, known);
  }

  void infer(const Visit& visit) {
    Value& value = *visit.value;
    value.inferred = std::max(value.inferred, visit.detail);
    if (visit.node.message == nullptr) return;
    if (visit.body_input >= 0) {
      infer_body_input(visit);
    } else if (!visit.node.outputs.empty()) {
      infer_outputs_of(visit);
    }
  }

  static void infer_body_input(const Visit& visit) {
    TypeProto& type = visit.value->type;
    if (role(visit.node) == OperatorRole::loop && visit.body_input < 2) {
      fill_from(type, tensor_type(visit.body_input == 0 ? TensorProto::INT64 : TensorProto::BOOL));
    } else if (!visit.sources.empty() && visit.sources.front() != nullptr) {
      fill_from(type, body_input_type(visit.node, visit.body_input, visit.sources.front()->type));
    }
  }

  static KnownValue known(const Value* value) {
    if (value == nullptr) return {};
    return {.type = value->type.value_case() == TypeProto::VALUE_NOT_SET ? nullptr : &value->type,
            .constant = constant_of(*value),
            .elements = value->elements ? &*value->elements : nullptr};
  }

  void infer_outputs_of(const Visit& visit) {
    const NodeView& node = visit.node;
    const size_t input_count = node.inputs.size();
    std::vector<KnownValue> inputs;
    for (size_t i = 0; i < input_count; ++i) inputs.push_back(known(visit.sources[i]));
    KnownValues around;
    for (size_t i = 0; i < visit.captured.size(); ++i)
      around.values.emplace(visit.captured[i], known(visit.sources[input_count + i]));

    const ValueScope& scope = *visit.value->scope;
    std::vector<InferredOutput> outputs = infer_outputs(*node.message, node.meaning, inputs, around, scope.meanings());
    for (size_t i = 0; i < node.outputs.size() && i < outputs.size(); ++i) {
      // A name that the scope gives to another node is not this node's to define: the model is invalid.
      if (scope.producer(node.outputs[i]).message != node.message) continue;
      Value* output = find(scope, node.outputs[i]);
      if (output == nullptr) continue;
      read_declaration(*output);
      output->inferred = std::max(output->inferred, visit.detail);
      TypeProto type = std::move(outputs[i].type);
      fill_from(type, output->type);
      output->type = std::move(type);
      if (outputs[i].elements) output->elements = std::move(outputs[i].elements);
      complete_from_declaration(*output);
    }
  }

  std::unordered_map<const ValueScope*, ScopeMemory> scopes_;
};

TypeInference::TypeInference() : memory_(std::make_unique<Memory>()) {}
TypeInference::~TypeInference() = default;

const TypeProto* TypeInference::type_of(const ValueScope& scope, ValueId id, Detail detail) {
  Value* value = memory_->find(scope, id);
  if (value == nullptr) return nullptr;
  memory_->learn(*value, detail);
  return value->type.value_case() == TypeProto::VALUE_NOT_SET ? nullptr : &value->type;
}

void TypeInference::forget(const ValueScope& scope, ValueId value) { memory_->forget(scope, value); }
void TypeInference::forget(const ValueScope& scope) { memory_->forget(scope); }
std::vector<ValueId> TypeInference::contradicted(const ValueScope& scope) const { return memory_->contradicted(scope); }

}  // namespace onnx_lower
