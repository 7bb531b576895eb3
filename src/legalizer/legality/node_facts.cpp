// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legality/node_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "error.h"
#include "legalizer/knowledge/constant_elements.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/scope/value_bounds.h"
#include "model_file/attribute_head.h"
#include "model_file/protobuf_message.h"
#include "model_file/tensor_skeleton.h"
#include "standard_operators/default_value.h"
#include "standard_operators/element_type_source.h"
#include "standard_operators/kept_axes.h"
#include "standard_operators/node_attribute.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

using Parameters = std::span<const OperatorParameter>;

// The index of the parameter of that name among the node's inputs or outputs, of a variadic one its
// first; npos where there is none. `prefix` with an index behind it is a name, too, such as
// "input_2". `version`: null for an operator that ONNX does not define.
size_t place_of(std::string_view name, std::string_view prefix, const OperatorVersion* version,
                Parameters OperatorVersion::*parameters_of) {
  const Parameters parameters = version == nullptr ? Parameters() : version->*parameters_of;
  const auto found = std::ranges::find(parameters, name, &OperatorParameter::name);
  if (found != parameters.end()) return static_cast<size_t>(found - parameters.begin());
  size_t place = std::string_view::npos;
  if (name.starts_with(prefix)) std::from_chars(name.data() + prefix.size(), name.data() + name.size(), place);
  return place;
}

ValueId value_at(std::span<const ValueId> values, size_t place) {
  return place < values.size() ? values[place] : absent_value;
}

// The inputs on whose elements the outputs of the node depend. A Shape has none: a runtime that
// knows the shape of its input knows its output.
std::span<const ValueId> inputs_read_by_element(const NodeView& node) {
  if (node.has_bodies || node.role == OperatorRole::shape) return {};
  return node.role == OperatorRole::cast_like ? node.inputs.first(std::min<size_t>(1, node.inputs.size()))
                                              : node.inputs;
}

// Whether the value is computed from the elements of an input of its graph, so that no runtime can
// take it for a constant. False also where that takes too long to tell. What is found to depend on
// inputs is remembered: in a chain, each node may be asked.
bool depends_on_elements_of_inputs(ValueId value, const GraphScope& scope) {
  constexpr size_t most_values = 256;
  size_t inputs_left = 4 * most_values;  // a Concat may read one value a hundred thousand times
  std::vector<std::pair<ValueId, const GraphScope*>> left = {{value, &scope}};
  std::unordered_set<ValueId> seen = {value};
  while (!left.empty()) {
    const auto [at, where] = left.back();
    left.pop_back();
    const bool is_known = where->values_of_inputs().contains(at);
    if (!is_known && where->constant_type(at) != nullptr) continue;
    const NodeView maker = is_known ? NodeView() : where->producer(at);
    if (!maker) {
      scope.values_of_inputs().insert(value);
      return true;
    }
    for (const ValueId read : inputs_read_by_element(maker)) {
      if (inputs_left-- == 0) return false;
      if (!seen.insert(read).second) continue;
      const GraphScope* of = defining_scope(where, read);
      if (of == nullptr) continue;
      if (seen.size() > most_values) return false;
      left.emplace_back(read, of);
    }
  }
  return false;
}

}  // namespace

ValueId NodeFacts::input(std::string_view name) const {
  return value_at(node_.inputs(), place_of(name, "input_", version_, &OperatorVersion::inputs));
}

ValueId NodeFacts::output(std::string_view name) const {
  const size_t place = place_of(name, "output_", version_, &OperatorVersion::outputs);
  // The message may be without an output that the node has and nothing reads.
  if (message_ != nullptr &&
      (place >= static_cast<size_t>(message_->output_size()) || message_->output(static_cast<int>(place)).empty()))
    return absent_value;
  return value_at(node_.outputs(), place);
}

// Without a message, the bytes of the node are asked. Its subgraphs may have changed since these
// were read, but no condition asks what subgraphs hold.
bool NodeFacts::is_given(std::string_view name) const {
  return message_ == nullptr ? !attribute_named(node_.wire, name).empty() : find_attribute(*message_, name) != nullptr;
}

const onnx::AttributeProto* NodeFacts::attribute(std::string_view name) const {
  if (message_ != nullptr) {
    if (const onnx::AttributeProto* there = find_attribute(*message_, name)) return there;
  }
  if (const auto known = attributes_.find(name); known != attributes_.end()) return &known->second;
  // To parse the whole node would take longer than all else that is asked about it.
  const Bytes wire = message_ == nullptr ? attribute_named(node_.wire, name) : Bytes();
  if (!wire.empty()) {
    onnx::AttributeProto& attribute = attributes_[std::string(name)];
    if (parse_message(attribute, wire)) return &attribute;
    throw InvalidInput(fmt::format("{}: attribute '{}' of node '{}' cannot be read", model_.input().path(), name,
                                   display_name(model_, node_)));
  }
  const OperatorAttribute* known = version_ == nullptr ? nullptr : version_->attribute(name);
  if (known == nullptr) return elements_as_attribute(name);
  if (known->default_value.empty()) return nullptr;
  return &attributes_.try_emplace(std::string(name), default_value(*known)).first->second;
}

