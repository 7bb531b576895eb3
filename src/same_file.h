// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether two paths lead to one file, also where that file does not exist yet, and whether two
// files hold the same bytes.
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

// Device and inode: the identity of a file or folder, whatever its names are.
using FileId = std::pair<dev_t, ino_t>;

// nullopt where the path leads to no file or folder.
std::optional<FileId> file_id(const std::filesystem::path& path);
// The same of the name itself: of a symbolic link that is the link, and not the file behind it.
std::optional<FileId> id_of_name(const std::filesystem::path& path);

// Whether two files are there and hold the same bytes.
bool same_content(const std::filesystem::path& a, const std::filesystem::path& b);

// Whether names that differ in upper and lower case only are one name in this folder, or will be
// when it is there. Writes nothing to find out.
bool ignores_case(const std::filesystem::path& folder);

// The name of the file that a descriptor (of standard input or output) is of; empty where that is
// no regular file.
std::string path_of_stream(int descriptor);

}  // namespace onnx_lower
