// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What tells, without reading a file, whether it is the one that was read before.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

namespace onnx_lower {

// The change time goes with it because no program can set it: also who restores the modification
// time after an edit is found out.
struct FileIdentity {
  uint64_t size = 0;
  uint64_t inode = 0;
  int64_t modified = 0;  // nanoseconds since 1970, as is the next
  int64_t changed = 0;

  bool operator==(const FileIdentity&) const = default;

  // Whether the file was last touched so long before now that another change must show in its
  // times: file systems count them in steps of up to two seconds, and within a step a second change
  // looks like the first.
  bool is_settled() const;
};

// Of what the system has told of a regular file.
FileIdentity identity_in(const struct stat& status);

// Nothing when there is no regular file.
std::optional<FileIdentity> identity_of(const std::string& path);

}  // namespace onnx_lower
