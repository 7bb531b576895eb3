// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rule_check/lint_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "source_text/source_tokens.h"

namespace onnx_lower {
namespace {

using Kind = SourceToken::Kind;

class Traps {
 public:
  explicit Traps(std::string_view text) {
    for (SourceToken& token : source_tokens(text)) {
      if (token.kind != Kind::comment) tokens_.push_back(token);
    }
  }

  std::vector<SourceTrap> find() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, "=") && is(i + 1, "[")) list(i + 1);
      if (is(i, ",")) comma(i);
      if (tokens_[i].kind == Kind::string) escapes(tokens_[i]);
    }
    return std::move(traps_);
  }

 private:
  bool is(std::size_t i, std::string_view symbol) const { return i < tokens_.size() && tokens_[i].is(symbol); }

  void add(const SourceToken& token, std::string message) { traps_.push_back({token.offset, std::move(message)}); }

  // Checks an attribute's value that is a list and begins at this bracket.
  void list(std::size_t begin) {
    static constexpr std::array single_types{"float", "int", "string", "tensor", "graph"};
    if (begin >= 3 && is(begin - 3, ":") &&
        std::ranges::find(single_types, tokens_[begin - 2].text) != single_types.end()) {
      add(tokens_[begin], fmt::format("this is declared {}, and the value is a list", tokens_[begin - 2].text));
    }
    bool at_start = true;
    int depth = 0;
    for (std::size_t i = begin + 1; i < tokens_.size() && !(depth == 0 && is(i, "]")); ++i) {
      if (at_start && is(i, "@")) {
        const std::string_view name = i + 1 < tokens_.size() ? tokens_[i + 1].text : "";
        add(tokens_[i],
            fmt::format(
                "a list cannot hold a reference: the parser drops @{}; make the list with Concat, or declare it whole",
                name));
      }
      if (at_start && tokens_[i].kind == Kind::name && !is_number_word(tokens_[i].text)) {
        add(tokens_[i], "a list cannot hold tensors, types or graphs: the parser drops them");
      }
      if (is(i, "[") || is(i, "{") || is(i, "(")) ++depth;
      if (is(i, "]") || is(i, "}") || is(i, ")")) --depth;
      at_start = depth == 0 && is(i, ",");
    }
  }

  void comma(std::size_t i) {
    if (is(i + 1, ")") || is(i + 1, "=")) {
      add(tokens_[i], "this comma ends a list, where it has no meaning; an absent last input is written \"\"");
    }
  }

  void escapes(const SourceToken& token) {
    for (std::size_t at = token.text.find('\\'); at != std::string_view::npos; at = token.text.find('\\', at + 2)) {
      const char escaped = token.text[at + 1];
      if (escaped == '"' || escaped == '\\') continue;
      traps_.push_back({token.offset + at,
                        fmt::format("\\{0} in a string means {0} here; only \\\" and \\\\ are escapes", escaped)});
    }
  }

  std::vector<SourceToken> tokens_;
  std::vector<SourceTrap> traps_;
};

}  // namespace

std::vector<SourceTrap> source_traps(std::string_view text) { return Traps(text).find(); }

std::vector<std::string> deliberately_unused(std::string_view text) {
  constexpr std::string_view key = "# Unused:";
  std::vector<std::string> names;
  for (const SourceToken& token : source_tokens(text)) {
    if (token.kind != Kind::comment || !token.text.starts_with(key)) continue;
    for (const SourceToken& name : source_tokens(token.text.substr(key.size()))) {
      if (name.kind == Kind::name) names.emplace_back(name.text);
    }
  }
  return names;
}

}  // namespace onnx_lower
