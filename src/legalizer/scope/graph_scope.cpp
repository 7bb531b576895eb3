// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/scope/graph_scope.h"

#include <algorithm>
#include <utility>

#include "legalizer/nodes/node_body.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/scope/shapes_in_run.h"
#include "model_file/onnx_fields.h"
#include "model_file/tensor_skeleton.h"
#include "types/constants.h"
#include "types/type_knowledge.h"

namespace onnx_lower {

void GraphScope::forget_made_since(size_t count) {
  if (!remembered_ && !element_types_.has_noted()) return;
  for (size_t index = count; index < placed().size(); ++index) {
    for (const ValueId output : placed()[index]->outputs()) {
      element_types_.forget_noted(output);
      if (!remembered_) continue;
      remembered_->known_tensors.erase(output);
      remembered_->behind_identities.erase(output);
      remembered_->constants.erase(output);
      remembered_->constant_elements.erase(output);
      remembered_->constant_types.erase(output);
      remembered_->lists_of_several_types.erase(output);
      remembered_->values_of_inputs.erase(output);
    }
  }
}

void GraphScope::take_back_initializers(size_t count) {
  for (size_t index = count; remembered_ && index < added_initializers().size(); ++index) {
    remembered_->known_tensors.erase(added_initializers()[index].value);
    remembered_->constant_elements.erase(added_initializers()[index].value);
  }
  declarations_.take_back(count);
}

int GraphScope::depth() const {
  int depth = 0;
  for (const GraphScope* around = enclosing_; around != nullptr; around = around->enclosing_) ++depth;
  return depth;
}

bool GraphScope::defines(ValueId value) const {
  if (has_producer(value)) return true;  // nodes make most values
  const GraphDeclarations::Declaration* declared = declarations_.find(value);
  return declared != nullptr && (declared->input_index >= 0 || declared->has_initializer());
}

bool GraphScope::is_made_by(ValueId value, std::string_view op_type) const {
  note_asked_beyond_call();
  const GraphScope* scope = defining_scope(this, value);
  // The operator that makes the value of a run is known without reading the nodes of the run.
  const Node* maker = scope == nullptr ? nullptr : scope->maker_or_run(value);
  if (maker == nullptr) return false;
  const Operator& op = sources_.model.op(maker->op);
  return op.domain.empty() && op.op_type == op_type;
}

const onnx::TypeProto* GraphScope::constant_type(ValueId value) const {
  const GraphDeclarations::Declaration* declared = declarations_.find(value);
  if (declared != nullptr && declared->has_initializer())
    return declarations_.is_replaceable(*declared) ? nullptr : declared_type(value);
  const Node* node = maker_or_run(value);
  if (node == nullptr || facts(*node).role != OperatorRole::constant) return nullptr;
  const auto [found, inserted] = remembered().constant_types.try_emplace(value);
  if (inserted) {
    if (const std::optional<TensorFacts> tensor = tensor_of_constant(node->wire)) {
      found->second = tensor_type(tensor->data_type, tensor->dims);
    } else if (const onnx::TensorProto* tensor = constant(value)) {
      found->second = type_of_tensor(*tensor);
    }
  }
  return found->second ? &*found->second : nullptr;
}

// A larger tensor is a weight and no parameter of an operator; and protobuf takes no message
// of 2 GiB.
constexpr size_t largest_constant = size_t{1} << 30;

const onnx::TensorProto* GraphScope::constant(ValueId value) const { return constant_up_to(value, largest_constant); }

const onnx::TensorProto* GraphScope::constant_up_to(ValueId value, size_t most_bytes) const {
  const GraphDeclarations::Declaration* declared = declarations_.find(value);
  if (declared != nullptr && declared->has_initializer()) return declarations_.constant(*declared, most_bytes);
  const std::optional<size_t> index = nodes_.maker_index(value);
  if (!index || facts(nodes_.at(*index)).role != OperatorRole::constant) return nullptr;
  if (nodes_.at(*index).wire.size() > most_bytes) return nullptr;
  const auto [found, inserted] = remembered().constants.try_emplace(value);
  if (inserted) found->second = tensor_of_constant_node(nodes_.message(nodes_.at(*index)));
  return found->second ? &*found->second : nullptr;
}

const ConstantElements* GraphScope::constant_elements(ValueId value) const {
  constexpr size_t most_bytes = size_t{1} << 16;
  const onnx::TensorProto* tensor = constant_up_to(value, most_bytes);
  if (tensor == nullptr) return nullptr;
  // Remembered, as a hundred thousand nodes may read one constant.
  const auto [found, inserted] = remembered().constant_elements.try_emplace(value);
  if (inserted) found->second = constant_elements_of(*tensor);
  return &found->second;
}

ValueId GraphScope::behind_identities(ValueId value) const {
  // Long chains are remembered, longer than any exporter writes: a hundred thousand nodes may ask
  // what lies behind a hundred thousand Identity nodes.
  constexpr size_t most_followed_again = 16;
  std::vector<ValueId> followed;
  for (;;) {
    if (remembered_) {
      const auto known = remembered_->behind_identities.find(value);
      if (known != remembered_->behind_identities.end()) {
        value = known->second;
        break;
      }
    }
    const Node* node = maker_or_run(value);
    if (node == nullptr || facts(*node).role != OperatorRole::identity || node->inputs().size() != 1) break;
    followed.push_back(value);
    value = node->inputs()[0];
  }
  if (followed.size() > most_followed_again) {
    for (const ValueId each : followed) remembered().behind_identities.emplace(each, value);
  }
  return value;
}

const onnx::TensorProto* GraphScope::visible_constant(ValueId value) const {
  for (const GraphScope* scope = this; scope != nullptr; scope = scope->enclosing_) {
    if (!scope->defines(value)) continue;
    value = scope->behind_identities(value);
    if (scope->defines(value)) return scope->constant(value);
  }
  return nullptr;
}

Bytes GraphScope::wire_of_visible_constant(ValueId value) const {
  for (const GraphScope* scope = this; scope != nullptr; scope = scope->enclosing_) {
    if (!scope->defines(value)) continue;
    value = scope->behind_identities(value);
    if (!scope->defines(value)) continue;
    const GraphDeclarations::Declaration* declared = scope->declarations_.find(value);
    if (declared != nullptr && declared->has_initializer())
      return scope->declarations_.is_replaceable(*declared) ? Bytes() : declared->initializer;
    const Node* node = scope->maker(value);
    if (node == nullptr || scope->facts(*node).role != OperatorRole::constant) return {};
    return wire_of_constant(node->wire);
  }
  return {};
}

NodeView GraphScope::view(const Node& node) const {
  const OperatorFacts& op = facts(node);
  return {.node = &node,
          .inputs = node.inputs(),
          .outputs = node.outputs(),
          .meaning = {.version = op.version, .function = sources_.functions.message(node.op)},
          .role = op.role,
          .has_bodies = node.bodies != nullptr};
}

NodeView GraphScope::producer(ValueId value) const {
  const Node* node = maker(value);
  return node == nullptr ? NodeView() : view(*node);
}

std::vector<ValueId> GraphScope::shape_sources(ValueId value) const {
  const Node* run = maker_or_run(value);
  if (run == nullptr || !run->is_run() || run->inputs().size() > ShapesInRun::most_inputs) return {};
  ShapesInRun shapes(sources_, *run, context(*run));
  WireField made;
  for (WireReader nodes(run->wire); nodes.next(made);) shapes.add(made.content);
  return shapes.sources_of_newest(sources_.model.value_name(value));
}

ValueId GraphScope::condition() const {
  const bool is_branch = holder_role() == OperatorRole::conditional && !holder_->inputs().empty();
  return is_branch && body_of(*holder_, "then_branch") == &declarations_.graph() ? holder_->inputs()[0] : absent_value;
}

NodeView GraphScope::holder() const { return holder_ == nullptr ? NodeView() : enclosing_->view(*holder_); }

int GraphScope::graph_input_index(ValueId value) const {
  const GraphDeclarations::Declaration* declared = declarations_.find(value);
  return declared == nullptr ? -1 : declared->input_index;
}

NodeView maker_behind_identities(const GraphScope& scope, ValueId value) {
  scope.note_asked_beyond_call();
  const GraphScope* place = &scope;
  while ((place = defining_scope(place, value)) != nullptr) {
    const ValueId behind = place->behind_identities(value);
    if (behind == value) return place->producer(value);
    value = behind;
  }
  return {};
}

NodeView maker_of_list(const GraphScope& scope, ValueId list) {
  const NodeView maker = maker_behind_identities(scope, list);
  return is_list_maker(maker.role) ? maker : NodeView();
}

}  // namespace onnx_lower
