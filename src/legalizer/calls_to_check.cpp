// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/calls_to_check.h"

#include <functional>
#include <string_view>

#include "model_file/onnx_fields.h"
#include "model_file/wire.h"

namespace onnx_lower {

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

}  // namespace onnx_lower
