// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/node_facts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "legalizer/node_message.h"
#include "model_file/parse_message.h"
#include "rules/constant_value.h"
#include "standard_operators/default_value.h"
#include "standard_operators/node_attribute.h"
#include "types/tensor_type.h"

namespace onnx_lower {
namespace {

// The place of a parameter among those of the node; npos when there is none of that name. Of a variadic one it is that of the first.
size_t place_of(std::string_view name, std::string_view prefix, std::span<const OperatorParameter> parameters) {
  const auto found = std::ranges::find(parameters, name, &OperatorParameter::name);
  if (found != parameters.end()) return static_cast<size_t>(found - parameters.begin());
  size_t place = std::string_view::npos;
  if (name.starts_with(prefix)) std::from_chars(name.data() + prefix.size(), name.data() + name.size(), place);
  return place;
}

ValueId value_at(std::span<const ValueId> values, size_t place) {
  return place < values.size() ? values[place] : absent_value;
}

// Those whose elements an operator's result depends on: a runtime that knows the shapes finds out what Shape says of anything.
std::span<const ValueId> inputs_read_by_element(const NodeView& node) {
  if (node.has_bodies || node.role == OperatorRole::shape) return {};
  return node.role == OperatorRole::cast_like ? node.inputs.first(std::min<size_t>(1, node.inputs.size()))
                                              : node.inputs;
}

// Whether the value is computed from the elements of an input of its graph, so that no runtime can find a constant in it. False also where that takes too long
// to tell.
bool depends_on_elements_of_inputs(ValueId value, const ValueScope& scope) {
  constexpr size_t most_values = 256;
  std::vector<std::pair<ValueId, const ValueScope*>> left = {{value, &scope}};
  std::unordered_set<ValueId> seen = {value};
  while (!left.empty()) {
    const auto [at, where] = left.back();
    left.pop_back();
    if (where->constant_type(at) != nullptr) continue;
    const NodeView maker = where->producer(at);
    if (!maker) return true;
    for (const ValueId read : inputs_read_by_element(maker)) {
      const ValueScope* of = read == absent_value ? nullptr : defining_scope(where, read);
      if (of == nullptr || !seen.insert(read).second) continue;
      if (seen.size() > most_values) return false;
      left.emplace_back(read, of);
    }
  }
  return false;
}

}  // namespace

bool is_positive_constant(const GraphScope& scope, ValueId value) {
  constexpr size_t most_bytes = size_t{1} << 16;
  const onnx::TensorProto* tensor = scope.constant_up_to(value, most_bytes);
  if (tensor == nullptr) return false;
  if (const auto floats = float_elements(*tensor))
    return std::ranges::all_of(*floats, [](double element) { return element > 0; });
  const auto integers = integer_elements(*tensor);
  return integers && std::ranges::all_of(*integers, [](int64_t element) { return element > 0; });
}

ValueId NodeFacts::input(std::string_view name) const {
  return value_at(
      node_.inputs(),
      place_of(name, "input_", version_ == nullptr ? std::span<const OperatorParameter>() : version_->inputs));
}

ValueId NodeFacts::output(std::string_view name) const {
  const size_t place =
      place_of(name, "output_", version_ == nullptr ? std::span<const OperatorParameter>() : version_->outputs);
  // The message can be without an output that the node has and nothing uses.
  if (message_ != nullptr &&
      (place >= static_cast<size_t>(message_->output_size()) || message_->output(static_cast<int>(place)).empty()))
    return absent_value;
  return value_at(node_.outputs(), place);
}

const onnx::AttributeProto* NodeFacts::given(std::string_view name) const {
  if (message_ == nullptr) message_ = &read_.emplace(node_message(model_, node_));
  return find_attribute(*message_, name);
}

const onnx::AttributeProto* NodeFacts::attribute(std::string_view name) const {
  if (const onnx::AttributeProto* there = given(name)) return there;
  const OperatorAttribute* known = version_ == nullptr ? nullptr : version_->attribute(name);
  if (known == nullptr || known->default_value.empty()) return nullptr;
  const auto [found, is_new] = defaults_.try_emplace(std::string(name));
  if (is_new) found->second = default_value(*known);
  return &found->second;
}

const onnx::TypeProto* NodeFacts::type(std::string_view name, Detail detail) const {
  const ValueId value = input(name);
  if (value == absent_value) {
    const ValueId made = output(name);
    return made == absent_value ? nullptr : scope_.declared_type(made);
  }
  if (detail == Detail::element_type) {
    if (const int element_type = scope_.element_type(value); element_type != 0) return tensor_type_of(element_type);
  }
  const onnx::TypeProto* inferred = types_ == nullptr ? nullptr : types_->type_of(scope_, value, detail);
  const onnx::TensorShapeProto* shape = inferred == nullptr ? nullptr : shape_of(inferred);
  const bool is_whole =
      shape != nullptr && std::ranges::all_of(shape->dim(), &onnx::TensorShapeProto_Dimension::has_dim_value);
  if (detail == Detail::element_type || is_whole) return inferred;
  const onnx::TypeProto* computed = type_of_known(value);
  return computed == nullptr ? inferred : computed;
}

const onnx::TypeProto* NodeFacts::type_of_known(ValueId value) const {
  const KnownTensor* known = known_ == nullptr ? nullptr : known_->find(scope_, value);
  if (known == nullptr) return nullptr;
  onnx::TypeProto& type = types_of_known_[value];
  type.mutable_tensor_type()->set_elem_type(known->element_type);
  onnx::TensorShapeProto& shape = *type.mutable_tensor_type()->mutable_shape();
  shape.clear_dim();
  for (const int64_t size : known->dims) shape.add_dim()->set_dim_value(size);
  return &type;
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
  const GraphScope* scope = defining_scope(&scope_, value);
  if (scope == nullptr) return std::nullopt;
  if (scope->constant_type(value) != nullptr) return true;
  return depends_on_elements_of_inputs(value, *scope) ? std::optional(false) : std::nullopt;
}

bool NodeFacts::is_made_by(std::string_view name, std::span<const std::string> op_types) const {
  ValueId value = input(name);
  const GraphScope* scope = &scope_;
  for (const std::string& op_type : op_types) {
    scope = value == absent_value ? nullptr : defining_scope(scope, value);
    const NodeView maker = scope == nullptr ? NodeView() : scope->producer(value);
    if (!maker) return false;
    const onnx::NodeProto& message = scope->message(maker);
    if (!message.domain().empty() || message.op_type() != op_type) return false;
    value = maker.inputs.empty() ? absent_value : maker.inputs[0];
  }
  return true;
}

bool NodeFacts::is_read_by(std::string_view name, std::span<const std::string> op_types) const {
  const ValueId read = input(name);
  return readers_.has(read == absent_value ? output(name) : read, op_types);
}

bool NodeFacts::is_iteration(std::string_view name) const {
  const ValueId value = input(name);
  const GraphScope* scope = value == absent_value ? nullptr : defining_scope(&scope_, value);
  return scope != nullptr && scope->holder_role() == OperatorRole::loop && scope->graph_input_index(value) == 0;
}

bool NodeFacts::is_nonnegative(std::string_view name) const {
  constexpr size_t most_bytes = size_t{1} << 16;
  ValueId value = input(name);
  const GraphScope* scope = value == absent_value ? nullptr : defining_scope(&scope_, value);
  while (scope != nullptr) {
    // Of another type it has the same signs.
    const NodeView maker = scope->producer(value);
    const bool keeps_signs = maker.role == OperatorRole::identity || maker.role == OperatorRole::cast ||
                             maker.role == OperatorRole::cast_like;
    if (!keeps_signs || maker.inputs.empty() || maker.inputs[0] == absent_value) break;
    value = maker.inputs[0];
    scope = defining_scope(scope, value);
  }
  const auto has_no_sign = [](double element) { return std::isfinite(element) && !std::signbit(element); };
  const onnx::TensorProto* tensor = scope == nullptr ? nullptr : scope->constant_up_to(value, most_bytes);
  if (tensor == nullptr) {
    const auto computed = known_elements(value);
    return computed && std::ranges::all_of(*computed, has_no_sign);
  }
  if (const auto floats = float_elements(*tensor)) return std::ranges::all_of(*floats, has_no_sign);
  const auto integers = integer_elements(*tensor);
  return integers && std::ranges::none_of(*integers, [](int64_t element) { return element < 0; });
}

bool NodeFacts::is_positive(std::string_view name) const {
  const ValueId value = input(name);
  const GraphScope* scope = value == absent_value ? nullptr : defining_scope(&scope_, value);
  if (scope != nullptr && is_positive_constant(*scope, value)) return true;
  const auto computed = known_elements(value);
  return computed && std::ranges::all_of(*computed, [](double element) { return element > 0; });
}

std::optional<bool> has_output_of_type(const Model& model, int element_type) {
  bool all_known = true;
  for (const ValueInfo& output : model.graph.outputs) {
    onnx::ValueInfoProto info;
    const bool is_declared = parse_message(info, output.wire) && info.type().tensor_type().elem_type() != 0;
    if (is_declared && info.type().tensor_type().elem_type() == element_type) return true;
    all_known &= is_declared;
  }
  return all_known ? std::optional(false) : std::nullopt;
}

bool NodeFacts::is_model_output(std::string_view name) const {
  const ValueId read = input(name);
  const ValueId value = read == absent_value ? output(name) : read;
  return value != absent_value &&
         std::ranges::find(model_.graph.outputs, value, &ValueInfo::value) != model_.graph.outputs.end();
}

bool NodeFacts::is_present(std::string_view name) const {
  return input(name) != absent_value || output(name) != absent_value;
}

}  // namespace onnx_lower
