// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A file that has its content before it has its name.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "same_file.h"

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
  // Gives it its destination's name, at one stroke where a file of that name is there. A file that
  // was not there when this one was begun stays: that is an error, unless it has the same content.
  void publish();
  // Another name in the same folder, or one more.
  void publish_as(const std::filesystem::path& name) { give_name(name, false); }
  // That this one may take the place of the other, which has its destination's name now.
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
  // the one that it has now, and needs to get another; empty while it can do without
  std::filesystem::path name_;
};

// Removes what process `process`, which has died, may have left under temporary names in a folder.
void remove_pending_files(const std::filesystem::path& folder, pid_t process);

// Makes the names given in a folder so far outlast a crash of the machine. Not all file systems
// can, and then nothing happens.
void sync_folder(const std::filesystem::path& folder);

}  // namespace onnx_lower
