// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/made_check.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "model_file/onnx_fields.h"
#include "model_file/wire.h"

namespace onnx_lower {
namespace {

// So many nodes are inferred for the types of a node's inputs; one that depends on more is not looked into.
constexpr size_t most_nodes_before = 32;

}  // namespace

size_t CallsToCheck::kind_of(const Form& form, const Node& call, const GraphScope& scope) {
  size_t kind = form.origin == RuleOrigin::model ? call.op : std::hash<const Form*>()(&form);
  const auto add = [&kind](std::string_view bytes) { kind = kind * 31 + std::hash<std::string_view>()(bytes); };
  if (call.has_attributes) {
    WireField field;
    for (WireReader reader(call.wire); reader.next(field);) {
      if (field.number == field::Node::attribute) add(field.content);
    }
  }
  for (const ValueId input : call.inputs()) {
    const GraphScope* around = &scope;
    while (around != nullptr && around->declared_type(input) == nullptr) around = around->enclosing();
    add(around == nullptr ? std::string() : around->declared_type(input)->SerializeAsString());
  }
  return kind;
}

std::string MadeCheck::problem_of_newest(const GraphScope& scope) {
  const Node& node = *scope.placed().back();
  const auto output = std::ranges::find_if(node.outputs(), [](ValueId value) { return value != absent_value; });
  if (output == node.outputs().end() || !calls_.take_node()) return {};
  return types_.problem_of_maker(scope, *output, most_nodes_before);
}

void MadeCheck::forget_since(size_t begin, const GraphScope& scope) {
  for (size_t index = begin; index < scope.placed().size(); ++index) {
    for (const ValueId output : scope.placed()[index]->outputs()) types_.forget(scope, output);
  }
}

}  // namespace onnx_lower
