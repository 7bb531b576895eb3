#include "types/type_inference.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "domain.h"
#include "standard_operators/operator_table.h"
#include "types/captured_values.h"
#include "types/constants.h"
#include "types/element_type_source.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

using onnx::NodeProto;
using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;

// Steps of knowledge; each includes those before it. The elements of a shape tensor decide other values' dimensions.
enum class Step { nothing, element_type, shape, dimensions, elements };

struct Value {
  const ValueScope* scope;
  std::string name;
  bool declared = false;          // what the scope says has been read
  Step inferred = Step::nothing;  // as far as its producer can tell, no more will be known of these steps
  bool in_progress = false;
  TypeProto type;
  std::optional<TensorShapeProto> elements;
  std::optional<TensorProto> own_constant;  // of a Constant node without a tensor of its own
};

const TensorProto* constant_of(const Value& value) {
  return value.own_constant ? &*value.own_constant : value.scope->constant(value.name);
}

struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

struct ScopeMemory {
  std::deque<Value> own;
  // Also values of enclosing scopes, so that deep nesting does not make each look-up walk all of them.
  std::unordered_map<std::string, Value*, StringHash, std::equal_to<>> visible;
};

bool is_standard(const NodeProto& node, std::string_view op_type) {
  return node.op_type() == op_type && (node.domain().empty() || node.domain() == "ai.onnx");
}

void read_declaration(Value& value) {
  if (value.declared) return;
  value.declared = true;
  const NodeProto* producer = value.scope->producer(value.name);
  if (producer != nullptr) value.own_constant = tensor_of_constant_node(*producer);
  if (const TensorProto* constant = constant_of(value)) {
    value.type = type_of_tensor(*constant);
    drop_negative_dimensions(value.type);
    value.elements = elements_of(*constant);
    value.inferred = Step::elements;
    return;
  }
  if (const TypeProto* declared = value.scope->declared_type(value.name)) {
    value.type = *declared;
    drop_negative_dimensions(value.type);
    // Exporters invent dimension names for outputs of custom nodes; those of graph inputs mean something.
    if (producer != nullptr) drop_dimension_names(value.type);
  }
}

bool knows(const Value& value, Step step) {
  if (value.inferred >= step) return true;
  switch (step) {
    case Step::nothing:
      return true;
    case Step::element_type:
      return has_element_type(value.type);
    case Step::shape:
      return has_element_type(value.type) && has_shape(value.type);
    case Step::dimensions:
      return has_element_type(value.type) && has_dimensions(value.type);
    case Step::elements:
      return has_element_type(value.type) && has_dimensions(value.type) && !may_hold_a_shape(value.type);
  }
  return true;
}

// The input of the node around a body that becomes one of the body's inputs, or -1.
int holder_input_of(const NodeProto& holder, int body_input, bool scan_has_batches) {
  if (body_input < 0) return -1;
  int input = -1;
  if (is_standard(holder, "Loop")) input = body_input < 2 ? -1 : body_input;
  if (is_standard(holder, "Scan")) input = scan_has_batches ? body_input + 1 : body_input;
  if (is_standard(holder, "SequenceMap")) input = body_input;
  return input < holder.input_size() ? input : -1;
}

void make_scan_body_input(TypeProto& type, const NodeProto& scan, int body_input, bool has_batches) {
  int64_t scan_inputs = 0;
  const onnx::AttributeProto* axes = nullptr;
  for (const auto& attribute : scan.attribute()) {
    if (attribute.name() == "num_scan_inputs") scan_inputs = attribute.i();
    if (attribute.name() == "scan_input_axes") axes = &attribute;
  }
  const int64_t body_inputs = scan.input_size() - (has_batches ? 1 : 0);
  const int64_t scan_input = body_input - (body_inputs - scan_inputs);
  if (has_batches) drop_dimension(type, 0);
  if (scan_input < 0) return;  // carried from one iteration to the next
  drop_dimension(type,
                 axes != nullptr && scan_input < axes->ints_size() ? axes->ints(static_cast<int>(scan_input)) : 0);
}

// The type of a body's input, from that of the input of the node around it.
TypeProto body_input_type(const NodeProto& holder, int body_input, const TypeProto& outside, bool scan_has_batches) {
  TypeProto type = outside;
  if (is_standard(holder, "Loop")) {
    drop_shape(type);  // the body may give it another in each iteration
  } else if (is_standard(holder, "Scan")) {
    make_scan_body_input(type, holder, body_input, scan_has_batches);
  } else if (type.has_sequence_type()) {
    type = TypeProto(outside.sequence_type().elem_type());
  }
  return type;
}

}  // namespace

