// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/find_models.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "error.h"
#include "many_models/record.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

using FolderId = std::pair<dev_t, ino_t>;

std::optional<FolderId> folder_id(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return std::nullopt;
  return FolderId(status.st_dev, status.st_ino);
}

class Walk {
 public:
  explicit Walk(const fs::path& excluded) : excluded_(folder_id(excluded)) {}

  // `below`: the path of `folder` below the one that the walk began with.
  void visit(const fs::path& folder, const fs::path& below) {
    const std::optional<FolderId> id = folder_id(folder);
    if (!id || id == excluded_ || std::ranges::find(ancestors_, *id) != ancestors_.end()) return;
    ancestors_.push_back(*id);
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      const fs::path name = entry->path().filename();
      std::error_code ignored;  // of a link that leads nowhere
      const fs::file_type type = entry->status(ignored).type();
      if (type == fs::file_type::directory) {
        if (name != record_folder_name) visit(entry->path(), below / name);
      } else if (name.extension() == ".onnx" && (type == fs::file_type::regular || entry->is_symlink(ignored))) {
        found.push_back((below / name).string());
      }
    }
    if (error) throw FileError(fmt::format("{}: cannot be read: {}", folder.string(), error.message()));
    ancestors_.pop_back();
  }

  std::vector<std::string> found;

 private:
  std::optional<FolderId> excluded_;
  std::vector<FolderId> ancestors_;
};

}  // namespace

std::vector<std::string> find_models(const fs::path& folder, const fs::path& excluded) {
  Walk walk(excluded);
  walk.visit(folder, {});
  std::ranges::sort(walk.found);
  return std::move(walk.found);
}

}  // namespace onnx_lower
