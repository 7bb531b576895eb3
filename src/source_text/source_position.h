// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Positions in a text, and messages that point at them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_lower {

struct TextPosition {
  int line = 1;    // the first line is 1
  int column = 1;  // in characters; the first one is 1
};

TextPosition position_in(std::string_view text, std::size_t offset);

// Finds the positions of many offsets in one text, each without counting from the beginning of the
// text. The text must outlive this object.
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
  // The beginning of each line, and places in long lines, from which columns are counted.
  std::vector<Mark> marks_;
};

// The line at the offset, and below it a caret under the character, each indented by two spaces. A
// long line is cut on both sides.
std::string line_with_caret(std::string_view text, std::size_t offset);

// "FILE:LINE:COLUMN: error: MESSAGE", then the line and the caret, without a newline at the end.
std::string message_at(std::string_view text, const std::string& file, std::size_t offset, std::string_view message);

// The text without the byte order mark that some editors put before UTF-8. All
// offsets count from there.
std::string_view without_byte_order_mark(std::string_view text);

// The offset of the first byte that must not be in a text: a control character, or a byte that is
// not UTF-8; npos when there is none.
std::size_t find_non_text(std::string_view text);

}  // namespace onnx_lower
