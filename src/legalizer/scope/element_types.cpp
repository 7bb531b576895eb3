// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/scope/element_types.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "legalizer/nodes/node_message.h"
#include "legalizer/scope/graph_scope.h"
#include "model_file/tensor_skeleton.h"

namespace onnx_lower {
namespace {

// Whether the node has one of the inputs whose element type the output has.
bool has_any(std::span<const ValueId> inputs, const OperatorVersion& op, const ElementTypeSource& source) {
  for (size_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index] != absent_value && source.is_that_of_input(op, index)) return true;
  }
  return false;
}

}  // namespace

// The element type of a value that no node of this scope makes.
int ElementTypes::from_outside(ValueId value) const {
  if (value == last_captured_.value) return last_captured_.element_type;
  const GraphDeclarations::Declaration* declared = scope_.declarations().find(value);
  if (declared == nullptr) return of_captured(value);
  if (const int type = scope_.declared_element_type(value); type != 0 || scope_.enclosing() == nullptr) return type;
  if (declared->input_index < 0) return 0;
  // A state of a Loop or a Scan keeps its type in all iterations, and the slices that a Scan takes
  // have that of the whole. The first two inputs of a Loop's body are its own. Scan-8 has one input
  // more than its body: the lengths, which come first.
  const OperatorFacts& holder = scope_.enclosing()->facts(*scope_.holder_node());
  auto index = static_cast<size_t>(declared->input_index);
  if (holder.role == OperatorRole::scan && holder.version != nullptr) {
    index += holder.version->since_version < 9 ? 1 : 0;
  } else if (holder.role != OperatorRole::loop || index < 2) {
    return 0;
  }
  return index < scope_.holder_node()->inputs().size()
             ? scope_.enclosing()->element_type(scope_.holder_node()->inputs()[index])
             : 0;
}

int ElementTypes::of_captured(ValueId value) const {
  if (scope_.enclosing() == nullptr) return 0;
  const int type = scope_.enclosing()->element_type(value);
  if (type != 0) last_captured_ = {value, type};
  return type;
}

ElementTypes::TypeSource ElementTypes::type_source(ValueId value, const Node& maker) const {
  const OperatorFacts& op = scope_.facts(maker);
  if (op.role == OperatorRole::constant) return {.element_type = element_type_of_constant(maker.wire)};
  if (op.version == nullptr) return {.element_type = noted(value)};
  const size_t output = scope_.nodes().output_index(maker, value).value_or(0);
  const ElementTypeSource source =
      output == 0 ? op.first_output : element_type_source(*op.version, static_cast<int>(output));
  if (source.attribute != nullptr) {
    const int type =
        element_type_of_attribute(*source.attribute, *op.version, node_message(scope_.sources().model, maker));
    if (type != 0) return {.element_type = type};
    const int otherwise = source.attribute->otherwise_input;
    if (otherwise < 0 || static_cast<size_t>(otherwise) >= maker.inputs().size() ||
        maker.inputs()[static_cast<size_t>(otherwise)] == absent_value)
      return {.element_type = source.attribute->otherwise_type};
    return {.inputs = maker.inputs().subspan(static_cast<size_t>(otherwise), 1)};
  }
  if (source.fixed != 0) return {.element_type = source.fixed};
  if (source.same_inputs == 0) return {.element_type = noted(value)};
  if (source.otherwise != 0 && !has_any(maker.inputs(), *op.version, source)) return {.element_type = source.otherwise};
  return {.inputs = maker.inputs(), .op = op.version, .same = source};
}

bool ElementTypes::are_told_by_operator(ValueId value) const {
  const Node* node = scope_.maker_or_run(value);
  if (node == nullptr) return true;
  // Most operators tell without reading the node, which takes time for one in a run.
  const OperatorFacts& op = scope_.facts(*node);
  const bool is_plain = op.version != nullptr && op.first_output.attribute == nullptr;
  if (is_plain && (op.first_output.fixed != 0 || op.first_output.is_that_of_input(*op.version, 0))) return true;
  if (node->is_run()) node = scope_.maker(value);
  const TypeSource source = type_source(value, *node);
  for (size_t index = 0; index < source.inputs.size(); ++index) {
    if (source.is_that_of_input(index) && of(source.inputs[index]) != 0) return true;
  }
  return source.element_type != 0;
}

int ElementTypes::of(ValueId value) const {
  if (value == absent_value) return 0;
  if (const int newest = scope_.nodes().type_of_newest(value); newest != 0) return newest;
  const std::optional<size_t> maker = scope_.nodes().maker_index(value);
  if (!maker) return from_outside(value);
  const int8_t known = scope_.sources().tables.element_types[value];
  return known != ValueTables::not_asked ? known : find(value, *maker);
}

int ElementTypes::find(ValueId value, size_t maker) const {
  std::vector<int8_t>& known = scope_.sources().tables.element_types;
  // A value whose element type is that of any one of some inputs, which are asked
  // one after another.
  struct Waiting {
    ValueId value;
    TypeSource source;
    size_t next = 0;
  };
  const auto begin = [&](ValueId asked, size_t made_by) {
    known[asked] = 0;  // ends the search should the nodes form a cycle
    return Waiting{asked, type_source(asked, scope_.nodes().at(made_by))};
  };
  std::vector<Waiting> stack = {begin(value, maker)};
  while (!stack.empty()) {
    const size_t depth = stack.size();
    Waiting& top = stack.back();
    int type = top.source.element_type;
    while (type == 0 && top.next < top.source.inputs.size()) {
      const size_t index = top.next++;
      const ValueId input = top.source.inputs[index];
      if (input == absent_value || !top.source.is_that_of_input(index)) continue;
      const std::optional<size_t> made_by = scope_.nodes().maker_index(input);
      if (made_by && known[input] == ValueTables::not_asked) {
        --top.next;  // the input is asked again when its type is known
        stack.push_back(begin(input, *made_by));
        break;
      }
      type = made_by ? known[input] : from_outside(input);
    }
    if (stack.size() != depth) continue;
    // Where no operator tells the type, a declaration may.
    if (type == 0) type = scope_.declared_element_type(top.value);
    known[top.value] = static_cast<int8_t>(type);
    stack.pop_back();
  }
  return known[value];
}

}  // namespace onnx_lower
