// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "source_text/source_tokens.h"

#include <algorithm>
#include <string>

#include "source_text/characters.h"

namespace onnx_lower {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r'; }

template <typename Belongs>
std::size_t end_of_run(std::string_view text, std::size_t from, Belongs belongs) {
  while (from < text.size() && belongs(text[from])) ++from;
  return from;
}

std::size_t end_of_number(std::string_view text, std::size_t from) {
  std::size_t end = end_of_run(text, from, [](char c) { return is_digit(c) || c == '.'; });
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    ++end;
    if (end < text.size() && (text[end] == '+' || text[end] == '-')) ++end;
    end = end_of_run(text, end, is_digit);
  }
  return end;
}

}  // namespace

std::vector<SourceToken> source_tokens(std::string_view text) {
  std::vector<SourceToken> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (is_space(c)) {
      ++at;
      continue;
    }
    SourceToken token;
    token.offset = at;
    std::size_t end = at + 1;
    if (c == '#') {
      token.kind = SourceToken::Kind::comment;
      end = std::min(text.find('\n', at), text.size());
    } else if (c == '"') {
      token.kind = SourceToken::Kind::string;
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      token.complete = end < text.size();
      end = std::min(end + 1, text.size());
    } else if (starts_name(c)) {
      token.kind = SourceToken::Kind::name;
      end = end_of_run(text, at, continues_name);
    } else if (is_digit(c)) {
      token.kind = SourceToken::Kind::number;
      end = end_of_number(text, at);
    } else if (text.substr(at, 2) == "=>") {
      end = at + 2;
    }
    token.text = text.substr(at, end - at);
    tokens.push_back(token);
    at = end;
  }
  return tokens;
}

bool is_number_word(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = lower_case(c);
  return lower == "inf" || lower == "infinity" || lower == "nan";
}

std::size_t behind_comments(std::string_view text, std::size_t offset) {
  while (true) {
    offset = std::min(text.find_first_not_of(" \t\r\n", offset), text.size());
    if (offset == text.size() || text[offset] != '#') return offset;
    offset = std::min(text.find('\n', offset), text.size());
  }
}

}  // namespace onnx_lower
