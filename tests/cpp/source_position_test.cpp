// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "source_text/source_position.h"

#include <string>

#include "catch.h"

namespace onnx_lower {
namespace {

TEST_CASE("positions in long lines are those that counting from the beginning gives") {
  std::string text = "first\n";
  for (int word = 0; word < 3000; ++word) text += word % 7 == 0 ? "zwölf " : "abc ";
  text += "\n\nlast";
  const TextLines lines(text);
  for (std::size_t offset = 0; offset <= text.size(); ++offset) {
    const TextPosition found = lines.position(offset), counted = position_in(text, offset);
    if (found.line == counted.line && found.column == counted.column) continue;
    FAIL("at " << offset << ": " << found.line << ":" << found.column);
  }
  CHECK(lines.position(text.size()).line == 4);
  CHECK(lines.position(text.size()).column == 5);
}

TEST_CASE("a long line is cut on both sides of what is shown, and a short one is not") {
  const std::string half(300, 'a');
  CHECK(line_with_caret(half + "!" + half, 300) ==
        "  …" + std::string(80, 'a') + "!" + std::string(39, 'a') + "…\n" + std::string(83, ' ') + "^");
  CHECK(line_with_caret("x\r\nabc!\r\ny", 6) == "  abc!\n     ^");
  CHECK(line_with_caret(half + "\n!", 301) == "  !\n  ^");
  CHECK(line_with_caret("!\n" + half, 0) == "  !\n  ^");
}

}  // namespace
}  // namespace onnx_lower
