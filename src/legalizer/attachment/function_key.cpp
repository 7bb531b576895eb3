// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/attachment/function_key.h"

#include <algorithm>
#include <span>

#include "legalizer/attachment/function_names.h"
#include "legalizer/body/body_instance.h"
#include "model_file/onnx_fields.h"

namespace onnx_lower {

using onnx::AttributeProto;
using onnx::NodeProto;

FunctionKey::FunctionKey(const Model& model, const Node& call)
    : model_(model), call_(call), prefix_(std::string(name_prefix(model, call)) + "/") {
  for (const std::span<const ValueId> values : {call.inputs(), call.outputs()}) {
    number(values.size());
    for (const ValueId value : values) number(value == absent_value ? 0 : 1);
  }
  places_.reserve(call.outputs().size() + call.inputs().size());
  for (const std::span<const ValueId> values : {call.outputs(), call.inputs()}) {
    for (const ValueId value : values) places_.emplace_back(value, places_.size());
  }
  std::ranges::sort(places_);
}

void FunctionKey::add(const Form& form, const NodeProto& message) {
  number(static_cast<uint64_t>(form.origin));
  text(form.function.doc_string());
  for (const auto* names : {&form.function.input(), &form.function.output()}) {
    number(static_cast<uint64_t>(names->size()));
    for (const std::string& name : *names) text(name);
  }
  number(form.attributes.size());
  for (const DeclaredAttribute& declared : form.attributes) {
    text(declared.name);
    number(declared.required() ? 1 : 0);
    const AttributeProto* fallback = form.default_of(declared);
    text(fallback == nullptr ? std::string() : fallback->SerializeAsString());
  }
  for (const AttributeProto& given : message.attribute()) text(given.name());
}

bool FunctionKey::add(const Node& node) {
  if (node.bodies != nullptr) return false;
  for (const std::span<const ValueId> values : {node.inputs(), node.outputs()}) {
    number(values.size());
    for (const ValueId each : values) value(each);
  }
  WireField field;
  for (WireReader reader(node.wire); reader.next(field);) {
    if (field.tag == delimited_tag(field::Node::input) || field.tag == delimited_tag(field::Node::output)) continue;
    if (field.tag == delimited_tag(field::Node::name)) {
      number(field.number);
      text(without_prefix(field.content, prefix_));
    } else if (field.tag == delimited_tag(field::Node::attribute)) {
      attribute(field);
    } else {
      text(field.whole);
    }
  }
  return true;
}

void FunctionKey::value(ValueId value) {
  // Adds the name that FunctionNames gives the value: that of an output or an input, or the rest
  // of its name.
  const auto found = std::ranges::lower_bound(places_, value, {}, &std::pair<ValueId, size_t>::first);
  const size_t outputs = call_.outputs().size();
  if (found == places_.end() || found->first != value || value == absent_value) {
    number(3);
    text(without_prefix(model_.value_name(value), prefix_));
  } else if (found->second < outputs) {
    number(found->second * 4 + 1);
  } else {
    number((found->second - outputs) * 4 + 2);
  }
}

// The value of an attribute that refers to one of the function is no part of the key.
void FunctionKey::attribute(const WireField& whole) {
  Bytes name;
  Bytes reference;
  uint64_t type = 0;
  WireField field;
  for (WireReader reader(whole.content); reader.next(field);) {
    if (field.tag == delimited_tag(field::Attribute::name)) name = field.content;
    if (field.tag == delimited_tag(AttributeProto::kRefAttrNameFieldNumber)) reference = field.content;
    if (field.tag == varint_tag(field::Attribute::type)) type = field.value;
  }
  if (reference.empty()) {
    text(whole.whole);
    return;
  }
  number(type);
  text(name);
  text(reference);
}

}  // namespace onnx_lower
