// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What an output depends on besides its input.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "command_line/options.h"

namespace onnx_lower {

// Hashes the executable (so its version, the built-in rules, and whatever else it is made of), the contents of the user's rule files in their order, and the
// options. Files are read once per run.
class RunKeys {
 public:
  RunKeys();  // throws FileError
  // So that key_of() reads no file for these.
  void read_rules(const Options& options) { rules_hash(options.rule_paths); }
  std::string key_of(const Options& options);

 private:
  const std::string& rules_hash(const std::vector<std::string>& rule_paths);

  std::string tool_hash_;
  std::map<std::vector<std::string>, std::string> rules_hashes_;
};

}  // namespace onnx_lower
