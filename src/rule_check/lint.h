// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The checks of --check-rules: what is wrong with a rule file that can be parsed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_lower {

struct LintFinding {
  std::string file;
  int line = 0;  // 0: the finding is about the whole file
  int column = 0;
  std::string message;
  std::string context;  // the source line and a caret; empty where there is none
};

struct LintReport {
  std::size_t files = 0;
  std::size_t forms = 0;
  std::vector<LintFinding> findings;
};

// Checks the rules at the paths, each of which is a folder, an .onnxtxt file or an .onnx file, and
// the conditions of targets, where a path is that of a .target file. The rules may use each other
// and the built-in ones. In a folder, `<domain>/<Op>.onnxtxt` must hold rules for the operator that
// its path says. Throws FileError when something cannot be read.
LintReport check_rules(const std::vector<std::string>& paths);

// Checks one rule file's text.
LintReport check_rule_text(std::string_view text, const std::string& file);

// "FILE:LINE:COLUMN: error: MESSAGE" and its context.
std::string to_text(const LintFinding& finding);

}  // namespace onnx_lower
