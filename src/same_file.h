// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether two paths lead to one file, also where that file does not exist yet.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace onnx_lower {

// The path that a write to `path` would really write to: with all symbolic links followed, also
// those that lead to a file that does not exist yet. nullopt where the links form a circle.
std::optional<std::filesystem::path> resolved_path(const std::filesystem::path& path);

// Whether the paths are equal, links lead both to one file, or both are hard links of it. "-" and
// "" are no files: for them the answer is false.
bool is_same_file(const std::string& a, const std::string& b);

// Device and inode: the identity of a file or folder, whatever its names are.
using FileId = std::pair<dev_t, ino_t>;

// nullopt where the path leads to no file or folder.
std::optional<FileId> file_id(const std::filesystem::path& path);

}  // namespace onnx_lower
