// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Splits a rule's text into tokens as onnx's text parser does, to check for what that
// parser does not notice.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace onnx_lower {

struct SourceToken {
  enum class Kind { name, number, string, symbol, comment };

  Kind kind = Kind::symbol;
  // A string has its quotes, a comment its #. A symbol is one character, or "=>".
  std::string_view text;
  std::size_t offset = 0;
  bool complete = true;  // false for a string without a closing quote

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

std::vector<SourceToken> source_tokens(std::string_view text);

// Whether a name stands for a number: inf, infinity or nan, in upper or lower case.
bool is_number_word(std::string_view name);

// The offset behind the blanks, line ends and comments that begin at `offset`.
std::size_t behind_comments(std::string_view text, std::size_t offset);

}  // namespace onnx_lower
