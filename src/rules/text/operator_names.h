// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The other names of a rule's operator: "Also: custom::Foo, ai.onnx::Foo" in the head of its file.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace onnx_lower {

// Views of the text that it is read from.
struct OperatorName {
  std::string_view domain;  // "" for ai.onnx
  std::string_view op_type;

  bool operator==(const OperatorName&) const = default;
};

// Reads names that commas separate. Nothing when one of them is not DOMAIN::NAME.
std::optional<std::vector<OperatorName>> operator_names(std::string_view list);

}  // namespace onnx_lower
