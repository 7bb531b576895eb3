// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A file that has its content before it has its name.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace onnx_lower {

// Made in the folder where it is to stand, without a name where the file system can do that, so
// that a run that is killed leaves nothing; elsewhere under a temporary name. All members throw
// FileError.
class PendingFile {
 public:
  explicit PendingFile(const std::filesystem::path& destination);
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;

  int descriptor() const { return descriptor_; }
  const std::filesystem::path& destination() const { return destination_; }

  // To be called before the file gets a name: it is then whole, on the disk if `synced`, and has
  // the permissions of the file whose place it will take.
  void finish(bool synced);
  // Gives it its destination's name, at one stroke where a file of that name is there.
  void publish() { publish_as(destination_); }
  // Another name in the same folder, or one more.
  void publish_as(const std::filesystem::path& name);

 private:
  std::filesystem::path destination_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  // the one that it has now, and needs to get another; empty while it can do without
  std::filesystem::path name_;
};

// Removes what process `process`, which has died, may have left under temporary names in a folder.
void remove_pending_files(const std::filesystem::path& folder, pid_t process);

// Makes the names given in a folder so far outlast a crash of the machine. Not all file systems
// can, and then nothing happens.
void sync_folder(const std::filesystem::path& folder);

}  // namespace onnx_lower
