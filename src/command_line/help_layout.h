// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The layout of --help: the options at the left, their descriptions in a column beside them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace onnx_lower {

class HelpLayout : public CLI::Formatter {
 public:
  // Widths are in columns of a terminal, in which "…" takes one.
  static constexpr std::size_t line_width = 80;
  static constexpr std::size_t description_column = 32;

  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
};

}  // namespace onnx_lower
