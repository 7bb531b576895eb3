// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "same_file.h"

#include <sys/stat.h>

namespace onnx_lower {

namespace fs = std::filesystem;

std::optional<fs::path> resolved_path(const fs::path& path) {
  constexpr int most_links = 40;  // as the kernel has it
  fs::path target = path;
  for (int links = 0; links <= most_links; ++links) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(target, error))) {
      const fs::path folder = target.parent_path();
      const fs::path real = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
      return (error ? fs::absolute(folder, error) : real) / target.filename();
    }
    const fs::path next = fs::read_symlink(target, error);
    if (error) return std::nullopt;
    target = target.parent_path() / next;  // which is `next` where that is absolute
  }
  return std::nullopt;
}

bool is_same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const std::optional<fs::path> of_a = resolved_path(a);
  return of_a && of_a == resolved_path(b);
}

std::optional<FileId> file_id(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileId(status.st_dev, status.st_ino);
}

}  // namespace onnx_lower
