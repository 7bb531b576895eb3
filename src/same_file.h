// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether two paths stand for one file, also when it is not there yet.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace onnx_lower {

// Where what is written to a path lands: behind all links, also those that lead to nothing yet.
// Nothing where links lead in a circle.
std::optional<std::filesystem::path> resolved_path(const std::filesystem::path& path);

// By the names, by links, or because both are names of one file. "-" and "" are no files.
bool is_same_file(const std::string& a, const std::string& b);

// What the system knows a file or folder by, whatever its names are: device and inode.
using FileId = std::pair<dev_t, ino_t>;

// Nothing where there is none.
std::optional<FileId> file_id(const std::filesystem::path& path);

}  // namespace onnx_lower
