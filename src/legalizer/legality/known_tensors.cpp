// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legality/known_tensors.h"

#include <algorithm>

#include "constant_folding/evaluate.h"
#include "legalizer/nodes/node_message.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

// How many bytes a constant that is looked at may take in the model: its elements take up to ten
// bytes each, and it may have a name and a doc_string.
constexpr size_t largest_wire = 16 * largest_known_tensor;

// How deep the evaluation of nodes for the inputs of other nodes may go: no deeper than
// the stack bears.
constexpr size_t deepest_evaluation = 128;

// Whether `value` is `other`, or floats that Cast and Identity nodes make of it: an element that is
// above 0 as a float was above 0 before.
bool has_signs_of(const GraphScope* scope, ValueId value, ValueId other) {
  for (int followed = 0; value != other && (scope = defining_scope(scope, value)) != nullptr; ++followed) {
    const NodeView maker = scope->producer(value);
    const bool keeps_signs = maker.role == OperatorRole::identity ||
                             (maker.role == OperatorRole::cast && is_float_or_double(scope->element_type(value)));
    if (!keeps_signs || maker.inputs.empty() || followed == most_followed) return false;
    value = maker.inputs[0];
  }
  return value == other;
}

// Whether a condition (a boolean of one element) implies, where it is true, that the value is above
// 0 or true.
bool says_positive(const GraphScope* scope, ValueId condition, ValueId value, int most_nodes = 16) {
  if (condition == value) return true;
  scope = defining_scope(scope, condition);
  const NodeView maker = scope == nullptr ? NodeView() : scope->producer(condition);
  if (!maker || maker.inputs.empty() || most_nodes == 0) return false;
  if (maker.role == OperatorRole::identity) return says_positive(scope, maker.inputs[0], value, most_nodes - 1);
  if (maker.inputs.size() != 2) return false;
  const ValueId one = maker.inputs[0];
  const ValueId other = maker.inputs[1];
  if (maker.role == OperatorRole::logical_and)
    return says_positive(scope, one, value, most_nodes / 2) || says_positive(scope, other, value, most_nodes / 2);
  const bool is_greater = maker.role == OperatorRole::greater;
  if ((!is_greater && maker.role != OperatorRole::less) || one == absent_value || other == absent_value) return false;
  const ValueId bound = is_greater ? other : one;
  const GraphScope* of_bound = defining_scope(scope, bound);
  if (of_bound == nullptr || !has_signs_of(scope, is_greater ? one : other, value)) return false;
  const ConstantElements* elements = of_bound->constant_elements(bound);
  return elements != nullptr && elements->have_no_sign;
}

}  // namespace

bool is_positive_here(const GraphScope& scope, ValueId value) {
  const GraphScope* of = defining_scope(&scope, value);
  if (of == nullptr) return false;
  if (const ConstantElements* elements = of->constant_elements(value)) return elements->are_above_zero;
  // Else the nodes may stand in a branch that is taken only where the value is positive. The
  // condition lies outside of the branch, and says nothing of values that the branch makes.
  for (const GraphScope* at = &scope; at != of; at = at->enclosing()) {
    if (says_positive(at->enclosing(), at->condition(), value)) return true;
  }
  return false;
}

class KnownTensors::Call final : public NodeToEvaluate {
 public:
  Call(KnownTensors& known, const GraphScope& scope, const Node& node, const onnx::NodeProto& message,
       int since_version)
      : NodeToEvaluate(message, since_version), known_(known), scope_(scope), node_(node) {}

  const KnownTensor* value(size_t input) const override {
    return input < node_.inputs().size() ? known_.find(scope_, node_.inputs()[input]) : nullptr;
  }
  const onnx::TypeProto* type(size_t input) const override {
    if (input >= node_.inputs().size() || node_.inputs()[input] == absent_value) return nullptr;
    return known_.types_.type_of(scope_, node_.inputs()[input], Detail::dimensions);
  }

 private:
  KnownTensors& known_;
  const GraphScope& scope_;
  const Node& node_;
};

const KnownTensor* KnownTensors::find(const GraphScope& scope, ValueId value) {
  if (value == absent_value) return nullptr;
  scope.note_asked_beyond_call();
  const GraphScope* owner = defining_scope(&scope, value);
  if (owner == nullptr) return nullptr;
  // A node whose outputs are known does not become part of a run.
  if (const Node* maker = owner->maker_or_run(value); maker != nullptr && maker->is_run()) return nullptr;
  auto& known = owner->known_tensors();
  if (const auto found = known.find(value); found != known.end()) return found->second ? &*found->second : nullptr;
  known.emplace(value, std::nullopt);  // should the nodes form a cycle, it ends here
  std::optional<KnownTensor> learned = learn(*owner, value);
  std::optional<KnownTensor>& kept = known[value];
  kept = std::move(learned);
  return kept ? &*kept : nullptr;
}

std::optional<KnownTensor> KnownTensors::learn(const GraphScope& scope, ValueId value) {
  if (const onnx::TensorProto* constant = scope.constant_up_to(value, largest_wire)) return known_tensor(*constant);
  const Node* maker = scope.maker(value);
  if (maker == nullptr || depth_ >= deepest_evaluation) return std::nullopt;
  ++depth_;
  auto outputs = evaluate(scope, *maker);
  --depth_;
  if (!outputs) return std::nullopt;
  const auto index = std::ranges::find(maker->outputs(), value) - maker->outputs().begin();
  return std::move((*outputs)[static_cast<size_t>(index)]);
}

std::optional<bool> KnownTensors::boolean(const GraphScope& scope, ValueId value) {
  const KnownTensor* known = find(scope, value);
  if (known == nullptr || known->element_type != onnx::TensorProto::BOOL || known->elements.size() != 1 ||
      !known->elements[0])
    return std::nullopt;
  return *known->elements[0] != 0;
}

std::optional<std::vector<KnownTensor>> KnownTensors::evaluate(const GraphScope& scope, const Node& node) {
  const OperatorFacts& facts = scope.facts(node);
  if (facts.evaluator == nullptr || node.outputs().empty()) return std::nullopt;
  for (size_t index = 0; index < node.inputs().size(); ++index) {
    const ValueId input = node.inputs()[index];
    if (static_cast<int>(index) != facts.evaluator->typed_input && input != absent_value && !find(scope, input))
      return std::nullopt;
  }
  // A function of the model or a rule of the user may give the operator another meaning
  // than ONNX does.
  const Operator& op = all_.model.op(node.op);
  if (all_.known.functions.own(node.op) != nullptr || all_.library.has_user_rule(op.domain, op.op_type))
    return std::nullopt;
  const onnx::NodeProto message = node_message(all_.model, node);
  if (std::ranges::any_of(message.attribute(), is_open)) return std::nullopt;
  auto outputs = facts.evaluator->evaluate(Call(*this, scope, node, message, facts.version->since_version));
  if (!outputs || outputs->size() < node.outputs().size()) return std::nullopt;
  return outputs;
}

}  // namespace onnx_lower
