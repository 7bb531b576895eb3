// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The rule files of rules/, as the build puts them into the binary.
#pragma once

#include <span>
#include <string_view>

namespace onnx_lower {

// An operator that a rule file is for, according to its path or to its other names.
struct EmbeddedRule {
  std::string_view domain;  // "" for the folder ai.onnx
  std::string_view op_type;
  std::string_view path;  // "rules/custom/Foo.onnxtxt"
  std::string_view text;
};

// Sorted by domain, then by operator; each operator is there once.
std::span<const EmbeddedRule> embedded_rules();

}  // namespace onnx_lower
