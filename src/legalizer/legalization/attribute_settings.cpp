// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legalization/attribute_settings.h"

#include <algorithm>

namespace onnx_lower {

bool AttributeSettings::apply(onnx::NodeProto& node, std::string_view name) {
  bool applied = false;
  for (size_t index = 0; index < settings_.size(); ++index) {
    const AttributeSetting& setting = settings_[index];
    if (!setting.fits(name, node.domain(), node.op_type())) continue;
    used_.push_back(index);
    applied = true;
    auto& attributes = *node.mutable_attribute();
    const auto same = std::ranges::find(attributes, setting.attribute.name(), &onnx::AttributeProto::name);
    *(same == attributes.end() ? attributes.Add() : &*same) = setting.attribute;
  }
  return applied;
}

std::vector<std::string> AttributeSettings::unused() const {
  std::vector<bool> is_used(settings_.size(), false);
  for (const size_t index : used_) is_used[index] = true;
  std::vector<std::string> texts;
  for (size_t index = 0; index < settings_.size(); ++index) {
    if (!is_used[index]) texts.push_back(settings_[index].text);
  }
  return texts;
}

}  // namespace onnx_lower
