// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The words of a rule's text, as onnx's text parser splits it; for checks of what that parser lets
// pass.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace onnx_lower {

struct SourceToken {
  enum class Kind { name, number, string, symbol, comment };

  Kind kind = Kind::symbol;
  // a string with its quotes, a comment with its #; a symbol is one character or "=>"
  std::string_view text;
  std::size_t offset = 0;
  bool complete = true;  // false for a string without a closing quote

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

std::vector<SourceToken> source_tokens(std::string_view text);

// Whether a name stands for a number: inf, infinity or nan, in letters of either size.
bool is_number_word(std::string_view name);

// Behind the blanks, ends of lines and comments that stand at the offset.
std::size_t behind_comments(std::string_view text, std::size_t offset);

}  // namespace onnx_lower
