// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "error.h"
#include "model_file/pending_file.h"
#include "same_file.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

PendingFile written_file(const fs::path& destination, std::span<const Bytes> ranges, const RangeSources& sources,
                         const BytesWritten& written, bool synced) {
  PendingFile file(destination);
  const std::string path = destination.string();
  write_ranges({file.descriptor(), path, true, synced}, ranges, sources, written);
  file.finish(synced);
  return file;
}

bool replaces_a_file(const ModelOutput& output) {
  std::error_code error;
  return fs::exists(output.destination, error) ||
         std::any_of(output.data.begin(), output.data.end(),
                     [&error](const DataOutput& file) { return fs::exists(file.destination, error); });
}

// The folders that were made for data files whose locations have folders in them. They are removed
// again unless the run succeeds.
class NewFolders {
 public:
  NewFolders() = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    std::error_code ignored;
    for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) fs::remove(*folder, ignored);
  }

  void make(const fs::path& folder) {
    std::error_code error;
    if (folder.empty() || fs::is_directory(folder, error)) return;
    make(folder.parent_path());
    if (fs::create_directory(folder, error)) made_.push_back(folder);
    if (error) throw FileError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  }
  void stay() { made_.clear(); }

 private:
  std::vector<fs::path> made_;
};

}  // namespace

bool is_file_output(const std::string& path) {
  if (path == "-") return false;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!resolved_path(path)) throw FileError(fmt::format("{}: is a link that leads back to itself", path));
  if (fs::is_directory(status)) throw FileError(fmt::format("{}: is a folder, and a file is expected as output", path));
  return !fs::exists(status) || fs::is_regular_file(status);
}

void write_stream(const std::string& path, std::span<const Bytes> ranges, const RangeSources& sources,
                  const BytesWritten& written) {
  if (path == "-") {
    const std::string name = "<stdout>";
    write_ranges({STDOUT_FILENO, name}, ranges, sources, written);
    return;
  }
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) throw_file_error(path, "cannot be written");
  try {
    write_ranges({descriptor, path}, ranges, sources, written);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

fs::path output_destination(const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error) && ::access(path.c_str(), W_OK) != 0) throw_file_error(path, "cannot be written");
  if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
  const std::optional<fs::path> target = resolved_path(path);
  if (!target) throw FileError(fmt::format("{}: is a link that leads back to itself", path));
  return *target;
}

void write_output(const std::string& path, Bytes bytes) {
  if (is_file_output(path)) {
    write_files({output_destination(path), {bytes}}, {}, {}, Sync::when_replacing);
  } else {
    write_stream(path, std::span(&bytes, 1), {}, {});
  }
}

void write_files(const ModelOutput& output, const RangeSources& sources, const BytesWritten& written, Sync sync) {
  const bool synced = sync == Sync::always || replaces_a_file(output);
  NewFolders folders;
  PendingFile model = written_file(output.destination, output.ranges, sources, written, synced);
  for (const fs::path& folder : output.folders) folders.make(folder);
  std::vector<PendingFile> data;
  std::set<fs::path> data_folders;
  for (const DataOutput& file : output.data) {
    folders.make(file.destination.parent_path());
    data.push_back(written_file(file.destination, file.ranges, sources, written, synced));
    data_folders.insert(file.destination.parent_path());
  }
  const auto sync_folders = [&data_folders, synced] {
    if (!synced) return;
    for (const fs::path& folder : data_folders) sync_folder(folder);
  };
  const bool in_two_steps = !output.interim_ranges.empty();
  if (in_two_steps) {
    PendingFile interim = written_file(output.destination, output.interim_ranges, sources, written, synced);
    for (size_t i = 0; i < data.size(); ++i)
      data[i].publish_as(output.data[i].interim_name.empty() ? output.data[i].destination
                                                             : output.data[i].interim_name);
    sync_folders();
    interim.publish();
    sync_folder(output.destination.parent_path());
  }
  for (size_t i = 0; i < data.size(); ++i) {
    if (!in_two_steps || !output.data[i].interim_name.empty()) data[i].publish();
  }
  // In the second of two steps, nothing may delay these names: until the interim names are gone,
  // the data files have two names each, and onnx.load refuses such files.
  if (!in_two_steps) sync_folders();
  model.publish();
  for (const DataOutput& file : output.data) {
    if (!file.interim_name.empty()) ::unlink(file.interim_name.c_str());
  }
  folders.stay();
}

}  // namespace onnx_lower
