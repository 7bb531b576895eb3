// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/output_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "many_models/record.h"
#include "model_file/interner.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

int open_lock_file(const std::string& folder) {
  const fs::path records = fs::path(folder) / record_folder_name;
  std::error_code ignored;
  fs::create_directories(records, ignored);
  return ::open((records / lock_file_name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
}

}  // namespace

OutputLock::~OutputLock() {
  for (const auto& [folder, descriptor] : descriptors_) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

void OutputLock::model(const std::string& path) { wait_for(path, "model "); }
void OutputLock::external_data(const std::string& path) { wait_for(path, "data "); }

// One byte of one file per folder stands for a name, chosen by its hash: a lock of a range works
// over NFS, takes no file of its own, and ends with its process. Two names with the same byte only
// wait for each other.
void OutputLock::wait_for(const std::string& path, const char* kind) {
  const fs::path file(path);
  const std::string folder = file.parent_path().string();
  const auto [known, is_new] = descriptors_.try_emplace(folder, -1);
  if (is_new) known->second = open_lock_file(folder);
  if (known->second < 0) return;
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(hash_of(kind + file.filename().string()) >> 2);
  range.l_len = 1;
  while (::fcntl(known->second, F_OFD_SETLKW, &range) != 0 && errno == EINTR) continue;
}

}  // namespace onnx_lower
