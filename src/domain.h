// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How the domain of an operator set is written.
#pragma once

#include <string>
#include <string_view>

namespace onnx_lower {

// The default domain has two spellings; inside the tool it is "".
constexpr std::string_view normalized_domain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

// The domain as messages write it: never empty.
constexpr std::string_view shown_domain(std::string_view domain) { return domain.empty() ? "ai.onnx" : domain; }

// Such as "custom::Foo" and "ai.onnx::Relu".
inline std::string operator_name(std::string_view domain, std::string_view op_type) {
  return std::string(shown_domain(domain)) + "::" + std::string(op_type);
}

}  // namespace onnx_lower
