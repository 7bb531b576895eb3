// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/data_file_uses.h"

#include <filesystem>

#include "model_file/data_copies.h"
#include "model_file/model_text.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// A pipe or a device has no data beside it.
bool may_have_data(const std::string& output) {
  std::error_code error;
  const fs::file_status status = fs::status(output, error);
  return !output.empty() && output != "-" && (!fs::exists(status) || fs::is_regular_file(status));
}

void add_written(FilesOfRun& files, FilesOfRun::Owner owner, FileUse use, const std::string& path,
                 const std::string& source = {}) {
  const bool exists = files.add(owner, use, path, source).exists();
  if (exists) files.add(owner, FileUse::interim_data, path + interim_ending, source);
}

}  // namespace

bool may_have_derived_data(const std::string& output, const std::vector<std::string>& locations) {
  return !locations.empty() || is_text_name(output);
}

std::string beside(const std::string& model, const std::string& location) {
  return (fs::path(model).parent_path() / location).string();
}

void add_split_data(FilesOfRun& files, FilesOfRun::Owner owner, const std::string& output,
                    const WriteOptions& options) {
  if (options.external_data == ExternalDataMode::split && may_have_data(output))
    add_written(files, owner, FileUse::split_data, output + ".data");
}

void add_data_files(FilesOfRun& files, FilesOfRun::Owner owner, const ModelPaths& model,
                    const std::vector<std::string>& locations, const WriteOptions& options) {
  add_split_data(files, owner, model.output, options);
  for (const std::string& location : locations) {
    // what reads names as C does sees another one
    if (location.find('\0') == std::string::npos) files.add(owner, FileUse::data, beside(model.input, location));
  }
  if (options.external_data != ExternalDataMode::keep || !may_have_data(model.output)) return;
  if (may_have_derived_data(model.output, locations))
    add_written(files, owner, FileUse::split_data, model.output + derived_data_ending);
  if (locations.empty()) return;
  const std::string from = files.real_folder_of(model.input);
  if (from == files.real_folder_of(model.output)) return;
  for (const std::string& location : locations) {
    // An absolute one names the same file in any folder.
    if (location.find('\0') != std::string::npos || fs::path(location).is_absolute()) continue;
    const std::string copy = fs::path(beside(model.output, location)).lexically_normal().string();
    add_written(files, owner, FileUse::copied_data, copy, beside(model.input, location));
  }
}

}  // namespace onnx_lower