const onnx::AttributeProto* NodeFacts::elements_as_attribute(std::string_view name) const {
  if (!name.starts_with(prefix_of_elements)) return nullptr;
  const ValueId value = input(name.substr(prefix_of_elements.size()));
  const KnownTensor* known = value == absent_value || known_ == nullptr ? nullptr : known_->find(scope_, value);
  if (known == nullptr || !known->is_known() || !is_signed_integer(known->element_type)) return nullptr;
  scope_.note_asked_beyond_call();
  onnx::AttributeProto& attribute = attributes_[std::string(name)];
  attribute.set_name(std::string(name));
  if (known->dims.empty()) {
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(*known->elements.front());
    return &attribute;
  }
  attribute.set_type(onnx::AttributeProto::INTS);
  for (const std::optional<int64_t>& element : known->elements) attribute.add_ints(*element);
  return &attribute;
}

const onnx::TypeProto* NodeFacts::type(std::string_view name, Detail detail) const {
  const ValueId value = input(name);
  if (value == absent_value) {
    const ValueId made = output(name);
    return made == absent_value ? nullptr : type_of_output(made, detail);
  }
  if (detail == Detail::element_type) {
    if (const int element_type = scope_.element_type(value); element_type != 0) return tensor_type_of(element_type);
  }
  const bool infers = types_ != nullptr && (known_ != nullptr || detail == Detail::element_type);
  const onnx::TypeProto* inferred = infers ? types_->type_of(scope_, value, detail) : nullptr;
  const onnx::TensorShapeProto* shape = inferred == nullptr ? nullptr : shape_of(inferred);
  const bool is_whole =
      shape != nullptr && std::ranges::all_of(shape->dim(), &onnx::TensorShapeProto_Dimension::has_dim_value);
  if (detail == Detail::element_type || is_whole) return inferred;
  const onnx::TypeProto* computed = type_of_known(value);
  if (computed == nullptr) computed = type_of_reshaped(value);
  return computed == nullptr ? inferred : computed;
}

const onnx::TypeProto* NodeFacts::type_of_output(ValueId made, Detail detail) const {
  const onnx::TypeProto* declared = scope_.declared_type(made);
  if (declared != nullptr || detail != Detail::element_type || made != node_.outputs()[0]) return declared;
  const OperatorFacts& facts = scope_.facts(node_);
  int given = facts.first_output.otherwise;
  if (facts.role == OperatorRole::constant) given = element_type_of_constant(node_.wire);
  const TypeAttribute* deciding = facts.first_output.attribute;
  const onnx::AttributeProto* says = deciding == nullptr ? nullptr : attribute(deciding->attribute);
  if (says != nullptr) given = element_type_in(*says);
  return given > 0 && onnx::TensorProto::DataType_IsValid(given) ? tensor_type_of(given) : nullptr;
}

const onnx::TypeProto* NodeFacts::type_of_reshaped(ValueId value) const {
  const GraphScope* scope = known_ == nullptr ? nullptr : defining_scope(&scope_, value);
  const NodeView maker = scope == nullptr ? NodeView() : scope->producer(value);
  if (maker.role != OperatorRole::reshape || maker.inputs.size() != 2 || maker.inputs[1] == absent_value)
    return nullptr;
  const KnownTensor* shape = known_->find(*scope, maker.inputs[1]);
  // A 0 or a -1 in it stands for a dimension of the input.
  if (shape == nullptr || !shape->is_known() || shape->dims.size() != 1 ||
      std::ranges::any_of(shape->elements, [](const auto& size) { return *size <= 0; }))
    return nullptr;
  std::vector<int64_t> dims;
  for (const std::optional<int64_t>& size : shape->elements) dims.push_back(*size);
  return &(types_of_known_[value] = tensor_type(scope->element_type(value), dims));
}

const onnx::TypeProto* NodeFacts::type_of_known(ValueId value) const {
  const KnownTensor* known = known_ == nullptr ? nullptr : known_->find(scope_, value);
  return known == nullptr ? nullptr : &(types_of_known_[value] = tensor_type(known->element_type, known->dims));
}

