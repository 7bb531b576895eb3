// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/data_copies.h"

#include <fmt/format.h>

#include <algorithm>

#include "error.h"
#include "model_file/read_model.h"
#include "same_file.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

std::set<fs::path> data_files_of(const Model& model, const fs::path& folder) {
  std::set<fs::path> files;
  std::error_code ignored;
  for (const std::string& location : external_locations(model))
    files.insert(fs::weakly_canonical(folder / location, ignored));
  return files;
}

// The folder that holds a file, with symbolic links resolved.
fs::path real_folder_of(const fs::path& file, std::error_code& error) {
  const fs::path real = fs::weakly_canonical(data_folder_of(file.string()), error);
  return real.has_filename() ? real : real.parent_path();  // a path that ends in ".." keeps a slash
}

}  // namespace

std::set<fs::path> present_data_files(const Model& model, const std::string& output) {
  std::error_code error;
  if (!fs::exists(output, error)) return {};
  if (fs::equivalent(model.input().path(), output, error)) return data_files_of(model, data_folder_of(output));
  try {
    return data_files_of(read_model(output), data_folder_of(output));
  } catch (const Error&) {
    return {};
  }
}

bool changes_folder(const Model& model, const std::string& output) {
  std::error_code error;
  return !fs::equivalent(data_folder_of(model.input().path()), data_folder_of(output), error);
}

DataCopies data_copies(const Model& model, const std::set<std::string_view>& locations, const std::string& output,
                       ExternalFiles& files) {
  const fs::path folder = data_folder_of(output);
  std::error_code ignored;
  const fs::path real_folder = real_folder_of(output, ignored);
  DataCopies copies;
  std::set<fs::path> destinations;
  std::optional<std::set<fs::path>> present;
  for (const std::string_view location : locations) {
    if (fs::path(location).is_absolute()) continue;  // the same file from any folder
    const fs::path as_read = folder / location;
    const fs::path destination = as_read.lexically_normal();
    std::error_code error;
    // The folder in which readers find the file, with symbolic links on the way resolved; the file
    // keeps the name that the location gives it.
    const fs::path real = real_folder_of(as_read, error);
    const fs::path inside = real.lexically_relative(real_folder);
    if (error || inside.empty() || *inside.begin() == ".." || real != real_folder_of(destination, error)) {
      throw FileError(fmt::format(
          "{}: the external data '{}' would lie outside of the output's folder: add --external-data split or embed",
          output, location));
    }
    fs::path way = folder;
    for (const fs::path& part : fs::path(location).parent_path()) {
      way /= part;
      if (part != "..") copies.folders.push_back(way.lexically_normal());
    }
    if (!destinations.insert(destination).second) continue;
    const InputFile& source = files.file(location);
    if (fs::equivalent(source.path(), destination, error)) continue;
    if (fs::exists(destination, error)) {
      if (!fs::is_regular_file(destination, error))
        throw FileError(fmt::format("{}: is in the way of the external data", destination.string()));
      if (same_content(source.path(), destination)) continue;
      if (!present) present = present_data_files(model, output);
      if (!is_replaceable(*present, destination))
        throw other_data(destination, "choose another folder, or add --external-data split or embed");
    }
    copies.files.push_back({destination, {source.bytes()}});
  }
  return copies;
}

bool is_replaceable(const std::set<fs::path>& present, const fs::path& data_file) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(data_file, error);
  // A run that was killed while files got their names may have left the old data, and a model that
  // refers to the new data under their interim name.
  return present.contains(path) || std::any_of(present.begin(), present.end(), [&](const fs::path& other) {
           return other.string().starts_with(path.string() + interim_ending);
         });
}

FileError other_data(const fs::path& data_file, std::string_view advice) {
  return FileError(
      fmt::format("{}: holds other data than the external data of this name, and may be another model's: remove it, {}",
                  data_file.string(), advice));
}

void check_output_is_no_data(const Model& model, const std::string& output, bool keeps_data) {
  const fs::path from = data_folder_of(model.input().path());
  const fs::path to = data_folder_of(output);
  for (const std::string& location : external_locations(model)) {
    std::error_code error;
    if (fs::equivalent(from / location, output, error))
      throw FileError(
          fmt::format("{}: the external data of the model lie in this file; the output needs another name", output));
    if (keeps_data && (to / location).lexically_normal() == fs::path(output).lexically_normal())
      throw FileError(fmt::format(
          "{}: the written model would look for its external data in this file, which is itself; the output needs "
          "another name, or add --external-data embed",
          output));
  }
}

void choose_interim_names(const Model& model, const std::string& output, std::vector<DataOutput>& data) {
  std::error_code error;
  const bool replaces = std::any_of(data.begin(), data.end(),
                                    [&](const DataOutput& file) { return fs::exists(file.destination, error); });
  if (!replaces) return;
  const std::set<fs::path> present = present_data_files(model, output);
  const auto is_needed = [&](const fs::path& path) { return present.contains(fs::weakly_canonical(path, error)); };
  for (DataOutput& file : data) {
    if (!is_needed(file.destination)) continue;
    file.interim_name = file.destination.string() + interim_ending;
    // An interim name may itself be in use: a run that was killed may have left a model
    // that refers to it.
    while (is_needed(file.interim_name)) file.interim_name += interim_ending;
  }
}

}  // namespace onnx_lower
