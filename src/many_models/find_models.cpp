// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/find_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "error.h"
#include "many_models/record.h"
#include "same_file.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

class Walk {
 public:
  explicit Walk(const fs::path& excluded) : excluded_(file_id(excluded)) {}

  // `below`: the path of `folder` below the one that the walk began with.
  void visit(const fs::path& folder, const fs::path& below) {
    const std::optional<FileId> id = file_id(folder);
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
  std::optional<FileId> excluded_;
  std::vector<FileId> ancestors_;
};

}  // namespace

std::vector<std::string> find_models(const fs::path& folder, const fs::path& excluded) {
  Walk walk(excluded);
  walk.visit(folder, {});
  std::ranges::sort(walk.found);
  return std::move(walk.found);
}

}  // namespace onnx_lower
