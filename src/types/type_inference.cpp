// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "types/type_inference.h"

#include <google/protobuf/arena.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx/defs/shape_inference.h"
#include "standard_operators/node_attribute.h"
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

struct InferredValue {
  const ValueScope* scope;
  ValueId id;
  TypeProto& type;
  bool read = false;  // what the scope knows of the value is in the members below
  // The detail up to which the value's producer has been asked: it cannot tell more.
  Detail inferred = Detail::nothing;
  bool in_progress = false;
  bool is_constant = false;
  bool contradicted = false;            // the declared type is not the inferred one
  const TypeProto* declared = nullptr;  // the declared type of a node's output
  std::unique_ptr<TensorShapeProto> elements = {};
};

struct ScopeMemory {
  google::protobuf::Arena types;  // the types of the values in `own`
  std::deque<InferredValue> own;
  std::vector<ValueId> contradicted;  // the contradicted ones among values that were forgotten
  // Values by id, also those of enclosing scopes, so that look-ups in deeply nested graphs do not
  // walk through all scopes.
  std::unordered_map<ValueId, InferredValue*> visible;
};

bool has_batches(const NodeView& scan) {
  return scan.meaning.version != nullptr && scan.meaning.version->since_version < 9;
}

void read_declaration(InferredValue& value) {
  if (value.read) return;
  value.read = true;
  if (const TypeProto* constant = value.scope->constant_type(value.id)) {
    value.type = *constant;
    value.inferred = Detail::dimensions;
    value.is_constant = true;
    return;
  }
  const TypeProto* declared = value.scope->declared_type(value.id);
  if (declared == nullptr) return;
  if (value.scope->has_producer(value.id)) {
    value.declared = declared;
  } else {
    value.type = *declared;
    drop_negative_dimensions(value.type);
  }
}

// Whether the type of a value is known to this detail.
bool says(const InferredValue& value, Detail detail) {
  return (detail < Detail::element_type || has_element_type(value.type)) &&
         (detail < Detail::shape || has_shape(value.type)) &&
         (detail < Detail::dimensions || has_dimensions(value.type)) &&
         (detail < Detail::elements || !may_hold_a_shape(value.type));
}

bool knows(const InferredValue& value, Detail detail) {
  if (value.inferred >= detail) return true;
  // A declared type for a node's output is no answer before the output has been inferred.
  if (value.declared != nullptr && detail != Detail::element_type) return false;
  return says(value, detail);
}

// Completes an inferred type from the declared one.
void complete_from_declaration(InferredValue& value) {
  if (value.declared == nullptr) return;
  TypeProto declared = *value.declared;
  drop_negative_dimensions(declared);
  // Exporters invent dimension names for outputs of custom nodes; those of graph
  // inputs have a meaning.
  drop_dimension_names(declared);
  value.contradicted |= contradict(value.type, declared);
  fill_from(value.type, declared);
}

// The type of the sequences that an RNN, a GRU or an LSTM takes, if only the lengths or the initial
// states tell how many these are: onnx's inference functions ask the sequences alone.
std::optional<TypeProto> sequences_of_known_count(const ValueScope& scope, const NodeView& node,
                                                  const std::vector<KnownValue>& inputs) {
  const TypeProto* sequences = inputs.empty() ? nullptr : inputs[0].type;
  if (node.role != OperatorRole::recurrent || sequences == nullptr || sequences->tensor_type().shape().dim_size() != 3)
    return std::nullopt;
  const onnx::AttributeProto* layout = find_attribute(scope.message(node), "layout");
  const bool batch_first = layout != nullptr && layout->i() == 1;
  const int own_place = batch_first ? 0 : 1;
  if (sequences->tensor_type().shape().dim(own_place).has_dim_value()) return std::nullopt;
  for (size_t input = 4; input < std::min<size_t>(inputs.size(), 7); ++input) {
    const TypeProto* other = inputs[input].type;
    const int place = input == 4 || batch_first ? 0 : 1;
    if (other == nullptr || place >= other->tensor_type().shape().dim_size()) continue;
    const auto& count = other->tensor_type().shape().dim(place);
    if (!count.has_dim_value()) continue;
    TypeProto known = *sequences;
    known.mutable_tensor_type()->mutable_shape()->mutable_dim(own_place)->set_dim_value(count.dim_value());
    return known;
  }
  return std::nullopt;
}

