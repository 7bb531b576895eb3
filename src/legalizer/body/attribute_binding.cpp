// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/body/attribute_binding.h"

#include "standard_operators/node_attribute.h"

namespace onnx_lower {

constexpr size_t few = 16;

void AttributeBinding::insert(std::string_view name, const onnx::AttributeProto& value) {
  if (values_.empty()) values_.reserve(few);
  if (values_.size() == few) by_name_.insert(values_.begin(), values_.end());
  if (values_.size() >= few) by_name_.emplace(name, &value);
  values_.emplace_back(name, &value);
}

void AttributeBinding::add_owned(std::string_view name, onnx::AttributeProto value) {
  insert(name, *owned_.emplace_back(std::make_unique<onnx::AttributeProto>(std::move(value))));
}

void AttributeBinding::add(std::string_view name, const onnx::AttributeProto& value) {
  const bool is_list = value.type() == onnx::AttributeProto::FLOATS || value.type() == onnx::AttributeProto::INTS ||
                       value.type() == onnx::AttributeProto::STRINGS;
  const bool is_empty_list = is_list && value.floats().empty() && value.ints().empty() && value.strings().empty();
  // With a reference beside it, an empty list could not be told from an attribute without a value.
  // Such an attribute, which a node in a function may have, does get its reference.
  const bool has_no_value = is_open(value);
  if (!as_references_ || (is_empty_list && !has_no_value)) {
    insert(name, value);
    return;
  }
  onnx::AttributeProto& reference = *owned_.emplace_back(std::make_unique<onnx::AttributeProto>(value));
  // Zeros are written out: writers leave them out, and then they could not be told from no value.
  if (!has_no_value && value.type() == onnx::AttributeProto::INT) reference.set_i(value.i());
  if (!has_no_value && value.type() == onnx::AttributeProto::FLOAT) reference.set_f(value.f());
  if (!has_no_value && value.type() == onnx::AttributeProto::STRING) reference.set_s(value.s());
  reference.set_ref_attr_name(value.name());
  insert(name, reference);
}

const onnx::AttributeProto* AttributeBinding::find(std::string_view name) const {
  if (values_.size() > few) {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  for (const auto& [known, value] : values_) {
    if (known == name) return value;
  }
  return nullptr;
}

}  // namespace onnx_lower
