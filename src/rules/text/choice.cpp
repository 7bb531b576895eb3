// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/text/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "rules/text/rule_structure.h"

namespace onnx_lower {
namespace {

using onnx::NodeProto;
using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;

void remove_node(Form& form, FormPositions& positions, int index) {
  form.function.mutable_node()->DeleteSubrange(index, 1);
  positions.nodes.erase(positions.nodes.begin() + index);
}

// Removes the unused part, if it is of a kind that may be removed, and returns whether it was: of
// the attributes, only those that the engine binds are removed.
bool remove_unused(Form& form, FormPositions& positions, const StructureFault& unused) {
  if (unused.place == StructureFault::Place::node) {
    remove_node(form, positions, unused.index);
    return true;
  }
  if (unused.place == StructureFault::Place::definition) {
    const auto index = static_cast<std::ptrdiff_t>(unused.definition);
    form.definitions.erase(form.definitions.begin() + index);
    positions.definitions.erase(positions.definitions.begin() + index);
    form.definitions_before_where = form.definitions.size();
    return true;
  }
  return std::erase_if(form.bound, [&](const BoundAttribute& bound) { return bound.name == unused.attribute; }) > 0;
}

void for_each_reading(NodeList& nodes, const std::function<void(std::string&)>& visit) {
  for (NodeProto& node : nodes) {
    std::ranges::for_each(*node.mutable_input(), visit);
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (!attribute.has_g()) continue;
      for_each_reading(*attribute.mutable_g()->mutable_node(), visit);
      for (onnx::ValueInfoProto& output : *attribute.mutable_g()->mutable_output()) visit(*output.mutable_name());
    }
  }
}

// Choices by n independent conditions make 2^n forms.
constexpr size_t most_forms = 64;

// Replaces the output `name` of a choice by the input that was chosen.
void choose(onnx::FunctionProto& function, const std::string& chosen, const std::string& name) {
  NodeList& nodes = *function.mutable_node();
  bool is_read = false;
  for_each_reading(nodes, [&](const std::string& value) { is_read |= value == chosen; });
  const auto makes_it = [&](const NodeProto& node) { return std::ranges::count(node.output(), chosen) > 0; };
  const auto maker = std::ranges::find_if(nodes, makes_it);
  const bool keeps_name = !is_read || std::ranges::count(function.output(), name) > 0;
  const bool takes_name = keeps_name && maker != nodes.end() && std::ranges::count(function.output(), chosen) == 0;
  const std::string& from = takes_name ? chosen : name;
  const std::string& to = takes_name ? name : chosen;
  for_each_reading(nodes, [&](std::string& value) {
    if (value == from) value = to;
  });
  if (takes_name) {
    std::ranges::replace(*maker->mutable_output(), from, to);
  } else {
    std::ranges::replace(*function.mutable_output(), from, to);
  }
}

// Decides all choices by this condition.
void decide(Form& form, FormPositions& positions, const std::string& condition, bool holds) {
  for (int index = form.function.node_size() - 1; index >= 0; --index) {
    const NodeProto& node = form.function.node(index);
    if (!is_choice(node) || node.attribute(0).s() != condition) continue;
    const std::string chosen = node.input(holds ? 0 : 1), name = node.output(0);
    remove_node(form, positions, index);
    choose(form.function, chosen, name);
  }
  // The text of the form's own condition now has a parenthesis before it: offsets in it are
  // relative to a place that is one character earlier.
  if (form.where) --positions.where;
  const std::string this_one = fmt::format("{}({})", holds ? "" : "not ", condition);
  set_condition(form, form.where ? fmt::format("({}) and {}", form.where->text(), this_one) : this_one);
  for (bool any = true; any;) {
    any = false;
    // Removed from the last to the first, so that the positions of the others stay valid.
    const std::vector<StructureFault> unused = unused_parts(form);
    for (auto part = unused.rbegin(); part != unused.rend(); ++part) any |= remove_unused(form, positions, *part);
  }
}

}  // namespace

bool is_choice(const NodeProto& node) { return node.domain() == "onnx_lower" && node.op_type() == "Choose"; }

bool is_complete_choice(const NodeProto& node) {
  return is_choice(node) && node.input_size() == 2 && node.output_size() == 1 && node.attribute_size() == 1 &&
         node.attribute(0).name() == "where" && node.attribute(0).has_s();
}

std::vector<std::pair<Form, FormPositions>> write_out_choices(Form form, FormPositions positions) {
  std::vector<std::pair<Form, FormPositions>> all;
  all.emplace_back(std::move(form), std::move(positions));
  for (size_t next = 0; next < all.size();) {
    const NodeList& nodes = all[next].first.function.node();
    // From the last to the first, because a choice that is dropped may have dropped
    // choices as its inputs.
    const auto found = std::find_if(nodes.rbegin(), nodes.rend(), is_choice);
    if (found == nodes.rend()) {
      ++next;
      continue;
    }
    if (all.size() == most_forms)
      throw ConditionError(0, fmt::format("its choices make more than {} forms of it", most_forms));
    const std::string condition = found->attribute(0).s();
    const auto other = all.insert(all.begin() + static_cast<std::ptrdiff_t>(next) + 1, all[next]);
    decide(other->first, other->second, condition, false);
    decide(all[next].first, all[next].second, condition, true);
  }
  return all;
}

}  // namespace onnx_lower