// Which input of the node that holds a body becomes this input of the body, or -1.
int holder_input_of(const NodeView& holder, int body_input) {
  const bool is_loop = holder.role == OperatorRole::loop;
  const bool is_scan = holder.role == OperatorRole::scan;
  if (body_input < (is_loop ? 2 : 0) || (!is_loop && !is_scan && holder.role != OperatorRole::sequence_map)) return -1;
  const int input = is_scan && has_batches(holder) ? body_input + 1 : body_input;
  return input < static_cast<int>(holder.inputs.size()) ? input : -1;
}

void make_scan_body_input(TypeProto& type, const NodeView& scan, const NodeProto& message, int body_input) {
  int64_t scan_inputs = 0;
  const onnx::AttributeProto* axes = nullptr;
  for (const auto& attribute : message.attribute()) {
    if (attribute.name() == "num_scan_inputs") scan_inputs = attribute.i();
    if (attribute.name() == "scan_input_axes") axes = &attribute;
  }
  const int64_t body_inputs = message.input_size() - (has_batches(scan) ? 1 : 0);
  const int64_t scan_input = body_input - (body_inputs - scan_inputs);
  if (has_batches(scan)) drop_dimension(type, 0);
  if (scan_input < 0) return;  // carried from one iteration to the next
  drop_dimension(type,
                 axes != nullptr && scan_input < axes->ints_size() ? axes->ints(static_cast<int>(scan_input)) : 0);
}

