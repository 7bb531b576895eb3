// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "source_text/source_position.h"

#include <fmt/format.h>

#include <algorithm>

#include "source_text/characters.h"

namespace onnx_lower {
namespace {

// How many bytes of a line are shown before the place, and after it.
constexpr std::size_t shown_before = 80;
constexpr std::size_t shown_after = 40;
// The ends of a line are looked for no further than this, so that many messages about a long line
// take little time.
constexpr std::size_t looked_at = 128;
// How many bytes lie between two places whose positions are remembered.
constexpr std::size_t between_marks = 4096;

void advance(TextPosition& position, char c) {
  if (c == '\n') {
    ++position.line;
    position.column = 1;
  } else if (!continues_character(c)) {
    ++position.column;
  }
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v') || byte == 0x7F;
}

// How many bytes the character at this offset has; 0 when it is not well-formed UTF-8.
std::size_t character_size(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t size = lead < 0x80                   ? 1
                           : lead >= 0xC2 && lead < 0xE0 ? 2
                           : lead >= 0xE0 && lead < 0xF0 ? 3
                           : lead >= 0xF0 && lead < 0xF5 ? 4
                                                         : 0;
  if (size == 0 || at + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues_character(text[at + i])) return 0;
  }
  return size;
}

}  // namespace

TextPosition position_in(std::string_view text, std::size_t offset) {
  TextPosition position;
  for (const char c : text.substr(0, offset)) advance(position, c);
  return position;
}

TextLines::TextLines(std::string_view text) : text_(text), marks_{{0, {}}} {
  TextPosition position;
  for (std::size_t offset = 0; offset < text.size(); ++offset) {
    advance(position, text[offset]);
    if (text[offset] == '\n' || offset + 1 - marks_.back().offset == between_marks)
      marks_.push_back({offset + 1, position});
  }
}

TextPosition TextLines::position(std::size_t offset) const {
  const auto next = std::ranges::upper_bound(marks_, offset, {}, &Mark::offset);
  const Mark& mark = *(next - 1);
  TextPosition position = mark.position;
  for (const char c : text_.substr(mark.offset, offset - mark.offset)) advance(position, c);
  return position;
}

std::string line_with_caret(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::size_t first = offset - std::min(offset, looked_at);
  const std::size_t newline = text.substr(first, offset - first).rfind('\n');
  const std::size_t line_begin = newline == std::string_view::npos ? first : first + newline + 1;
  std::size_t line_end =
      offset + std::min(text.substr(offset, looked_at).find('\n'), text.substr(offset, looked_at).size());
  if (line_end > line_begin && text[line_end - 1] == '\r') --line_end;
  offset = std::min(offset, line_end);
  std::size_t begin = line_begin;
  if (offset - line_begin > shown_before) begin = offset - shown_before;
  while (begin < offset && continues_character(text[begin])) ++begin;
  std::size_t end = line_end;
  if (end - offset > shown_after) end = offset + shown_after;
  while (end > offset && end < line_end && continues_character(text[end])) --end;

  std::string shown = begin > line_begin ? "  …" : "  ";
  std::string below = begin > line_begin ? "   " : "  ";
  for (std::size_t at = begin; at < end;) {
    const std::size_t size = character_size(text, at);
    if (size == 0 || is_control(text[at])) {
      shown += '?';
    } else {
      shown += text.substr(at, size);
    }
    if (at < offset) below += text[at] == '\t' ? '\t' : ' ';
    at += std::max<std::size_t>(size, 1);
  }
  if (end < line_end) shown += "…";
  return shown + '\n' + below + '^';
}

std::string message_at(std::string_view text, const std::string& file, std::size_t offset, std::string_view message) {
  const TextPosition position = position_in(text, offset);
  return fmt::format("{}:{}:{}: error: {}\n{}", file, position.line, position.column, message,
                     line_with_caret(text, offset));
}

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

std::size_t find_non_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    if (size == 0 || is_control(text[at])) return at;
    at += size;
  }
  return std::string_view::npos;
}

}  // namespace onnx_lower
