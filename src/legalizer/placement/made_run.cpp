// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/placement/made_run.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "legalizer/legality/known_tensors.h"
#include "model_file/onnx_fields.h"
#include "model_file/typed_elements.h"
#include "targets/target_library.h"

namespace onnx_lower {
namespace {

constexpr char function_tag = static_cast<char>(delimited_tag(field::Function::node));
static_assert(delimited_tag(field::Function::node) < 0x80 && delimited_tag(field::Graph::node) < 0x80, "one byte each");

// The node's bytes with their tag and length before them.
Bytes field_of(const Node& node) { return {node.wire.data() - node.header, node.header + node.wire.size()}; }

}  // namespace

MadeRun::MadeRun(Legalization& all, GraphScope& scope, Arena::Mark fields)
    : all_(all),
      scope_(scope),
      placed_(scope.placed().size()),
      initializers_(scope.added_initializers().size()),
      lists_(all.left_over.bypassed.size()),
      refused_if_read_(all.left_over.refused_if_read.size()),
      released_(all.left_over.released.size()),
      constants_(all.left_over.made_constants.size()),
      names_(all.names.now()),
      made_(all.model.made().mark()),
      fields_(fields) {}

void MadeRun::settle(const Node& node, TypeInference& types) {
  if (may_forget(node)) {
    all_.model.fields().rewind(fields_);
    forget_values();
  } else {
    settle_made(node, types);
  }
  all_.names.settle(names_);
}

void MadeRun::settle_made(const Node& node, TypeInference& types) {
  if (!joins(node, types)) return;
  join(node, types);
  forget_values();
}

bool MadeRun::joins(const Node& node, TypeInference& types) const {
  if (!may_join(node) || !look_at_values()) return false;
  // Of the output of a run no value is known from then on.
  return !all_.options.fold || KnownTensors(all_, types).find(scope_, node.outputs()[0]) == nullptr;
}

void MadeRun::forget_values() {
  scope_.element_types().forget_noted(names_.values, all_.model.values().size());
  all_.names.put_into_run(names_);
  all_.model.made().rewind(made_);
}

// Whether nothing is left of what rules made of the node: it was taken back, or has
// become a function.
bool MadeRun::may_forget(const Node& node) const {
  return nodes().size() == 1 && nodes()[0] == &node && node.bodies == nullptr && !notes_what_was_made() &&
         all_.names.made_none_since(names_);
}

// Whether a value that rules made of the node is on a list that is looked at after the last node.
bool MadeRun::notes_what_was_made() const {
  const auto is_made = [this](ValueId value) { return value >= names_.values; };
  return std::ranges::any_of(std::span(all_.left_over.bypassed).subspan(lists_), is_made) ||
         std::ranges::any_of(std::span(all_.left_over.released).subspan(released_), is_made);
}

void MadeRun::join(const Node& node, TypeInference& types) {
  const ValueId output = node.outputs()[0];
  const std::vector<ValueId>& from_outside = all_.known.values.read_by_run;
  const std::span<ValueId> values = all_.model.new_ids(from_outside.size() + 1);
  *std::ranges::copy(from_outside, values.begin()).out = output;
  Node run;
  run.run_length = static_cast<uint8_t>(nodes().size());
  run.op = nodes().back()->op;
  run.opsets = nodes().back()->opsets;
  run.values = values.data();
  run.input_count = static_cast<uint32_t>(from_outside.size());
  run.output_count = 1;
  // Asked while the nodes can still be read.
  const int element_type = scope_.element_type(output);
  run.wire = joined_wire();
  for (const Node* made : nodes().first(nodes().size() - 1)) {
    for (const ValueId value : made->outputs()) types.forget(scope_, value);
  }
  scope_.place_run(*all_.model.keep(run), element_type, placed_);
}

bool MadeRun::may_join(const Node& node) const {
  const LegalizeOptions& options = all_.options;
  if (all_.left_over.refused_if_read.size() != refused_if_read_) return false;
  // Fixed shapes are declared for the outputs of all nodes.
  if (options.fixes_inputs()) return false;
  // --fold looks at the constants that it has made, and may drop nodes that the user wants to keep.
  if (options.fold && (all_.left_over.made_constants.size() != constants_ || !options.kept.empty())) return false;
  const size_t count = nodes().size();
  if (count < 2 || count > longest) return false;
  const Node& last = *nodes().back();
  if (node.outputs().size() != 1 || last.outputs().size() != 1 || last.outputs()[0] != node.outputs()[0]) return false;
  // Other nodes ask for the value of a Constant, for what an Identity is a copy of, and for the
  // tensors of a list.
  const OperatorRole role = scope_.facts(last).role;
  if ((role != OperatorRole::none && role != OperatorRole::transpose) || last.opsets == own_opsets) return false;
  if (scope_.added_initializers().size() != initializers_ || notes_what_was_made()) return false;
  return all_.model.fields().is_one_piece_since(fields_) && fields_.next != nullptr && may_hold_all() &&
         all_.names.made_all_since(names_);
}

// Whether a run can hold the nodes. It hides what has to be known of all nodes of a model: which
// domains are imported, which functions are called, which subgraphs there are, which tensors are to
// be written as raw data. And the nodes' fields have to lie in order among the fields that were
// made since; fields of nodes that were not placed may lie between them.
bool MadeRun::may_hold_all() const {
  const std::less<const char*> before;
  const char* end = fields_.next;
  const OpsetContext opsets = nodes().back()->opsets;
  const uint64_t raw_types = types_as_raw_data(all_.options.targets);
  for (size_t index = placed_; index < scope_.placed().size(); ++index) {
    const Node* made = scope_.placed()[index];
    const Operator& op = all_.model.op(made->op);
    if (!made->stands_in_graph || made->bodies != nullptr || !means_the_same(*made, opsets) || !op.domain.empty() ||
        !op.overload.empty() || (made->has_attributes && raw_types != 0 && may_hold_raw_tensor(index, raw_types)) ||
        (!all_.model.functions.empty() && all_.known.functions.own(made->op) != nullptr))
      return false;
    const Bytes field = field_of(*made);
    if (before(field.data(), end)) return false;
    end = field.data() + field.size();
  }
  return !before(all_.model.fields().mark().next, end);
}

// Whether the placed node of that index, which has attributes, may hold a tensor of one of the
// types whose elements are to be written as raw data.
bool MadeRun::may_hold_raw_tensor(size_t index, uint64_t raw_types) const {
  const Node& made = *scope_.placed()[index];
  // The output of a Constant is the tensor that it holds.
  const int type = scope_.nodes().placed_type(index);
  return type > 0 && scope_.facts(made).role == OperatorRole::constant
             ? is_among(raw_types, static_cast<uint64_t>(type))
             : may_hold_tensor_of(made.wire, raw_types);
}

// Whether the node's operator has the same version at those opsets.
bool MadeRun::means_the_same(const Node& made, OpsetContext opsets) const {
  if (made.opsets == opsets) return true;
  return made.opsets != own_opsets &&
         all_.known.facts.of(made.op, made.opsets).version == all_.known.facts.of(made.op, opsets).version;
}

// Finds the values that the nodes read from outside (read_by_run). False where the nodes are not in
// order, which the check of the model will report, or where an output of any but the last has a
// name from outside.
bool MadeRun::look_at_values() const {
  std::vector<ValueId>& from_outside = all_.known.values.read_by_run;
  std::vector<char>& is_made = all_.known.values.made_in_run;
  from_outside.clear();
  is_made.assign(all_.model.values().size() - names_.values, false);
  for (const Node* made : nodes()) {
    for (const ValueId value : made->inputs()) {
      if (value >= names_.values) {
        if (!is_made[value - names_.values]) return false;
      } else if (value != absent_value && (from_outside.empty() || from_outside.back() != value)) {
        from_outside.push_back(value);
      }
    }
    if (made == nodes().back()) break;
    for (const ValueId value : made->outputs()) {
      if (value == absent_value) continue;
      if (value < names_.values || is_made[value - names_.values]) return false;
      is_made[value - names_.values] = true;
    }
  }
  if (from_outside.size() > 1) {
    std::ranges::sort(from_outside);
    from_outside.erase(std::unique(from_outside.begin(), from_outside.end()), from_outside.end());
  }
  return true;
}

// Moves the nodes' fields together and returns them. The fields lie in order, so that none is moved
// onto one that still has to be moved. They were made as fields of a graph; a function has nodes
// under another field number.
Bytes MadeRun::joined_wire() const {
  char* end = fields_.next;
  for (const Node* made : nodes()) {
    const Bytes field = field_of(*made);
    std::memmove(end, field.data(), field.size());
    if (scope_.is_function()) *end = function_tag;
    end += field.size();
  }
  all_.model.fields().rewind({fields_.chunks, end});
  return {fields_.next, static_cast<size_t>(end - fields_.next)};
}

}  // namespace onnx_lower
