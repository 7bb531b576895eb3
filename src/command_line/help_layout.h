// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How --help looks: the options at the left, what they do in a column beside them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace onnx_lower {

class HelpLayout : public CLI::Formatter {
 public:
  // All in columns of a terminal, in which "…" is one and not three.
  static constexpr std::size_t line_width = 80;
  static constexpr std::size_t description_column = 32;

  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
};

}  // namespace onnx_lower
