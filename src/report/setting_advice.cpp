// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/setting_advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain.h"
#include "spelling.h"

namespace onnx_lower {

bool is_for(const AttributeSetting& setting, const UnloweredNode& node) {
  return setting.fits(node.node, node.domain, node.op_type);
}

std::vector<const AttributeSetting*> refused_settings(const UnloweredNode& node,
                                                      const std::vector<AttributeSetting>& settings) {
  std::vector<const AttributeSetting*> refused;
  // A form that lacks other attributes takes what is given.
  const auto lacks_others = [](const Refusal& refusal) { return !refusal.missing_attributes.empty(); };
  if (std::ranges::any_of(node.refusals, lacks_others)) return refused;
  for (const AttributeSetting& setting : settings) {
    const bool is_refused =
        std::ranges::find(node.refusals, setting.attribute.name(), &Refusal::refused_attribute) != node.refusals.end();
    if (is_refused && is_for(setting, node)) refused.push_back(&setting);
  }
  return refused;
}

std::string respelled(const AttributeSetting& setting, const UnloweredNode& node) {
  const std::string& attribute = setting.attribute.name();
  const std::string& text = setting.text;
  const size_t at = text.find(fmt::format(".{}=", attribute)) + 1;
  const size_t behind = at + attribute.size();
  const auto knows_another = [&](const Refusal& refusal) {
    return refusal.refused_attribute == attribute && !refusal.similar_attribute.empty();
  };
  const auto refusal = std::ranges::find_if(node.refusals, knows_another);
  if (refusal == node.refusals.end()) return fmt::format("--set {}=VALUE", text.substr(0, behind));
  std::string instead =
      fmt::format("--set {}{}{}", text.substr(0, at), refusal->similar_attribute, text.substr(behind));
  for (const std::string& lacking : refusal->lacking_beside) {
    if (lacking != refusal->similar_attribute) instead += fmt::format(" --set {}{}=VALUE", text.substr(0, at), lacking);
  }
  return instead;
}

std::string similar_place(const std::string& unused, const std::vector<AttributeSetting>& settings,
                          const LegalizeResult& result) {
  const auto setting = std::ranges::find(settings, unused, &AttributeSetting::text);
  if (setting == settings.end()) return {};
  const bool is_for_one = !setting->node_name.empty();
  std::vector<std::string> places;
  const auto add = [&](std::string_view node, std::string_view domain, std::string_view op_type) {
    const std::string place = is_for_one ? std::string(node) : operator_name(std::string(domain), std::string(op_type));
    if (places.empty() || places.back() != place) places.push_back(place);
  };
  for (const UnloweredNode& node : result.unlowered) add(node.node, node.domain, node.op_type);
  for (const LoweredNode& node : result.lowered) add(node.node, node.domain, node.op_type);
  const std::string given = is_for_one ? setting->node_name : operator_name(setting->domain, setting->op_type);
  const std::string nearest = nearest_name(given, places);
  return nearest.empty() || !is_for_one ? nearest : "node:" + nearest;
}

}  // namespace onnx_lower
