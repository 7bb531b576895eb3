// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether two paths stand for one file, also when it is not there yet, and whether two files hold
// the same.
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

// What the system knows a file or folder by, whatever its names are: device and inode.
using FileId = std::pair<dev_t, ino_t>;

// Nothing where there is none.
std::optional<FileId> file_id(const std::filesystem::path& path);
// Of the name itself, also where it is a link.
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
