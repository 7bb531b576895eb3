// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Rules on disk: where they lie below a path, and the forms that a file makes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/text/rule_text.h"

namespace onnx_lower {

// The rule files (*.onnxtxt, *.onnx) that a path stands for: itself or, for a folder, all below it,
// sorted. Throws FileError when there is nothing at the path, InvalidInput when what is there
// cannot hold rules.
std::vector<std::string> rule_files_at(const std::string& path);

bool is_rule_text_file(std::string_view path);

// Throws FileError.
std::string read_whole_file(const std::string& path);

// The forms that the functions of a binary model make; `file` is for messages. Throws InvalidInput.
RuleText forms_of_model(std::string_view bytes, const std::string& file, RuleOrigin origin);

// Reads a user's rule file of either kind. Throws FileError, and InvalidInput also for what is
// wrong with a rule by itself.
struct RuleFile {
  std::string path;
  std::string text;  // of an .onnxtxt file; for a model, the functions as onnx prints them
  RuleText rules;
};
RuleFile read_user_rule_file(const std::string& path);

}  // namespace onnx_lower