std::optional<std::vector<double>> NodeFacts::known_elements(ValueId value) const {
  const KnownTensor* known = known_ == nullptr ? nullptr : known_->find(scope_, value);
  const bool is_number = known != nullptr && known->is_known() &&
                         (is_signed_integer(known->element_type) || is_float_or_double(known->element_type));
  if (!is_number) return std::nullopt;
  std::vector<double> numbers;
  for (const std::optional<int64_t>& element : known->elements) {
    numbers.push_back(is_signed_integer(known->element_type) ? static_cast<double>(*element)
                                                             : number_of(*element, known->element_type));
  }
  return numbers;
}

std::optional<bool> NodeFacts::is_constant(std::string_view name) const {
  const ValueId value = input(name);
  if (value == absent_value) return std::nullopt;
  scope_.note_asked_beyond_call();
  const GraphScope* scope = defining_scope(&scope_, value);
  if (scope == nullptr) return std::nullopt;
  if (scope->constant_type(value) != nullptr) return true;
  return depends_on_elements_of_inputs(value, *scope) ? std::optional(false) : std::nullopt;
}

bool NodeFacts::is_made_by(std::string_view name, std::span<const std::string> op_types) const {
  ValueId value = input(name);
  const GraphScope* scope = &scope_;
  for (size_t index = 0; index < op_types.size(); ++index) {
    if (!scope->is_made_by(value, op_types[index])) return false;
    if (index + 1 == op_types.size()) break;
    scope = defining_scope(scope, value);
    const std::span<const ValueId> inputs = scope->producer(value).inputs;
    value = inputs.empty() ? absent_value : inputs[0];
  }
  return true;
}

bool NodeFacts::is_behind(std::string_view name, std::string_view op_type) const {
  constexpr size_t most_values = 256;
  scope_.note_asked_beyond_call();
  std::vector<std::pair<ValueId, const GraphScope*>> left;
  std::unordered_set<ValueId> seen;
  const auto reach = [&](ValueId value, const GraphScope* from) {
    const GraphScope* of = value == absent_value ? nullptr : defining_scope(from, value);
    if (of != nullptr && seen.size() < most_values && seen.insert(value).second) left.emplace_back(value, of);
  };
  reach(input(name), &scope_);
  while (!left.empty()) {
    const auto [value, of] = left.back();
    left.pop_back();
    if (of->is_made_by(value, op_type)) return true;
    const NodeView maker = of->producer(value);
    if (!maker || maker.has_bodies || !keeps_axes(of->message(maker), opset_)) continue;
    for (const ValueId read : maker.inputs) reach(read, of);
  }
  return false;
}

bool NodeFacts::is_read_by(std::string_view name, std::span<const std::string> op_types) const {
  scope_.note_asked_beyond_call();
  return readers_.has(named(name), op_types);
}

bool NodeFacts::holds(const Node& node, std::span<const std::string> op_types) const {
  if (op_types.empty()) return true;
  bool found = false;
  for (const Graph& graph : node.graphs()) {
    for_each_own_node(graph, [&](const Node& inner) {
      const Operator& op = model_.op(inner.op);
      const bool is_next = op.domain.empty() && op.op_type == op_types.front();
      found = found || holds(inner, is_next ? op_types.subspan(1) : op_types);
    });
  }
  return found;
}

bool NodeFacts::is_iteration(std::string_view name) const {
  scope_.note_asked_beyond_call();
  const ValueId value = input(name);
  const GraphScope* scope = defining_scope(&scope_, value);
  return scope != nullptr && scope->holder_role() == OperatorRole::loop && scope->graph_input_index(value) == 0;
}

bool NodeFacts::is_accumulated(std::string_view name) const {
  scope_.note_asked_beyond_call();
  if (scope_.holder_role() != OperatorRole::loop || node_.outputs().empty()) return false;
  // The body gets the number of the iteration and a condition before its states, and gives the
  // condition before them.
  const int place = scope_.graph_input_index(input(name));
  const std::span<const ValueId> begins = scope_.holder().inputs;
  const std::vector<ValueInfo>& gives = scope_.declarations().graph().outputs;
  if (place < 2 || std::cmp_greater_equal(place, begins.size()) || std::cmp_greater(place, gives.size())) return false;
  return gives[static_cast<size_t>(place) - 1].value == node_.outputs()[0] &&
         scope_.enclosing()->is_made_by(begins[static_cast<size_t>(place)], "SequenceEmpty");
}

