// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What to give in the place of a --set that does not do what its user wants.
#pragma once

#include <string>
#include <vector>

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"

namespace onnx_lower {

// Whether the setting is for the node.
bool is_for(const AttributeSetting& setting, const UnloweredNode& node);

// The settings that give the node the attribute for which one of its rules declined.
std::vector<const AttributeSetting*> refused_settings(const UnloweredNode& node,
                                                      const std::vector<AttributeSetting>& settings);

// What to give in the place of such a setting: "--set custom::Foo.threshold=1" where a rule knows
// an attribute that is spelled alike; else the same attribute with VALUE, which is to be another
// one.
std::string respelled(const AttributeSetting& setting, const UnloweredNode& node);

// For a setting that no node got: the operator, or the name of a node, that is spelled alike, among
// those that were lowered or could not be; empty where there is none.
std::string similar_place(const std::string& unused, const std::vector<AttributeSetting>& settings,
                          const LegalizeResult& result);

}  // namespace onnx_lower
