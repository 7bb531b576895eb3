// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Rule files: where they lie below a path, and the forms in a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/text/rule_text.h"

namespace onnx_lower {

// The rule files (*.onnxtxt, *.onnx) at a path: the file itself or, for a folder, all files
// below it, sorted. Throws FileError when the path does not exist, and InvalidInput when there
// are no rule files.
std::vector<std::string> rule_files_at(const std::string& path);

bool is_rule_text_file(std::string_view path);

// Throws FileError.
std::string read_whole_file(const std::string& path);

// The forms that are the functions of a binary model; `file` is for messages. Throws InvalidInput.
RuleText forms_of_model(std::string_view bytes, const std::string& file, RuleOrigin origin);

// Reads a user's rule file, text or model. Throws FileError, and InvalidInput where the file cannot
// be parsed or a rule does not hold together by itself.
struct RuleFile {
  std::string path;
  std::string text;  // the file's; for a model, its functions as onnx prints them
  RuleText rules;
};
RuleFile read_user_rule_file(const std::string& path);

}  // namespace onnx_lower
