// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "error.h"

namespace onnx_lower {
namespace {

bool begins_color(std::string_view text) {
  if (!text.starts_with("\x1b[")) return false;
  const size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm';
}

}  // namespace

bool terminal_can_draw() {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb" && isatty(STDERR_FILENO) != 0;
}

Colors Colors::for_stderr(ColorMode mode) {
  if (mode != ColorMode::automatic) return Colors(mode == ColorMode::always);
  const char* no_color = std::getenv("NO_COLOR");
  return Colors((no_color == nullptr || *no_color == '\0') && terminal_can_draw());
}

std::string Colors::in(const char* code, std::string_view text) const {
  return enabled_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    if (errno == EPIPE) return;
    throw FileError(fmt::format("standard output: {}", std::strerror(errno)));
  }
}

void draw(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void print_message(std::string_view text) {
  std::string shown;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte >= 0x20 && byte != 0x7f) || byte == '\n' || byte == '\t' || begins_color(text.substr(i))) {
      shown += text[i];
    } else {
      shown += fmt::format("\\x{:02x}", byte);
    }
  }
  draw(shown);
}

void print_error(const Colors& colors, std::string_view text) {
  constexpr std::string_view label = "error:";
  const size_t own = text.substr(0, text.find('\n')).find(fmt::format(": {} ", label));
  if (own == std::string_view::npos) {
    print_message(fmt::format("{} {}\n", colors.error(label), text));
  } else {
    print_message(
        fmt::format("{}{}{}\n", text.substr(0, own + 2), colors.error(label), text.substr(own + 2 + label.size())));
  }
}

void print_warning(const Colors& colors, std::string_view text) {
  print_message(fmt::format("{} {}\n", colors.warning("warning:"), text));
}

}  // namespace onnx_lower
