// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/external_data.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <set>
#include <unordered_map>

#include "error.h"
#include "same_file.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// Whether a location leads out of the folder, either as it is written or as the file system
// resolves it. Symbolic links are resolved before this is called.
bool leaves(const fs::path& folder, const fs::path& location, const fs::path& file) {
  const fs::path written = location.lexically_normal();
  if (location.is_absolute() || written.empty() || *written.begin() == "..") return true;
  const fs::path inside = file.lexically_relative(folder);
  return inside.empty() || *inside.begin() == "..";
}

// A model can have a file for each tensor, which may be more than a process may have open by
// default: raises that limit.
void allow_many_open_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

fs::path data_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

std::vector<std::string> external_locations(const Model& model) {
  std::set<std::string_view> locations;
  for (const ExternalData& data : model.external_data) locations.insert(data.location);
  return {locations.begin(), locations.end()};
}

void check_external_data(const Model& model, bool allow_external_paths) {
  if (model.external_data.empty()) return;
  const std::string& path = model.input().path();
  const fs::path folder = fs::weakly_canonical(data_folder_of(path));
  // The sizes of the files by location, since thousands of tensors share a file.
  std::unordered_map<std::string_view, uint64_t> sizes;
  for (const ExternalData& data : model.external_data) {
    const auto where = [&] {
      return fmt::format("{}: the external data of tensor '{}' ('{}')", path, data.tensor, data.location);
    };
    const auto [known, is_new] = sizes.try_emplace(data.location, 0);
    if (is_new) {
      // For the C functions that open files, a NUL ends the path: they would open another file than
      // the one that is checked here.
      if (data.location.find('\0') != std::string_view::npos)
        throw InvalidInput(where() + " have a location that is no path");
      const fs::path location(data.location);
      std::error_code error;
      const fs::path file = fs::weakly_canonical(folder / location, error);
      if (!allow_external_paths && (error || leaves(folder, location, file))) {
        throw InvalidInput(where() +
                           " lie outside of the model's folder; if they are meant to, add --allow-external-paths");
      }
      // The path that readers follow: a folder that a ".." leaves again has to exist, too.
      const fs::path as_read = folder / location;
      if (!fs::is_regular_file(as_read, error)) throw FileError(where() + " are not there, or no file");
      known->second = fs::file_size(as_read, error);
    }
    const uint64_t size = known->second;
    const uint64_t wanted = data.length >= 0 ? static_cast<uint64_t>(data.length) : data.byte_size;
    if (data.length >= 0 && data.byte_size != 0 && wanted != data.byte_size) {
      throw InvalidInput(where() +
                         fmt::format(" are {} bytes long, and its shape asks for {}", data.length, data.byte_size));
    }
    if (data.offset > size || wanted > size - data.offset) {
      throw InvalidInput(where() + fmt::format(" end at byte {}, and the file has {}", data.offset + wanted, size));
    }
  }
}

const InputFile& ExternalFiles::file(std::string_view location) {
  if (const auto known = by_location_.find(location); known != by_location_.end()) return *known->second;
  if (files_.size() == 100) allow_many_open_files();
  const std::string path = (folder_ / location).string();
  auto opened = std::make_unique<InputFile>(InputFile::open(path));
  const std::optional<FileId> id = file_id(path);
  if (!id) throw FileError(fmt::format("{}: went away while it was read", path));
  // If the file is mapped already, the first mapping is used, since other tensors point into it.
  const auto file = files_.try_emplace(*id, std::move(opened)).first;
  by_location_.emplace(location, file->second.get());
  return *file->second;
}

Bytes ExternalFiles::elements(const TensorFacts& tensor) {
  const ExternalData& data = tensor.external_data;
  const Bytes bytes = file(data.location).bytes();
  const uint64_t rest = data.offset > bytes.size() ? 0 : bytes.size() - data.offset;
  const uint64_t size = bits_per_element(tensor.data_type) > 0 ? tensor.byte_size
                        : data.length >= 0                     ? static_cast<uint64_t>(data.length)
                                                               : rest;
  if (size > rest) throw FileError(fmt::format("{}: became shorter while it was read", file(data.location).path()));
  return bytes.substr(std::min<uint64_t>(data.offset, bytes.size()), size);
}

void ExternalFiles::add_to(RangeSources& sources) const {
  for (const auto& [identity, file] : files_) sources.add(*file);
}

}  // namespace onnx_lower
