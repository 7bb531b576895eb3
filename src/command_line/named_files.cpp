// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/named_files.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "rules/rule_file.h"

namespace onnx_lower {
namespace {

std::vector<std::string> files_at(const std::string& path) {
  try {
    return rule_files_at(path);
  } catch (const Error&) {
    return {path};  // reading the rules will say what is wrong
  }
}

}  // namespace

void add_rules_and_targets(FilesOfRun& files, const Options& options) {
  for (const std::string& path : options.rule_paths) {
    for (const std::string& file : files_at(path)) files.add(FilesOfRun::whole_run, FileUse::rules, file);
  }
  for (const std::string& path : options.target_paths) files.add(FilesOfRun::whole_run, FileUse::target, path);
}

FilesOfRun::Owner add_named_files(FilesOfRun& files, const Options& options) {
  const bool is_stream = options.input == "-";
  const FilesOfRun::Owner owner = files.add_model(is_stream ? "<stdin>" : options.input);
  add_rules_and_targets(files, options);
  files.add(owner, FileUse::model, is_stream ? path_of_stream(STDIN_FILENO) : options.input);
  files.add(owner, FileUse::output, options.output);
  files.add(FilesOfRun::whole_run, FileUse::report, options.report_path);
  files.check_links_and_folders();
  return owner;
}

}  // namespace onnx_lower
