// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/pending_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "error.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

// A name for a temporary file, short enough for any file system even where the file's own name is
// as long as a name may be.
fs::path hidden_name(const fs::path& path, const char* ending) {
  return folder_of(path) / fmt::format(".{}.{}.{}", path.filename().string().substr(0, 200), ::getpid(), ending);
}

// The path through which a file without a name can be linked to one.
std::string descriptor_path(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

}  // namespace

PendingFile::PendingFile(const fs::path& destination) : destination_(destination), replaced_(id_of_name(destination)) {
  const fs::path folder = folder_of(destination);
  temporary_ = hidden_name(destination, "tmp");
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  const bool cannot_be_nameless = descriptor_ < 0 ? errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL
                                                  : ::access(descriptor_path(descriptor_).c_str(), F_OK) != 0;
  if (cannot_be_nameless) {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) name_ = temporary_;
  }
  if (descriptor_ < 0) throw_file_error(destination.string(), "cannot be written");
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : destination_(std::move(other.destination_)),
      temporary_(std::move(other.temporary_)),
      replaced_(other.replaced_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::exchange(other.name_, fs::path())) {}

PendingFile::~PendingFile() {
  if (!name_.empty() && name_ == temporary_) ::unlink(temporary_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PendingFile::finish(bool synced) {
  // If the destination exists, the new file gets its permissions, since its owner chose them.
  struct stat old {};
  if (replaced_ && ::stat(destination_.c_str(), &old) == 0 && ::fchmod(descriptor_, old.st_mode & 07777) != 0)
    throw_file_error(destination_.string(), "cannot be given its old permissions");
  if (synced) {
    if (::fdatasync(descriptor_) != 0) throw_file_error(destination_.string(), "cannot be synced");
    return;
  }
  // Network file systems report a failed write when a descriptor is closed;
  // closing a copy suffices.
  const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (copy < 0 || ::close(copy) != 0) throw_file_error(destination_.string(), "cannot be written");
}

void PendingFile::publish() { give_name(destination_, true); }

void PendingFile::may_replace(const PendingFile& other) { replaced_ = file_id(descriptor_path(other.descriptor_)); }

bool PendingFile::is_there_already(const fs::path& name) const {
  const std::optional<FileId> now = id_of_name(name);
  if (!now || now == replaced_) return false;
  if (same_content(descriptor_path(descriptor_), name)) return true;
  throw FileError(
      fmt::format("{}: this file appeared while it was to be written, and is left as it is\n"
                  "move it away, or give the output another path, and run the same command again",
                  name.string()));
}

void PendingFile::give_name(const fs::path& name, bool spare) {
  const std::string source = name_.empty() ? descriptor_path(descriptor_) : name_.string();
  const auto link_to = [&source](const fs::path& target) {
    return ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, target.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link_to(name)) return;
  const int problem = errno;
  if (spare && is_there_already(name)) return;
  errno = problem;
  if (problem == EEXIST) {
    // A link fails where a file of that name exists, a rename replaces it. This is the one moment
    // at which a killed run leaves a file with a temporary name.
    const fs::path staging = hidden_name(name, "new");
    ::unlink(staging.c_str());
    if (link_to(staging)) {
      if (::rename(staging.c_str(), name.c_str()) == 0) return;
      const int rename_problem = errno;
      ::unlink(staging.c_str());
      errno = rename_problem;
      throw_file_error(name.string(), "cannot be replaced");
    }
  }
  if (name_.empty()) throw_file_error(name.string(), "cannot be named");
  // The file system has no links: the temporary name becomes the file's name.
  if (::rename(name_.c_str(), name.c_str()) != 0) throw_file_error(name.string(), "cannot be replaced");
  name_ = name;
}

void remove_pending_files(const fs::path& folder, pid_t process) {
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool ours = name.starts_with('.') && (name.ends_with(fmt::format(".{}.tmp", process)) ||
                                                name.ends_with(fmt::format(".{}.new", process)));
    if (ours) ::unlink(entry->path().c_str());
  }
}

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace onnx_lower
