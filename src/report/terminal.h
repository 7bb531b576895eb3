// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Prints text for people on standard output and standard error.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "run_options.h"

namespace onnx_lower {

// Whether standard error is a terminal, and not a dumb one.
bool terminal_can_draw();

// Colours for standard error. Without colours, every member returns its argument.
class Colors {
 public:
  explicit Colors(bool enabled) : enabled_(enabled) {}
  // Without a choice of the user: colours on a terminal, unless NO_COLOR is set or
  // the terminal is dumb.
  static Colors for_stderr(ColorMode mode);

  std::string error(std::string_view text) const { return in("1;31", text); }
  std::string warning(std::string_view text) const { return in("1;33", text); }
  std::string emphasis(std::string_view text) const { return in("1", text); }
  std::string hint(std::string_view text) const { return in("36", text); }
  std::string added(std::string_view text) const { return in("32", text); }
  std::string removed(std::string_view text) const { return in("31", text); }

 private:
  std::string in(const char* code, std::string_view text) const;

  bool enabled_;
};

// Throws FileError when the text cannot be written completely, as with a full disk behind a
// redirection. A reader that closes its pipe early is no error.
void print(std::string_view text);
// Prints a message on standard error. Errors are ignored, since nobody reads the message then.
// Names in a model may hold anything, and a terminal obeys control characters: only those that end
// a line, indent, or begin a colour are printed.
void print_message(std::string_view text);
// Prints the text as it is, with the control characters that move the cursor.
void draw(std::string_view text);

// Prints "error: " and the text. A message that already has this label behind its file and line
// ("x.onnxtxt:3:5: error: …") gets no second one.
void print_error(const Colors& colors, std::string_view text);
void print_warning(const Colors& colors, std::string_view text);

}  // namespace onnx_lower
