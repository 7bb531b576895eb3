// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "same_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace onnx_lower {

namespace fs = std::filesystem;

namespace {

#ifndef FS_CASEFOLD_FL
constexpr int FS_CASEFOLD_FL = 0x40000000;
#endif

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

std::optional<FileId> id_of(const struct stat& status) { return FileId(status.st_dev, status.st_ino); }

// The name with the case of its letters changed; of other alphabets the case is left alone.
std::string with_other_case(std::string name) {
  for (char& letter : name) {
    const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    if (is_letter) letter = static_cast<char>(letter ^ 0x20);
  }
  return name;
}

// Whether a name that is there is found by the other case as well; nothing where it has no letters.
std::optional<bool> is_found_by_other_case(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::string other = with_other_case(name);
  const std::optional<FileId> id = id_of_name(path);
  if (other == name || !id) return std::nullopt;
  return id_of_name(path.parent_path() / other) == id;
}

// Where nothing in a folder tells: the file systems that ignore case unless they are told
// otherwise.
bool is_of_a_kind_that_ignores_case(int folder) {
  constexpr uint32_t kinds[] = {0x4d44 /* FAT */,  0x2011bab0 /* exFAT */, 0x4244 /* HFS */,
                                0x482b /* HFS+ */, 0xff534d42 /* CIFS */,  0xfe534d42 /* SMB2 */};
  struct statfs status {};
  return ::fstatfs(folder, &status) == 0 &&
         std::ranges::find(kinds, static_cast<uint32_t>(status.f_type)) != std::end(kinds);
}

}  // namespace

std::optional<fs::path> resolved_path(const fs::path& path) {
  constexpr int most_links = 40;  // as the kernel has it
  fs::path target = path;
  for (int links = 0; links <= most_links; ++links) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(target, error))) {
      const fs::path folder = target.parent_path();
      const fs::path real = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
      return (error ? fs::absolute(folder, error) : real) / target.filename();
    }
    const fs::path next = fs::read_symlink(target, error);
    if (error) return std::nullopt;
    target = target.parent_path() / next;  // which is `next` where that is absolute
  }
  return std::nullopt;
}

std::optional<FileId> file_id(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return id_of(status);
}

std::optional<FileId> id_of_name(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return id_of(status);
}

bool same_content(const fs::path& a, const fs::path& b) {
  struct stat of_a {};
  struct stat of_b {};
  if (::stat(a.c_str(), &of_a) != 0 || ::stat(b.c_str(), &of_b) != 0) return false;
  if (!S_ISREG(of_a.st_mode) || !S_ISREG(of_b.st_mode) || of_a.st_size != of_b.st_size) return false;
  if (id_of(of_a) == id_of(of_b)) return true;
  const Descriptor from_a(a, 0);
  const Descriptor from_b(b, 0);
  if (from_a.number() < 0 || from_b.number() < 0) return false;
  constexpr size_t block = size_t{1} << 20;
  const auto buffers = std::make_unique_for_overwrite<char[]>(2 * block);
  for (off_t offset = 0;;) {
    const ssize_t count = ::pread(from_a.number(), buffers.get(), block, offset);
    if (count < 0) return false;
    if (count == 0) return true;
    const auto size = static_cast<size_t>(count);
    if (::pread(from_b.number(), buffers.get() + block, size, offset) != count ||
        std::memcmp(buffers.get(), buffers.get() + block, size) != 0)
      return false;
    offset += count;
  }
}

bool ignores_case(const fs::path& folder) {
  std::error_code error;
  fs::path there = fs::absolute(folder, error).lexically_normal();
  while (there.has_relative_path() && !fs::is_directory(there, error)) there = there.parent_path();
  const Descriptor descriptor(there, O_DIRECTORY);
  int flags = 0;
  if (::ioctl(descriptor.number(), FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_CASEFOLD_FL) != 0) return true;
  for (fs::directory_iterator entry(there, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (const std::optional<bool> found = is_found_by_other_case(entry->path())) return *found;
  }
  // An empty folder is asked by its own name, as long as that lies in the same file system.
  if (!there.has_filename()) there = there.parent_path();
  const auto device = [](const fs::path& path) { return file_id(path).value_or(FileId()).first; };
  for (; there.has_relative_path() && device(there) == device(there.parent_path()); there = there.parent_path()) {
    if (const std::optional<bool> found = is_found_by_other_case(there)) return *found;
  }
  return is_of_a_kind_that_ignores_case(descriptor.number());
}

std::string path_of_stream(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return fmt::format("/proc/self/fd/{}", descriptor);
}

}  // namespace onnx_lower
