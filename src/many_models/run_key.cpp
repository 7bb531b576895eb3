// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/run_key.h"

#include "many_models/content_hash.h"
#include "rules/rule_file.h"

namespace onnx_lower {

RunKeys::RunKeys() : tool_hash_(content_hash_of_file("/proc/self/exe")) {}

std::string RunKeys::key_of(const Options& options) {
  ContentHasher hasher;
  hasher.add_field(tool_hash_);
  hasher.add_field(rules_hash(options.rule_paths));
  hasher.add_field(options.effect);
  return hasher.hex();
}

const std::string& RunKeys::rules_hash(const std::vector<std::string>& rule_paths) {
  std::string& hash = rules_hashes_[rule_paths];
  if (!hash.empty()) return hash;
  ContentHasher hasher;
  for (const std::string& path : rule_paths) {
    for (const std::string& file : rule_files_at(path)) hasher.add_field(content_hash_of_file(file));
  }
  return hash = hasher.hex();
}

}  // namespace onnx_lower
