// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A file that gets its name only after its content.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace onnx_lower {

// A file in its destination's folder, without a name where the file system can do that, so that a
// run that is killed leaves nothing; elsewhere under a temporary name. All members throw FileError.
class PendingFile {
 public:
  explicit PendingFile(const std::filesystem::path& destination);
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;

  int descriptor() const { return descriptor_; }
  const std::filesystem::path& destination() const { return destination_; }

  // To be called before the file gets a name. Afterwards the file is complete, on the disk if
  // `synced`, and has the permissions of the file that it will replace.
  void finish(bool synced);
  // Gives the file its destination's name; a file of that name is replaced atomically.
  void publish() { publish_as(destination_); }
  // Gives the file another name in the same folder, in addition to those that it has.
  void publish_as(const std::filesystem::path& name);

 private:
  std::filesystem::path destination_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  // The temporary name, which another name has yet to replace; empty for a file without a name.
  std::filesystem::path name_;
};

// Removes the temporary files that process `process`, which has died, may have left in a folder.
void remove_pending_files(const std::filesystem::path& folder, pid_t process);

// Makes sure that the names given in a folder so far survive a crash of the machine. Does nothing
// on file systems that cannot.
void sync_folder(const std::filesystem::path& folder);

}  // namespace onnx_lower
