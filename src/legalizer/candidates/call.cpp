// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/candidates/call.h"

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
