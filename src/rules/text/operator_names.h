// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Other names of a rule's operator: "Also: custom::Foo, ai.onnx::Foo" in the comments that
// a file begins with.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace onnx_lower {

// The names are views of the text that was parsed.
struct OperatorName {
  std::string_view domain;  // "" for ai.onnx
  std::string_view op_type;

  bool operator==(const OperatorName&) const = default;
};

// Parses a list of names with commas. Nothing when one of them is not DOMAIN::NAME.
std::optional<std::vector<OperatorName>> operator_names(std::string_view list);

}  // namespace onnx_lower
