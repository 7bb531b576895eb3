// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Text for people, on standard output and standard error.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "run_options.h"

namespace onnx_lower {

// Whether standard error is a terminal, and one that is not dumb.
bool terminal_can_draw();

// Colours for standard error, or none: then every member returns its argument.
class Colors {
 public:
  explicit Colors(bool enabled) : enabled_(enabled) {}
  // Automatic: on a terminal, unless NO_COLOR is set or the terminal is dumb.
  static Colors for_stderr(ColorMode mode);

  std::string error(std::string_view text) const { return in("1;31", text); }
  std::string warning(std::string_view text) const { return in("1;33", text); }
  std::string emphasis(std::string_view text) const { return in("1", text); }
  std::string hint(std::string_view text) const { return in("36", text); }

 private:
  std::string in(const char* code, std::string_view text) const;

  bool enabled_;
};

// Throws FileError when it cannot be written to the end (a full disk behind a redirection). A
// reader that has seen enough is no error.
void print(std::string_view text);
// Messages get lost silently if nobody listens. A terminal obeys what it is sent, and names in a
// model may hold anything: of control characters, only those are sent that end a line, indent, or
// begin a color.
void print_message(std::string_view text);
// As it is, also what moves the cursor.
void draw(std::string_view text);

// "error: " and the text. A message that has that label where it says what file and line it is
// about ("x.onnxtxt:3:5: error: …") keeps it there.
void print_error(const Colors& colors, std::string_view text);
void print_warning(const Colors& colors, std::string_view text);

}  // namespace onnx_lower