class TypeInference::Memory {
 public:
  explicit Memory(const OpsetImports& opset_imports) : schemas_(opset_imports), opset_imports_(opset_imports) {
    for (const char* domain : {"", "ai.onnx"}) {
      const auto version = opset_imports.find(domain);
      if (version != opset_imports.end()) scan_has_batches_ = version->second < 9;
    }
  }

  Value* find(const ValueScope& scope, std::string_view name) {
    if (name.empty()) return nullptr;
    for (const ValueScope* visible = &scope; visible != nullptr; visible = visible->enclosing()) {
      ScopeMemory& memory = scopes_[visible];
      if (const auto found = memory.visible.find(name); found != memory.visible.end()) {
        if (visible != &scope) scopes_[&scope].visible.emplace(name, found->second);
        return found->second;
      }
      if (!visible->defines(name)) continue;
      Value& value = memory.own.emplace_back(
          Value{.scope = visible, .name = std::string(name), .type = {}, .elements = {}, .own_constant = {}});
      memory.visible.emplace(name, &value);
      if (visible != &scope) scopes_[&scope].visible.emplace(name, &value);
      return &value;
    }
    return nullptr;
  }

  // Depth first with a stack of its own: a chain of nodes can be longer than the thread's stack bears.
  void learn(Value& wanted, Step step) {
    std::vector<Visit> stack;
    begin(stack, wanted, step);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.only_element_type && copy_element_type(visit)) visit.next = visit.sources.size();
      if (visit.next < visit.sources.size()) {
        Value* source = visit.sources[visit.next++];
        if (source != nullptr) begin(stack, *source, visit.step_of_sources);
        continue;
      }
      infer(visit);
      visit.value->in_progress = false;
      stack.pop_back();
    }
  }

  void forget(const ValueScope& scope, std::string_view name) {
    const auto memory = scopes_.find(&scope);
    if (memory == scopes_.end()) return;
    const auto found = memory->second.visible.find(name);
    if (found == memory->second.visible.end()) return;
    Value& value = *found->second;
    value.declared = false;
    value.inferred = Step::nothing;
    value.type.Clear();
    value.elements.reset();
    value.own_constant.reset();
  }

  void forget(const ValueScope& scope) { scopes_.erase(&scope); }

 private:
  struct Visit {
    Value* value;
    Step step;
    Step step_of_sources;
    const NodeProto* node;  // whose output, or whose body's input, the value is
    int body_input;         // -1: an output
    std::vector<Value*>
        sources;  // the node's inputs in order, then what its bodies capture; for a body's input the one value it comes from
    std::vector<std::string_view> captured;
    bool only_element_type = false;  // which is that of any of the sources
    size_t next = 0;
  };

  void begin(std::vector<Visit>& stack, Value& value, Step step) {
    read_declaration(value);
    if (value.in_progress || knows(value, step))
      return;  // in progress: the graph has a cycle, and the value stays unknown
    Visit visit{.value = &value,
                .step = step,
                .step_of_sources = step,
                .node = nullptr,
                .body_input = -1,
                .sources = {},
                .captured = {}};
    const ValueScope& scope = *value.scope;
    visit.node = scope.producer(value.name);
    if (visit.node != nullptr && step == Step::element_type && use_table(visit)) {
      if (knows(value, step)) return;
    } else if (visit.node != nullptr) {
      if (step == Step::dimensions) visit.step = visit.step_of_sources = Step::elements;  // one run tells both
      for (const std::string& input : visit.node->input()) visit.sources.push_back(find(scope, input));
      if (has_body(*visit.node)) {
        visit.captured = captured_values(*visit.node);
        for (const std::string_view name : visit.captured) visit.sources.push_back(find(scope, name));
      }
    } else if (scope.enclosing() != nullptr && scope.holder() != nullptr) {
      visit.node = scope.holder();
      visit.body_input = scope.graph_input_index(value.name);
      const int input = holder_input_of(*visit.node, visit.body_input, scan_has_batches_);
      if (input >= 0) visit.sources.push_back(find(*scope.enclosing(), visit.node->input(input)));
      if (is_standard(*visit.node, "Loop")) visit.step_of_sources = Step::element_type;
    }
    value.in_progress = true;
    stack.push_back(std::move(visit));
  }

  // Whether the table says where the element type comes from; a fixed one is set at once.
  bool use_table(Visit& visit) {
    const NodeProto& node = *visit.node;
    const OperatorVersion* op = find_operator(node.domain(), node.op_type(), version_of(node.domain()));
    if (op == nullptr) return false;
    const auto output = std::find(node.output().begin(), node.output().end(), visit.value->name);
    const ElementTypeSource source = is_standard(node, "Cast")
                                         ? ElementTypeSource{.fixed = element_type_that_cast_makes(node)}
                                         : element_type_source(*op, static_cast<int>(output - node.output().begin()));
    if (source.fixed != 0) set_element_type(visit.value->type, source.fixed);
    for (int input = 0; input < node.input_size(); ++input) {
      if (!node.input(input).empty() && source.is_that_of_input(*op, static_cast<size_t>(input)))
        visit.sources.push_back(find(*visit.value->scope, node.input(input)));
    }
    visit.only_element_type = source.fixed != 0 || !visit.sources.empty();
    return visit.only_element_type;
  }

  int64_t version_of(std::string_view domain) const {
    for (const auto& [name, version] : opset_imports_) {
      if (normalized_domain(name) == normalized_domain(domain)) return version;
    }
    return 0;
  }

  static void set_element_type(TypeProto& type, int element_type) {
    TypeProto inferred = tensor_type(element_type);
    drop_shape(inferred);
    fill_from(type, inferred);
  }

  // From the source that was visited last.
  static bool copy_element_type(const Visit& visit) {
    if (visit.next == 0 || visit.next > visit.sources.size()) return false;
    const Value* source = visit.sources[visit.next - 1];
    if (source == nullptr || !has_element_type(source->type)) return false;
    TypeProto inferred = source->type;
    drop_shape(inferred);
    fill_from(visit.value->type, inferred);
    return true;
  }

  void infer(const Visit& visit) {
    Value& value = *visit.value;
    value.inferred = std::max(value.inferred, visit.step);
    if (visit.node == nullptr || visit.only_element_type) return;
    if (value.scope->producer(value.name) == visit.node) {
      infer_outputs(visit);
    } else if (visit.body_input >= 0) {
      infer_body_input(visit);
    }
  }

  void infer_body_input(const Visit& visit) {
    TypeProto& type = visit.value->type;
    if (is_standard(*visit.node, "Loop") && visit.body_input < 2) {
      fill_from(type, tensor_type(visit.body_input == 0 ? TensorProto::INT64 : TensorProto::BOOL));
    } else if (!visit.sources.empty() && visit.sources.front() != nullptr) {
      TypeProto inferred =
          body_input_type(*visit.node, visit.body_input, visit.sources.front()->type, scan_has_batches_);
      fill_from(type, inferred);
    }
  }

  static KnownValue known(const Value* value) {
    if (value == nullptr) return {};
    return {.type = value->type.value_case() == TypeProto::VALUE_NOT_SET ? nullptr : &value->type,
            .constant = constant_of(*value),
            .elements = value->elements ? &*value->elements : nullptr};
  }

  void infer_outputs(const Visit& visit) {
    const NodeProto& node = *visit.node;
    const size_t input_count = node.input_size();
    std::vector<KnownValue> inputs;
    for (size_t i = 0; i < input_count; ++i) inputs.push_back(known(visit.sources[i]));
    KnownValues around;
    for (size_t i = 0; i < visit.captured.size(); ++i)
      around.values.emplace(visit.captured[i], known(visit.sources[input_count + i]));

    std::vector<InferredOutput> outputs = schemas_.infer(node, inputs, around);
    for (int i = 0; i < node.output_size(); ++i) {
      // A name that the scope gives to another node is not this node's to define: the model is invalid.
      Value* output =
          visit.value->scope->producer(node.output(i)) == &node ? find(*visit.value->scope, node.output(i)) : nullptr;
      if (output == nullptr) continue;
      read_declaration(*output);
      output->inferred = std::max(output->inferred, visit.step);
      fill_from(output->type, outputs[i].type);
      if (outputs[i].elements) output->elements = std::move(outputs[i].elements);
    }
  }

  SchemaInference schemas_;
  OpsetImports opset_imports_;
  bool scan_has_batches_ = false;  // Scan 8, of opset 8
  std::unordered_map<const ValueScope*, ScopeMemory> scopes_;
};

TypeInference::TypeInference(const OpsetImports& opset_imports) : memory_(std::make_unique<Memory>(opset_imports)) {}
TypeInference::~TypeInference() = default;

const TypeProto* TypeInference::type_of(const ValueScope& scope, std::string_view name, Detail detail) {
  Value* value = memory_->find(scope, name);
  if (value == nullptr) return nullptr;
  const Step step = detail == Detail::element_type ? Step::element_type
                    : detail == Detail::shape      ? Step::shape
                                                   : Step::dimensions;
  memory_->learn(*value, step);
  return value->type.value_case() == TypeProto::VALUE_NOT_SET ? nullptr : &value->type;
}

void TypeInference::forget(const ValueScope& scope, std::string_view value) { memory_->forget(scope, value); }
void TypeInference::forget(const ValueScope& scope) { memory_->forget(scope); }

}  // namespace onnx_lower
