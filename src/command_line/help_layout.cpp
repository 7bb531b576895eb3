// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/help_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "source_text/characters.h"

namespace onnx_lower {
namespace {

// The text with line breaks in the place of blanks where its lines would else be too wide. Its own
// line breaks stay.
std::vector<std::string> lines_of(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string_view paragraph : split(text, '\n')) {
    std::string line;
    for (const std::string_view word : split(paragraph, ' ')) {
      if (!line.empty() && columns(line) + 1 + columns(word) > width) lines.push_back(std::exchange(line, {}));
      line += fmt::format("{}{}", line.empty() ? "" : " ", word);
    }
    lines.push_back(line);
  }
  return lines;
}

// What is printed of an option before its description.
std::string label_of(std::string name, std::string values) {
  // CLI11 writes a value that goes without saying, as in --attach{*}, and a blank before all
  // others.
  name.erase(std::min(name.find('{'), name.size()));
  if (values.starts_with(" [=")) values.erase(0, 1);
  return "  " + name + values;
}

}  // namespace

std::string HelpLayout::make_usage(const CLI::App*, std::string) const {
  return "Usage: onnx-lower IN -o OUT [OPTIONS]\n       onnx-lower IN... --output-dir DIR [-j N] [OPTIONS]\n"
         "       onnx-lower --list-rules | --show-rule DOMAIN::OP | "
         "--check-rules PATH...\n       onnx-lower --list-targets | --show-target NAME\n";
}

// CLI11 leaves two lines between two groups.
std::string HelpLayout::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, std::move(name), mode), "\n\n\n", "\n\n");
}

// CLI11 counts bytes to find the column of the description.
std::string HelpLayout::make_option(const CLI::Option* option, bool is_positional) const {
  std::string text = label_of(make_option_name(option, is_positional), make_option_opts(option));
  // Two blanks at the least are between both.
  std::size_t column = columns(text);
  if (column + 2 > description_column) {
    text += "\n";
    column = 0;
  }
  for (const std::string& line : lines_of(make_option_desc(option), line_width - description_column)) {
    text += std::string(description_column - column, ' ') + line + "\n";
    column = 0;
  }
  return text;
}

}  // namespace onnx_lower
