// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/file_identity.h"

#include <algorithm>
#include <ctime>

namespace onnx_lower {
namespace {

constexpr int64_t second = 1'000'000'000;

int64_t nanoseconds(const timespec& time) { return time.tv_sec * second + time.tv_nsec; }

}  // namespace

bool FileIdentity::is_settled() const {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::max(modified, changed) + 2 * second < nanoseconds(now);
}

FileIdentity identity_in(const struct stat& status) {
  return {.size = static_cast<uint64_t>(status.st_size),
          .inode = static_cast<uint64_t>(status.st_ino),
          .modified = nanoseconds(status.st_mtim),
          .changed = nanoseconds(status.st_ctim)};
}

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return identity_in(status);
}

}  // namespace onnx_lower