// The type of a body's input, from the type of the input of the node that holds the body.
TypeProto body_input_type(const ValueScope& body, const NodeView& holder, int body_input, const TypeProto& outside) {
  TypeProto type = outside;
  switch (holder.role) {
    case OperatorRole::loop:
      drop_shape(type);  // the body may give it another in each iteration
      break;
    case OperatorRole::scan:
      make_scan_body_input(type, holder, body.message(holder), body_input);
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
  explicit Memory(InferredCalls& calls) : calls_(calls) {}

  InferredValue* find(const ValueScope& scope, ValueId id) {
    if (id == absent_value) return nullptr;
    for (const ValueScope* visible = &scope; visible != nullptr; visible = visible->enclosing()) {
      ScopeMemory& memory = scopes_[visible];
      if (const auto found = memory.visible.find(id); found != memory.visible.end()) {
        if (visible != &scope) scopes_[&scope].visible.emplace(id, found->second);
        return found->second;
      }
      if (!visible->defines(id)) continue;
      memory.own.push_back({visible, id, *google::protobuf::Arena::CreateMessage<TypeProto>(&memory.types)});
      InferredValue& value = memory.own.back();
      memory.visible.emplace(id, &value);
      if (visible != &scope) scopes_[&scope].visible.emplace(id, &value);
      return &value;
    }
    return nullptr;
  }

  // Infers depth first, with a stack of its own: a chain of nodes can be too long
  // for the thread's stack.
  void learn(InferredValue& wanted, Detail detail) {
    std::vector<Visit> stack;
    begin(stack, wanted, detail);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.next < visit.sources.size()) {
        InferredValue* source = visit.sources[visit.next++];
        if (source != nullptr) begin(stack, *source, detail_of(*source, visit));
        continue;
      }
      infer(visit);
      visit.value->in_progress = false;
      stack.pop_back();
    }
  }

  std::string problem_of_maker(const ValueScope& scope, ValueId id, size_t most_nodes) {
    InferredValue* value = find(scope, id);
    if (value == nullptr) return {};
    Visit visit{.value = value, .detail = Detail::elements, .detail_of_sources = Detail::elements};
    visit.node = value->scope->producer(id);
    if (!learn_inputs(visit, *value->scope, most_nodes)) return {};
    read_declaration(*value);
    learn_element_type(*value);
    value->inferred = Detail::elements;
    if (shape_rule_is_all(visit.node) && infer_by_rule(visit)) return {};
    std::string problem = infer_outputs_of(visit);
    return problem.empty() ? problem_beyond(*value->scope, visit) : problem;
  }

  std::vector<TypeProto> types_made(const ValueScope& scope, const NodeView& node) {
    Visit visit{.value = nullptr, .detail = Detail::elements, .detail_of_sources = Detail::elements};
    visit.node = node;
    add_sources(visit, scope);
    for (InferredValue* source : visit.sources) {
      if (source != nullptr) learn(*source, Detail::elements);
    }
    std::vector<TypeProto> types;
    for (InferredOutput& output : infer_outputs_in(scope, visit, false).outputs)
      types.push_back(std::move(output.type));
    return types;
  }

  void forget(const ValueScope& scope, ValueId id) {
    const auto memory = scopes_.find(&scope);
    if (memory == scopes_.end()) return;
    const auto found = memory->second.visible.find(id);
    if (found == memory->second.visible.end()) return;
    InferredValue& value = *found->second;
    value.type.Clear();
    value.elements.reset();
    value.declared = nullptr;
    value.inferred = Detail::nothing;
    value.read = value.in_progress = value.is_constant = value.contradicted = false;
  }

  void forget(const ValueScope& scope) { scopes_.erase(&scope); }

  void forget_inferred(const ValueScope& scope) {
    std::vector<ValueId> values = contradicted(scope);
    scopes_.erase(&scope);
    if (!values.empty()) scopes_[&scope].contradicted = std::move(values);
  }

  std::vector<ValueId> contradicted(const ValueScope& scope) const {
    const auto memory = scopes_.find(&scope);
    if (memory == scopes_.end()) return {};
    std::vector<ValueId> values = memory->second.contradicted;
    for (const InferredValue& value : memory->second.own) {
      if (value.contradicted) values.push_back(value.id);
    }
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

 private:
  struct Visit {
    InferredValue* value;
    Detail detail;
    Detail detail_of_sources;
    NodeView node = {};      // the node whose output, or whose body's input, the value is
    int body_input = -1;     // which input of the body; -1 for an output
    bool by_shapes = false;  // the shape is that of `sources`, broadcast; there is no node
    // The node's inputs in order, then what its bodies capture; for a body's input, the one value
    // that it gets.
    std::vector<InferredValue*> sources = {};
    std::vector<std::string_view> captured = {};
    size_t next = 0;
  };

  // Which detail is needed of a source. The elements of one value may tell how many dimensions
  // another has, as the shape that a Reshape takes does.
  static Detail detail_of(InferredValue& source, const Visit& visit) {
    if (visit.detail_of_sources != Detail::shape || visit.by_shapes || shape_rule(visit.node) != ShapeRule::unknown)
      return visit.detail_of_sources;
    read_declaration(source);
    learn_element_type(source);
    const bool may_tell = has_shape(source.type) ? may_hold_a_shape(source.type) : has_elements_of_a_shape(source.type);
    return may_tell ? Detail::elements : Detail::shape;
  }

  // Whether at most so many nodes have to be inferred for the value.
  bool is_near(InferredValue& value, size_t most_nodes) {
    std::vector<InferredValue*> open = {&value};
    std::unordered_set<const InferredValue*> seen;
    while (!open.empty()) {
      InferredValue* next = open.back();
      open.pop_back();
      if (next == nullptr) continue;
      read_declaration(*next);
      if (next->inferred >= Detail::elements || next->is_constant || !seen.insert(next).second) continue;
      if (seen.size() > most_nodes) return false;
      const NodeView node = next->scope->producer(next->id);
      if (node.has_bodies || node.meaning.function != nullptr) return false;
      for (const ValueId input : node.inputs) open.push_back(find(*next->scope, input));
    }
    return true;
  }

  // Learns all that is known of the inputs of a node that is held against its schema. False where
  // that is too little: what is inferred from a part of what is known would be wrong.
  bool learn_inputs(Visit& visit, const ValueScope& scope, size_t most_nodes) {
    const NodeView& node = visit.node;
    if (node.meaning.version == nullptr || node.has_bodies || node.inputs.empty()) return false;
    for (const ValueId input : node.inputs) {
      InferredValue* source = visit.sources.emplace_back(find(scope, input));
      if (source == nullptr) continue;
      if (most_nodes != TypeInference::any_number && !is_near(*source, most_nodes)) return false;
      learn(*source, Detail::elements);
      if (source->type.value_case() == TypeProto::VALUE_NOT_SET) return false;
    }
    return true;
  }

  // Whether the schema has no more against the node's inputs than that they do not broadcast: an
  // operator with attributes, or one with an input whose shape does not tell the output's, may ask
  // for a rank.
  static bool shape_rule_is_all(const NodeView& node) {
    const OperatorVersion& version = *node.meaning.version;
    return version.attributes.empty() && (shape_rule(node) != ShapeRule::of_first_input || version.max_inputs == 1);
  }

  // What there is against the node beyond what its inference function says by what is known of its
  // inputs. A runtime that computes before the model runs what can be has constants where only
  // elements are known, and one that has no kernel for an operator takes the function of its
  // schema.
  std::string problem_beyond(const ValueScope& scope, const Visit& visit) {
    const bool any = std::ranges::any_of(
        visit.sources, [](const InferredValue* source) { return source != nullptr && has_all_elements(*source); });
    if (any) {
      if (std::string problem = infer_outputs_in(scope, visit, true).problem; !problem.empty()) return problem;
    }
    return problem_in_function(scope.message(visit.node), *visit.node.meaning.version, known_inputs(visit), scope);
  }

  static bool has_all_elements(const InferredValue& value) {
    return value.elements != nullptr && !value.is_constant &&
           std::ranges::all_of(value.elements->dim(), [](const auto& dim) { return dim.has_dim_value(); });
  }

  void begin(std::vector<Visit>& stack, InferredValue& value, Detail detail) {
    read_declaration(value);
    if (value.in_progress) return;  // the graph has a cycle, and the value stays unknown
    if (!has_element_type(value.type)) learn_element_type(value);
    if (detail == Detail::elements && value.is_constant) read_elements(value);
    if (knows(value, detail)) return;
    Visit visit{.value = &value, .detail = detail, .detail_of_sources = detail};
    const ValueScope& scope = *value.scope;
    if (begin_by_shapes(visit)) {
      value.in_progress = true;
      stack.push_back(std::move(visit));
      return;
    }
    visit.node = scope.producer(value.id);
    if (visit.node) {
      if (detail == Detail::dimensions)
        visit.detail = visit.detail_of_sources = Detail::elements;  // one inference tells both
      add_sources(visit, scope);
    } else if (scope.enclosing() != nullptr) {
      visit.node = scope.holder();
      visit.body_input = scope.graph_input_index(value.id);
      const int input = visit.node ? holder_input_of(visit.node, visit.body_input) : -1;
      if (input >= 0) visit.sources.push_back(find(*scope.enclosing(), visit.node.inputs[static_cast<size_t>(input)]));
      if (visit.node.role == OperatorRole::loop) visit.detail_of_sources = Detail::element_type;
    }
    value.in_progress = true;
    stack.push_back(std::move(visit));
  }

  // Adds the values that the node and its bodies read.
  void add_sources(Visit& visit, const ValueScope& scope) {
    for (const ValueId input : visit.node.inputs) visit.sources.push_back(find(scope, input));
    if (!visit.node.has_bodies) return;
    visit.captured = captured_values(scope.message(visit.node));
    for (const std::string_view name : visit.captured) visit.sources.push_back(find(scope, scope.value_of(name)));
  }

  // The values whose shapes, broadcast, are the shape of `id`, where the operator table or the
  // nodes of a run say so. Mostly it is one value.
  static std::vector<ValueId> shape_sources(const ValueScope& scope, ValueId id) {
    std::vector<ValueId> of_run = scope.shape_sources(id);
    if (!of_run.empty()) return of_run;
    const NodeView node = scope.producer(id);
    const bool is_of_first = shape_rule(node) == ShapeRule::of_first_input && !node.inputs.empty() &&
                             node.inputs[0] != absent_value && node.outputs[0] == id;
    return is_of_first ? std::vector<ValueId>{node.inputs[0]} : std::vector<ValueId>();
  }

  // Goes from a value back through nodes that do not change the shape, as long as nothing is
  // declared or known of their outputs, and returns the value that it reaches. To infer each of
  // these outputs would take twenty times as long.
  InferredValue* find_shape(const ValueScope& scope, ValueId id) {
    // A limit, so that many values behind a long chain of nodes do not each go through all of it.
    constexpr int most_passed = 64;
    const ScopeMemory& memory = scopes_[&scope];
    for (int passed = 0; passed < most_passed && id != absent_value; ++passed) {
      if (memory.visible.contains(id) || scope.declared_type(id) != nullptr) break;
      const std::vector<ValueId> sources = shape_sources(scope, id);
      if (sources.size() != 1) break;
      id = sources.front();
    }
    return find(scope, id);
  }

  // If nobody asks for the elements of a value, its shape is all that has to be inferred.
  bool begin_by_shapes(Visit& visit) {
    const InferredValue& value = *visit.value;
    if (visit.detail < Detail::shape || !has_element_type(value.type) || may_hold_a_shape(value.type)) return false;
    for (const ValueId source : shape_sources(*value.scope, value.id))
      visit.sources.push_back(find_shape(*value.scope, source));
    if (visit.sources.empty()) return false;
    visit.by_shapes = true;
    if (visit.detail == Detail::dimensions) visit.detail = Detail::elements;
    visit.detail_of_sources = std::min(visit.detail, Detail::dimensions);
    return true;
  }

  static void read_elements(InferredValue& value) {
    if (value.inferred == Detail::elements) return;
    value.inferred = Detail::elements;
    const TensorProto* constant = may_hold_a_shape(value.type) ? value.scope->constant(value.id) : nullptr;
    if (constant == nullptr) return;
    if (auto elements = elements_of(*constant))
      value.elements = std::make_unique<TensorShapeProto>(std::move(*elements));
  }

  // Reads the element type that the scope knows without inference.
  static void learn_element_type(InferredValue& value) {
    const int element_type = value.scope->element_type(value.id);
    if (element_type == 0) return;
    if (value.type.value_case() == TypeProto::VALUE_NOT_SET || value.type.has_tensor_type())
      value.type.mutable_tensor_type()->set_elem_type(element_type);
  }

  void infer(const Visit& visit) {
    InferredValue& value = *visit.value;
    value.inferred = std::max(value.inferred, visit.detail);
    if (visit.by_shapes) {
      broadcast_sources(visit, visit.sources.size());
      complete_from_declaration(value);
      return;
    }
    if (!visit.node) return;
    if (visit.body_input >= 0) {
      infer_body_input(visit);
    } else if (!infer_by_rule(visit)) {
      infer_outputs_of(visit);
    }
  }

  static void infer_body_input(const Visit& visit) {
    TypeProto& type = visit.value->type;
    if (visit.node.role == OperatorRole::loop && visit.body_input < 2) {
      fill_from(type, tensor_type(visit.body_input == 0 ? TensorProto::INT64 : TensorProto::BOOL));
    } else if (!visit.sources.empty() && visit.sources.front() != nullptr) {
      fill_from(type, body_input_type(*visit.value->scope, visit.node, visit.body_input, visit.sources.front()->type));
    }
  }

  // The constant, if it is short enough to decide a shape; weights are not read.
  static const TensorProto* constant_for_a_shape(const InferredValue& value) {
    constexpr int64_t most_elements = 4096;
    if (!value.is_constant || !value.type.has_tensor_type()) return nullptr;
    int64_t elements = 1;
    for (const auto& dim : value.type.tensor_type().shape().dim()) {
      if (__builtin_mul_overflow(elements, dim.dim_value(), &elements) || elements > most_elements) return nullptr;
    }
    return value.scope->constant(value.id);
  }

  static KnownValue known(const InferredValue* value) {
    if (value == nullptr) return {};
    return {.type = value->type.value_case() == TypeProto::VALUE_NOT_SET ? nullptr : &value->type,
            .constant = constant_for_a_shape(*value),
            .elements = value->elements.get()};
  }

  static ShapeRule shape_rule(const NodeView& node) {
    if (node.role == OperatorRole::identity || node.role == OperatorRole::cast) return ShapeRule::of_first_input;
    return node.meaning.version == nullptr ? ShapeRule::unknown : node.meaning.version->shape_rule;
  }

  // Infers a shape by the operator table, which knows the shapes of most operators' outputs: it
  // takes a hundredth of the time of onnx's inference functions, and creates no schemas. Returns
  // false where the table does not tell all that is asked for.
  static bool infer_by_rule(const Visit& visit) {
    InferredValue& value = *visit.value;
    const NodeView& node = visit.node;
    const ShapeRule rule = shape_rule(node);
    if (rule == ShapeRule::unknown || node.outputs[0] != value.id || node.inputs.empty()) return false;
    const int element_type = value.type.has_tensor_type() ? value.type.tensor_type().elem_type() : 0;
    if (element_type == 0) return false;
    if (!broadcast_sources(visit, rule == ShapeRule::of_first_input ? 1 : node.inputs.size())) return false;
    // The table does not tell the elements of a value that may be a shape.
    if (visit.detail == Detail::elements && may_hold_a_shape(value.type)) return false;
    complete_from_declaration(value);
    return true;
  }

  // Gives the value the broadcast shape of the first `count` sources, if these shapes are known.
  // Returns false where they cannot be broadcast to each other.
  static bool broadcast_sources(const Visit& visit, size_t count) {
    std::vector<const TensorShapeProto*> shapes;
    shapes.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      const InferredValue* source = visit.sources[i];
      if (source == nullptr || !source->type.has_tensor_type() || !source->type.tensor_type().has_shape()) return true;
      shapes.push_back(&source->type.tensor_type().shape());
    }
    TensorShapeProto shape;
    if (!broadcast(shapes, shape)) return false;
    *visit.value->type.mutable_tensor_type()->mutable_shape() = std::move(shape);
    return true;
  }

  static bool broadcast(const std::vector<const TensorShapeProto*>& shapes, TensorShapeProto& result) {
    try {
      if (shapes.size() == 1) {
        result = *shapes.front();
      } else {
        onnx::multidirectionalBroadcastShapeInference(shapes, result);
      }
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  static std::vector<KnownValue> known_inputs(const Visit& visit) {
    std::vector<KnownValue> inputs;
    for (size_t i = 0; i < visit.node.inputs.size(); ++i) inputs.push_back(known(visit.sources[i]));
    return inputs;
  }

  // `ahead`: inputs whose elements are known are taken for constants.
  InferredNode infer_outputs_in(const ValueScope& scope, const Visit& visit, bool ahead) {
    const NodeView& node = visit.node;
    const size_t input_count = node.inputs.size();
    std::vector<KnownValue> inputs = known_inputs(visit);
    std::deque<TensorProto> computed;
    for (size_t i = 0; ahead && i < input_count; ++i) {
      const InferredValue* source = visit.sources[i];
      if (source != nullptr && has_all_elements(*source))
        inputs[i].constant = &computed.emplace_back(tensor_of(source->type, *source->elements));
    }
    const std::optional<TypeProto> sequences = sequences_of_known_count(scope, node, inputs);
    if (sequences) inputs[0].type = &*sequences;
    KnownValues around;
    for (size_t i = 0; i < visit.captured.size(); ++i)
      around.values.emplace(visit.captured[i], known(visit.sources[input_count + i]));

    return infer_outputs(scope.message(node), node.meaning, inputs, around, scope, calls_);
  }

  // Infers a node's outputs, and returns the problem that its inference function reports.
  std::string infer_outputs_of(const Visit& visit) {
    const NodeView& node = visit.node;
    const ValueScope& scope = *visit.value->scope;
    InferredNode inferred = infer_outputs_in(scope, visit, false);
    std::vector<InferredOutput>& outputs = inferred.outputs;
    for (size_t i = 0; i < node.outputs.size() && i < outputs.size(); ++i) {
      // In an invalid model, the scope may know this name as the output of another node.
      if (scope.producer(node.outputs[i]).node != node.node) continue;
      InferredValue* output = find(scope, node.outputs[i]);
      if (output == nullptr) continue;
      read_declaration(*output);
      output->inferred = std::max(output->inferred, visit.detail);
      TypeProto type = std::move(outputs[i].type);
      fill_from(type, output->type);
      output->type = std::move(type);
      if (outputs[i].elements) output->elements = std::make_unique<TensorShapeProto>(std::move(*outputs[i].elements));
      complete_from_declaration(*output);
    }
    return std::move(inferred.problem);
  }

  std::unordered_map<const ValueScope*, ScopeMemory> scopes_;
  InferredCalls& calls_;
};

TypeInference::TypeInference(InferredCalls& calls) : memory_(std::make_unique<Memory>(calls)) {}
TypeInference::~TypeInference() = default;

const TypeProto* TypeInference::type_of(const ValueScope& scope, ValueId id, Detail detail) {
  InferredValue* value = memory_->find(scope, id);
  if (value == nullptr) return nullptr;
  memory_->learn(*value, detail);
  return value->type.value_case() == TypeProto::VALUE_NOT_SET ? nullptr : &value->type;
}

std::string TypeInference::problem_of_maker(const ValueScope& scope, ValueId value, size_t most_nodes) {
  return memory_->problem_of_maker(scope, value, most_nodes);
}

int TypeInference::element_type(const ValueScope& scope, ValueId value) {
  if (const int known = scope.element_type(value); known != 0) return known;
  const TypeProto* type = type_of(scope, value, Detail::element_type);
  return type == nullptr ? 0 : type->tensor_type().elem_type();
}

std::vector<TypeProto> TypeInference::types_made(const ValueScope& scope, const NodeView& node) {
  return memory_->types_made(scope, node);
}

void TypeInference::forget(const ValueScope& scope, ValueId value) { memory_->forget(scope, value); }
void TypeInference::forget(const ValueScope& scope) { memory_->forget(scope); }
void TypeInference::forget_inferred(const ValueScope& scope) { memory_->forget_inferred(scope); }
std::vector<ValueId> TypeInference::contradicted(const ValueScope& scope) const { return memory_->contradicted(scope); }

}  // namespace onnx_lower
