// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A file that gets its name only after its content.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "same_file.h"

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
  // Gives the file its destination's name; a file of that name is replaced atomically. A file that
  // was not there when this one was begun stays: that is an error, unless it has the same content.
  void publish();
  // Gives the file another name in the same folder, in addition to those that it has.
  void publish_as(const std::filesystem::path& name) { give_name(name, false); }
  // Says that this file may replace the other one, which has its destination's name now.
  void may_replace(const PendingFile& other);

 private:
  // `spare`: a file that has this name, unless it is the one to be replaced.
  void give_name(const std::filesystem::path& name, bool spare);
  // Whether the name is a file's that appeared meanwhile; then it has the content that it should.
  // Throws FileError where it has another.
  bool is_there_already(const std::filesystem::path& name) const;

  std::filesystem::path destination_;
  std::filesystem::path temporary_;
  std::optional<FileId> replaced_;  // what has the destination's name
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