bool NodeFacts::is_nonnegative(std::string_view name) const {
  scope_.note_asked_beyond_call();
  ValueId value = input(name);
  const GraphScope* scope = defining_scope(&scope_, value);
  for (int followed = 0; scope != nullptr && followed < most_followed; ++followed) {
    // A Cast keeps the signs.
    const NodeView maker = scope->producer(value);
    const bool keeps_signs = maker.role == OperatorRole::identity || maker.role == OperatorRole::cast ||
                             maker.role == OperatorRole::cast_like;
    if (!keeps_signs || maker.inputs.empty() || maker.inputs[0] == absent_value) break;
    value = maker.inputs[0];
    scope = defining_scope(scope, value);
  }
  if (scope != nullptr) {
    if (const ConstantElements* elements = scope->constant_elements(value)) return elements->have_no_sign;
  }
  if (const auto computed = known_elements(value)) return std::ranges::all_of(*computed, has_no_sign);
  return bounds_of(scope_, value).least >= 0;
}

bool NodeFacts::is_stretched(std::string_view name) const {
  if (input(name) == absent_value) return false;
  const onnx::TensorShapeProto* known = shape_of(type(name, Detail::dimensions));
  if (known == nullptr) return false;
  // A copy, as the next call of type() may change what `known` points to.
  const onnx::TensorShapeProto own = *known;
  for (size_t index = 0; index < node_.inputs().size(); ++index) {
    if (node_.inputs()[index] == absent_value) continue;
    const onnx::TensorShapeProto* other = shape_of(type(fmt::format("input_{}", index), Detail::dimensions));
    for (int from_end = 1; other != nullptr && from_end <= other->dim_size(); ++from_end) {
      const auto& dim = other->dim(other->dim_size() - from_end);
      const bool is_one = from_end > own.dim_size() || own.dim(own.dim_size() - from_end).dim_value() == 1;
      if (is_one && dim.has_dim_value() && dim.dim_value() != 1) return true;
    }
  }
  return false;
}

bool NodeFacts::is_positive(std::string_view name) const {
  scope_.note_asked_beyond_call();
  const ValueId value = input(name);
  if (value != absent_value && is_positive_here(scope_, value)) return true;
  if (const auto computed = known_elements(value)) return std::ranges::all_of(*computed, is_above_zero);
  return bounds_of(scope_, value).least > 0;
}

bool NodeFacts::is_zero(std::string_view name) const {
  scope_.note_asked_beyond_call();
  ValueId value = input(name);
  const GraphScope* scope = defining_scope(&scope_, value);
  if (scope == nullptr) return false;
  value = scope->behind_identities(value);
  scope = defining_scope(scope, value);
  if (const ConstantElements* elements = scope == nullptr ? nullptr : scope->constant_elements(value))
    return elements->have_no_sign && elements->bounds.most == 0;
  const auto computed = known_elements(value);
  return computed && std::ranges::all_of(*computed, [](double element) { return element == 0; });
}

bool NodeFacts::is_known(std::string_view name) const {
  const ValueId value = input(name);
  const GraphScope* scope = defining_scope(&scope_, value);
  if (scope != nullptr && scope->constant_type(value) != nullptr) return true;
  const KnownTensor* known = value == absent_value || known_ == nullptr ? nullptr : known_->find(scope_, value);
  return known != nullptr && known->is_known();
}

bool NodeFacts::is_static(std::string_view name) const {
  return has_type(name, [](const onnx::TypeProto* type) {
    return type != nullptr && type->has_tensor_type() && has_dimensions(*type);
  });
}

bool NodeFacts::is_ranked(std::string_view name) const {
  return has_type(name, [](const onnx::TypeProto* type) { return shape_of(type) != nullptr; });
}

bool NodeFacts::has_type(std::string_view name, bool (*is_whole)(const onnx::TypeProto* type)) const {
  if (input(name) != absent_value) return is_whole(type(name, Detail::dimensions));
  const size_t first = place_of(name, "output_", version_, &OperatorVersion::outputs);
  const bool is_last = version_ == nullptr || first + 1 == version_->outputs.size();
  const size_t end = is_last ? node_.outputs().size() : std::min(first + 1, node_.outputs().size());
  for (size_t place = first; place < end; ++place) {
    const ValueId value = node_.outputs()[place];
    if (value == absent_value || is_whole(scope_.declared_type(value))) continue;
    if (!types_made_ && types_ != nullptr && known_ != nullptr)
      types_made_ = types_->types_made(scope_, scope_.view(node_));
    if (!types_made_ || place >= types_made_->size() || !is_whole(&(*types_made_)[place])) return false;
  }
  return first < end;
}

bool NodeFacts::is_model_output(std::string_view name) const {
  scope_.note_asked_beyond_call();
  const ValueId value = named(name);
  return value != absent_value && readers_.is_model_output(value);
}

bool NodeFacts::is_present(std::string_view name) const { return named(name) != absent_value; }

}  // namespace onnx_lower
