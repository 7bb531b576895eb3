// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/attribute_binding.h"

namespace onnx_lower {

constexpr size_t few = 16;

void AttributeBinding::add(std::string_view name, const onnx::AttributeProto& value) {
  if (values_.empty()) values_.reserve(few);
  if (values_.size() == few) by_name_.insert(values_.begin(), values_.end());
  if (values_.size() >= few) by_name_.emplace(name, &value);
  values_.emplace_back(name, &value);
}

void AttributeBinding::bind(std::string_view name, onnx::AttributeProto value) {
  add(name, *owned_.emplace_back(std::make_unique<onnx::AttributeProto>(std::move(value))));
}

void AttributeBinding::refer(std::string_view name, const onnx::AttributeProto& value) {
  if (!as_references_) {
    add(name, value);
    return;
  }
  onnx::AttributeProto& reference = *owned_.emplace_back(std::make_unique<onnx::AttributeProto>(value));
  reference.set_ref_attr_name(value.name());
  add(name, reference);
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
