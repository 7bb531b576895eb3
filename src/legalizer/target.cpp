// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "standard_operators/element_type_source.h"
#include "standard_operators/reading.h"

namespace onnx_lower {
namespace {

// Standard operators that OpenVINO 2026.4 does not convert, as far as rules make them and other rules say them in operators that it has.
constexpr std::array<std::string_view, 1> missing_in_openvino = {"DeformConv"};

const OperatorVersion* usable(const OperatorVersion* version) {
  return version != nullptr && !version->deprecated ? version : nullptr;
}

}  // namespace

const OperatorVersion* Target::version(OperatorId op) const {
  const Operator& named = sources_.model.op(op);
  return usable(find_operator(named.domain, named.op_type, sources_.contexts.version(opsets_, named.domain)));
}

bool Target::lacks(const Operator& op, bool made) const {
  const Runtime runtime = sources_.options.runtime;
  if (runtime == Runtime::onnxruntime || (runtime == Runtime::any && !made)) return false;
  return op.domain.empty() && std::ranges::find(missing_in_openvino, op.op_type) != missing_in_openvino.end();
}

bool Target::keeps(OperatorId op) const {
  const Operator& named = sources_.model.op(op);
  return std::ranges::any_of(sources_.options.kept,
                             [&](const OperatorPattern& kept) { return kept.fits(named.domain, named.op_type); });
}

Legality Target::learn(OperatorId op, OpsetContext written_for, bool made, size_t table) {
  if (legality_.size() <= table) legality_.resize(table + 1);
  if (legality_[table].size() <= op)
    legality_[table].resize(std::max<size_t>(op + 1u, sources_.model.operator_count()));
  return legality_[table][op] = find_legality(op, written_for, made);
}

Legality Target::find_legality(OperatorId op, OpsetContext written_for, bool made) const {
  const Operator& named = sources_.model.op(op);
  if (keeps(op)) return Legality::legal;
  if (!is_standard_domain(named.domain) || sources_.library.has_user_rule(named.domain, named.op_type) ||
      sources_.functions.own(op) != nullptr)
    return Legality::illegal;
  const OperatorFacts& facts = sources_.facts.of(op, written_for);
  const OperatorVersion* here = version(op);
  if (facts.version == nullptr || here == nullptr || lacks(named, made)) return Legality::illegal;
  if (facts.version != here) return Legality::by_node;
  return facts.role == OperatorRole::constant && !made ? Legality::unless_text : Legality::legal;
}

std::string Target::restate(onnx::NodeProto& node, OperatorId op, OpsetContext written_for, bool& edited) const {
  const OperatorFacts& facts = sources_.facts.of(op, written_for);
  const OperatorVersion* here = version(op);
  const Reading reading = read_at(node, *facts.version, *here);
  if (!reading.means_the_same()) return reading.reason;
  if (facts.first_output.attribute != nullptr) {
    const int type = element_type_of_attribute(*facts.first_output.attribute, *facts.version, node);
    if (type != 0 && (here->outputs[0].types >> type & 1) == 0)
      return fmt::format("output '{}' cannot have elements of type {} in version {} of the operator",
                         here->outputs[0].name, onnx::TensorProto::DataType_Name(type), here->since_version);
  }
  if (node.input_size() < here->min_inputs && facts.version->min_inputs < here->min_inputs)
    return fmt::format("version {} of the operator takes at least {} inputs, and the node has {}", here->since_version,
                       here->min_inputs, node.input_size());
  edited = !reading.as_it_stands();
  if (edited) onnx_lower::restate(reading, node);
  return {};
}

int Target::opset_hint(const onnx::NodeProto& node, OperatorId op, OpsetContext written_for) const {
  if (!sources_.model.op(op).domain.empty()) return 0;
  const OperatorVersion* own = sources_.facts.of(op, written_for).version;
  if (own == nullptr) return 0;
  // What stands in the way is no version then, but a type, or the runtime.
  const OperatorVersion* here = version(op);
  if (here != nullptr && read_at(node, *own, *here).means_the_same()) return 0;
  return static_cast<int>(first_opset_with_the_meaning(node, *own, opset()).value_or(0));
}

}  // namespace onnx_lower
