// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/made_run.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

namespace onnx_lower {
namespace {

// With its tag and length.
Bytes field_of(const Node& node) { return {node.wire.data() - node.header, node.header + node.wire.size()}; }

}  // namespace

MadeRun::MadeRun(Legalization& all, GraphScope& scope)
    : all_(all),
      scope_(scope),
      placed_(scope.placed().size()),
      initializers_(scope.added_initializers().size()),
      lists_(all.taken_lists.size()),
      names_(all.names.now()),
      made_(all.model.made().mark()),
      fields_(all.model.fields().mark()) {}

void MadeRun::join(const Node& node, TypeInference& types) {
  if (!may_join(node)) {
    all_.names.settle(names_);
    return;
  }
  const ValueId output = node.outputs()[0];
  const std::span<const ValueId> values = values_from_outside(output);
  Node run;
  run.run_length = static_cast<uint8_t>(nodes().size());
  run.op = nodes().back()->op;
  run.opsets = nodes().back()->opsets;
  run.values = values.data();
  run.input_count = static_cast<uint32_t>(values.size() - 1);
  run.output_count = 1;
  for (const Node* made : nodes()) {
    for (const ValueId value : made->outputs()) {
      if (value == output) continue;
      types.forget(scope_, value);
      all_.values.told_types.erase(value);
    }
  }
  run.wire = joined_wire();
  scope_.place_run(*all_.model.keep(run), placed_);
  all_.names.put_into_run(names_);
  all_.model.made().rewind(made_);
}

bool MadeRun::may_join(const Node& node) const {
  const LegalizeOptions& options = all_.options;
  // These ask for every node that is there: for what it makes, or for fields that older versions do not have.
  if (options.fold || options.fixes_shapes() || !options.targets.empty() || all_.ir_version < all_.model.ir_version)
    return false;
  const size_t count = nodes().size();
  if (count < 2 || count > std::numeric_limits<uint8_t>::max() || scope_.is_function()) return false;
  const Node& last = *nodes().back();
  if (node.outputs().size() != 1 || last.outputs().size() != 1 || last.outputs()[0] != node.outputs()[0]) return false;
  // Other nodes ask for the value of a constant, and for what is behind an Identity or in a list.
  if (scope_.facts(last).role != OperatorRole::none) return false;
  if (scope_.added_initializers().size() != initializers_) return false;
  const std::span lists = std::span(all_.taken_lists).subspan(lists_);
  if (std::ranges::any_of(lists, [this](ValueId list) { return list >= names_.values; })) return false;
  if (!std::ranges::all_of(nodes(), [&](const Node* made) { return may_hold(*made, last); })) return false;
  return is_in_order() && all_.names.made_all_since(names_);
}

// What is to be known of all nodes of a model, which no run tells: the domains that are imported, the functions that are called, subgraphs.
bool MadeRun::may_hold(const Node& made, const Node& last) const {
  const Operator& op = all_.model.op(made.op);
  return made.stands_in_graph && made.bodies == nullptr && made.opsets == last.opsets && op.domain.empty() &&
         op.overload.empty() && (all_.model.functions.empty() || all_.functions.own(made.op) == nullptr);
}

// Whether the nodes' fields lie one behind the other where fields have been made since. Between them may be what was not placed.
bool MadeRun::is_in_order() const {
  if (!all_.model.fields().is_one_piece_since(fields_)) return false;
  const std::less_equal<const char*> not_behind;
  const char* end = fields_.next;
  for (const Node* made : nodes()) {
    const Bytes field = field_of(*made);
    if (end == nullptr || !not_behind(end, field.data())) return false;
    end = field.data() + field.size();
  }
  return not_behind(end, all_.model.fields().mark().next);
}

Bytes MadeRun::joined_wire() {
  Arena& fields = all_.model.fields();
  fields.rewind(fields_);
  size_t size = 0;
  for (const Node* made : nodes()) {
    const Bytes field = field_of(*made);
    char* kept = fields.allocate(field.size());
    if (kept != field.data()) std::memmove(kept, field.data(), field.size());
    size += field.size();
  }
  return {fields_.next, size};
}

// The inputs of the run, each once, and its output.
std::span<const ValueId> MadeRun::values_from_outside(ValueId output) {
  std::vector<ValueId> inputs;
  for (const Node* made : nodes()) {
    for (const ValueId value : made->inputs()) {
      const bool is_new = value != absent_value && value < names_.values && (inputs.empty() || inputs.back() != value);
      if (is_new) inputs.push_back(value);
    }
  }
  std::ranges::sort(inputs);
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  const std::span<ValueId> values = all_.model.new_ids(inputs.size() + 1);
  std::ranges::copy(inputs, values.begin());
  values.back() = output;
  return values;
}

}  // namespace onnx_lower
