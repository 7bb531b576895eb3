// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The characters that names and numbers are made of in the texts of rules, targets and settings: ASCII, whatever the locale.
#pragma once

#include <cstddef>
#include <string_view>

namespace onnx_lower {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool continues_name(char c) { return starts_name(c) || is_digit(c); }

// What separates words of a line. A line that another system wrote ends in a carriage return.
inline constexpr std::string_view blanks = " \t\r";

// Without the blanks around it.
constexpr std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace onnx_lower
