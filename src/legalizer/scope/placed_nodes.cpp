// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/scope/placed_nodes.h"

#include "legalizer/nodes/node_message.h"
#include "model_file/onnx_fields.h"
#include "model_file/read_model.h"

namespace onnx_lower {

void PlacedNodes::take_back(size_t count) {
  for (size_t index = count; remembered_ && index < placed_.nodes.size(); ++index) {
    remembered_->messages.erase(placed_.nodes[index]);
    remembered_->wide_nodes.erase(placed_.nodes[index]);
  }
  indexed_ = std::min(indexed_, count);
  placed_.nodes.resize(count);
  placed_.types.resize(count);
}

const Node* PlacedNodes::maker(ValueId value) const {
  const Node* node = maker_or_run(value);
  if (node == nullptr || !node->is_run()) return node;
  open(*node);
  return maker_or_run(value);
}

void PlacedNodes::place_run(const Node& run, int element_type, size_t count) {
  const ValueId output = run.outputs()[0];
  take_back(count);
  index();
  place(run, element_type);
  sources_.tables.makers[output] = static_cast<uint32_t>(indexed_++);
  sources_.tables.element_types[output] = static_cast<int8_t>(element_type);
}

size_t PlacedNodes::count_since(size_t begin) const {
  size_t count = 0;
  for (size_t index = begin; index < placed_.nodes.size(); ++index)
    count += std::max<size_t>(placed_.nodes[index]->run_length, 1);
  return count;
}

std::vector<const Node*> nodes_of_run(Model& model, const Node& run) {
  std::vector<const Node*> nodes;
  WireField field;
  for (WireReader reader(run.wire); reader.next(field);) {
    const size_t header = field.whole.size() - field.content.size();
    nodes.push_back(model.keep(read_node(model, field.content, header, run.opsets)));
  }
  return nodes;
}

void PlacedNodes::open(const Node& run) const {
  ValueTables& tables = sources_.tables;
  const int8_t element_type = tables.element_types[run.outputs()[0]];
  for (const Node* node : nodes_of_run(sources_.model, run)) {
    tables.fit(sources_.model.values().size());
    for (const ValueId output : node->outputs()) {
      tables.makers[output] = static_cast<uint32_t>(first_of_runs + opened_.size());
      tables.element_types[output] = ValueTables::not_asked;
    }
    opened_.push_back(node);
  }
  tables.element_types[run.outputs()[0]] = element_type;
}

void PlacedNodes::index() const {
  ValueTables& tables = sources_.tables;
  tables.fit(sources_.model.values().size());
  for (; indexed_ < placed_.nodes.size(); ++indexed_) {
    const Node& node = *placed_.nodes[indexed_];
    if (node.outputs().empty()) continue;
    const int8_t type = placed_.types[indexed_] > 0 ? placed_.types[indexed_] : type_from_input(node);
    for (const ValueId output : node.outputs()) {
      tables.makers[output] = static_cast<uint32_t>(indexed_);
      tables.element_types[output] = ValueTables::not_asked;
    }
    tables.element_types[node.outputs()[0]] = type;
  }
}

// The element type of the node's first output where that is the known type of an input: this holds
// for most nodes of a chain, which then need not be followed. Else ValueTables::not_asked.
int8_t PlacedNodes::type_from_input(const Node& node) const {
  const OperatorFacts& op = facts(node);
  if (op.first_output.same_inputs == 0 || op.first_output.attribute != nullptr) return ValueTables::not_asked;
  for (size_t index = 0; index < node.inputs().size(); ++index) {
    const ValueId input = node.inputs()[index];
    if (input != absent_value && op.first_output.is_that_of_input(*op.version, index) && is_made(input) &&
        sources_.tables.element_types[input] > 0)
      return sources_.tables.element_types[input];
  }
  return ValueTables::not_asked;
}

std::optional<size_t> PlacedNodes::output_index(const Node& node, ValueId value) const {
  const std::span<const ValueId> outputs = node.outputs();
  if (outputs.size() <= most_outputs_searched) {
    const auto found = std::ranges::find(outputs, value);
    return found == outputs.end() ? std::nullopt : std::optional(static_cast<size_t>(found - outputs.begin()));
  }
  const auto [indices, inserted] = remembered().wide_nodes.try_emplace(&node);
  if (inserted) {
    indices->second.reserve(outputs.size());
    for (size_t index = 0; index < outputs.size(); ++index) indices->second.try_emplace(outputs[index], index);
  }
  const auto found = indices->second.find(value);
  return found == indices->second.end() ? std::nullopt : std::optional(found->second);
}

std::optional<size_t> PlacedNodes::maker_index(ValueId value) const {
  if (value == absent_value) return std::nullopt;
  if (indexed_ < placed_.nodes.size()) index();
  if (!is_made(value)) return std::nullopt;
  return sources_.tables.makers[value];
}

const onnx::NodeProto& PlacedNodes::message(const Node& node) const {
  const auto [found, inserted] = remembered().messages.try_emplace(&node);
  if (inserted) read_node_message(sources_.model, node, found->second);
  return found->second;
}

}  // namespace onnx_lower
