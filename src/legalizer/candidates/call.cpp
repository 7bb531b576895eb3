// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/candidates/call.h"

#include <cstdint>
#include <utility>

#include "model_file/tensor_skeleton.h"
#include "standard_operators/onnx_releases.h"
#include "types/type_knowledge.h"

namespace onnx_lower {

const onnx::TypeProto* Call::input_type(int input, Detail detail) const {
  if (!has_input(input)) return nullptr;
  const ValueId value = inputs_[static_cast<size_t>(input)];
  if (detail == Detail::element_type) {
    if (const int element_type = scope_.element_type(value); element_type != 0) return tensor_type_of(element_type);
  }
  return types_.type_of(scope_, value, detail);
}

const onnx::TypeProto* Call::output_type(int output) const {
  return has_output(output) ? scope_.declared_type(scope_.value_of(node_.output(output))) : nullptr;
}

const onnx::TensorProto* Call::constant(int input) const {
  return has_input(input) ? scope_.visible_constant(inputs_[static_cast<size_t>(input)]) : nullptr;
}

std::optional<StoredTensor> Call::stored_constant(int input) const {
  if (!takes_lists_apart_ || !has_input(input)) return std::nullopt;
  // What is derived has elements of a few bits, which an IR version that is asked for may lack.
  const bool may_raise = !all_.options.ir_version;
  if (!may_raise && all_.ir_version < first_ir_version_with_type(onnx::TensorProto::INT4)) return std::nullopt;
  scope_.note_asked_beyond_call();
  const Bytes wire = scope_.wire_of_visible_constant(inputs_[static_cast<size_t>(input)]);
  // What was made while the model was lowered does not lie in the input.
  const Bytes all = all_.model.input().bytes();
  const size_t offset = reinterpret_cast<uintptr_t>(wire.data()) - reinterpret_cast<uintptr_t>(all.data());
  if (wire.empty() || offset >= all.size()) return std::nullopt;
  TensorFacts facts = read_tensor_facts(wire);
  return StoredTensor{
      .offset = offset, .size = wire.size(), .element_type = facts.data_type, .dims = std::move(facts.dims)};
}

const onnx::TensorProto* Call::captured_constant(std::string_view name) const {
  scope_.note_asked_beyond_call();
  return scope_.visible_constant(scope_.value_of(name));
}

int Call::captured_dtype(std::string_view name) const {
  scope_.note_asked_beyond_call();
  const ValueId value = scope_.value_of(name);
  if (const int element_type = scope_.element_type(value); element_type != 0) return element_type;
  const onnx::TypeProto* type = types_.type_of(scope_, value, Detail::element_type);
  return type != nullptr && type->has_tensor_type() ? type->tensor_type().elem_type() : 0;
}

std::optional<std::vector<int64_t>> Call::known_ints_of(ValueId value) const {
  const KnownTensor* known = find_known_(scope_, value);
  if (known == nullptr || !is_integer_or_bool(known->element_type) || !known->is_known()) return std::nullopt;
  std::vector<int64_t> elements;
  for (const std::optional<int64_t>& element : known->elements) elements.push_back(*element);
  return elements;
}

std::optional<std::vector<int64_t>> Call::known_ints(int input) const {
  if (!has_input(input)) return std::nullopt;
  // In a function of the model, another call may give other shapes.
  if (!takes_lists_apart_ || !find_known_) return constant_ints(input);
  return known_ints_of(inputs_[static_cast<size_t>(input)]);
}

std::optional<std::vector<int64_t>> Call::known_captured_ints(std::string_view name) const {
  if (!takes_lists_apart_ || !find_known_) return CallSite::known_captured_ints(name);
  return known_ints_of(scope_.value_of(name));
}

bool Call::is_made_by(int input, std::string_view op_type) const {
  return has_input(input) && scope_.is_made_by(inputs_[static_cast<size_t>(input)], op_type);
}

bool Call::may_take_input_of_cast(int input) const {
  if (!takes_lists_apart_ || !has_input(input)) return false;
  scope_.note_asked_beyond_call();
  const ValueId value = inputs_[static_cast<size_t>(input)];
  const GraphScope* scope = defining_scope(&scope_, value);
  const NodeView maker = scope == nullptr ? NodeView() : scope->producer(value);
  return maker.role == OperatorRole::cast && maker.inputs.size() == 1;
}

bool Call::is_read_by(int output, std::span<const std::string> op_types) const {
  scope_.note_asked_beyond_call();
  return has_output(output) && all_.known.readers.has(scope_.value_of(node_.output(output)), op_types);
}

bool Call::is_read_by_others(int output, std::initializer_list<std::string_view> op_types) const {
  scope_.note_asked_beyond_call();
  return has_output(output) && all_.known.readers.has_other_than(scope_.value_of(node_.output(output)), op_types);
}

NodeView Call::list(int input) const {
  return has_input(input) ? maker_of_list(scope_, inputs_[static_cast<size_t>(input)]) : NodeView();
}

std::optional<int> Call::list_size(int input) const {
  const NodeView maker = list(input);
  return !maker ? std::nullopt : std::optional(static_cast<int>(maker.inputs.size()));
}

const onnx::TypeProto* Call::item_type(int input, int item, Detail detail) const {
  const NodeView maker = list(input);
  if (!maker || static_cast<size_t>(item) >= maker.inputs.size()) return nullptr;
  return types_.type_of(scope_, maker.inputs[static_cast<size_t>(item)], detail);
}

}  // namespace onnx_lower
