// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Where in a text something is, and how to point at it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_lower {

struct TextPosition {
  int line = 1;    // from 1
  int column = 1;  // from 1, in characters
};

TextPosition position_in(std::string_view text, std::size_t offset);

// The positions of many offsets in one text, each found without counting from its beginning. The
// text must outlive this.
class TextLines {
 public:
  explicit TextLines(std::string_view text);
  TextPosition position(std::size_t offset) const;

 private:
  struct Mark {
    std::size_t offset;
    TextPosition position;
  };

  std::string_view text_;
  std::vector<Mark>
      // the beginning of each line, and in a long one some places, from which columns are counted
      marks_;
};

// The line at the offset and a caret below the character, each indented by two spaces; a long line
// is cut on both sides.
std::string line_with_caret(std::string_view text, std::size_t offset);

// "FILE:LINE:COLUMN: error: MESSAGE", the line and the caret, without a newline at the end.
std::string message_at(std::string_view text, const std::string& file, std::size_t offset, std::string_view message);

// A text without the mark that some editors put before UTF-8; all offsets are in this.
std::string_view without_byte_order_mark(std::string_view text);

// The offset of the first byte that no text has: a control character, or what is not UTF-8; npos
// when there is none.
std::size_t find_non_text(std::string_view text);

}  // namespace onnx_lower
